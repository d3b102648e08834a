/** Who owns a charge is written with it, and what is agreed later changes nothing about it. */
import { beforeAll, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { readConfig } from '../../config/config.ts'
import { performDailyRun } from '../collection/daily-run.ts'
import { openLog } from '../platform/log.ts'
import { buildInstance, buildInvoice, testClock, type BuiltInvoice } from '../testing/build.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import { enterChargeOwner, OwnerRefused, readChargeOwners, type WantedOwner } from './creditors.ts'

let db: TestDatabase
let instance: { id: string; timeZone: string }
const clock = testClock()
const START = date('2026-01-05')
const DUE = addDays(START, 30)

beforeAll(async () => {
  db = await testDatabase()
  instance = { id: (await buildInstance(db)).id, timeZone: 'Europe/Stockholm' }
})

const context = () => ({ db: db.db, clock, log: openLog('silent'), config: readConfig({}) })
const wish = (creditor: string, wanted: Partial<WantedOwner>): WantedOwner => ({
  creditor,
  from: clock.today(instance.timeZone),
  fees: 'CREDITOR',
  interest: 'CREDITOR',
  source: 'Agreement, section 4',
  by: 'person:Eva Berg',
  ...wanted,
})
const enter = (creditor: string, wanted: Partial<WantedOwner> = {}) =>
  enterChargeOwner({ db: db.db, clock }, instance, wish(creditor, wanted))

async function build(): Promise<BuiltInvoice> {
  clock.moveTo(START)
  return buildInvoice(db, instance.id, clock, { dueDate: DUE })
}

async function nightsTo(day: CalendarDate): Promise<void> {
  for (let night = addDays(clock.today(instance.timeZone), 1); night <= day; night = addDays(night, 1)) {
    clock.moveTo(night)
    await performDailyRun(context(), instance, night)
  }
}

/** Every transaction of the debt and of its claim, with its owner. */
async function ownersOf({ id }: BuiltInvoice): Promise<string[]> {
  const { rows } = await db.owner.query<{ entry: string }>(
    `select kind || ' ' || coalesce(charge_owner, 'nobody') as entry from ledger_transaction
     where invoice_id = $1 or claim_id = (select claim_id from invoice where id = $1) order by booked_on, kind`,
    [id],
  )
  return rows.map(({ entry }) => entry)
}

test('a charge keeps the owner of its day; what is charged from the day on has the new one', async () => {
  const invoice = await build()
  await nightsTo(addDays(DUE, 12))
  const first = ['INVOICE nobody', 'INTEREST CREDITOR', 'REMINDER OPERATOR']
  expect(await ownersOf(invoice)).toEqual(first)
  await enter(invoice.creditorId, { from: addDays(clock.today(instance.timeZone), 1), interest: 'OPERATOR' })
  expect(await ownersOf(invoice)).toEqual(first)
  await nightsTo(addDays(DUE, 60))
  expect(await ownersOf(invoice)).toEqual([
    ...first,
    'COLLECTION CREDITOR',
    'INTEREST OPERATOR',
    'TRANSFER_TO_CLAIM nobody',
  ])
})

test('only from its day on, and of two about one day the later word holds', async () => {
  const invoice = await build()
  await enter(invoice.creditorId, { from: addDays(DUE, 200) })
  const now = await enter(invoice.creditorId, { from: addDays(DUE, 1), fees: 'CREDITOR' })
  expect(now.map(({ from_day: day }) => day)).toEqual([addDays(DUE, 200), addDays(DUE, 1)])
  await enter(invoice.creditorId, { from: addDays(DUE, 1), fees: 'OPERATOR', interest: 'OPERATOR' })
  await nightsTo(addDays(DUE, 12))
  expect(await ownersOf(invoice)).toEqual(['INVOICE nobody', 'INTEREST OPERATOR', 'REMINDER OPERATOR'])
})

test('the same again, also at the same moment, is entered once, with who did it', async () => {
  const { creditorId } = await build()
  const answers = await Promise.all([enter(creditorId), enter(creditorId)])
  expect(answers[0]).toEqual(answers[1])
  expect(await readChargeOwners(db.db, instance.id, creditorId)).toMatchObject([
    { from_day: START, fees: 'CREDITOR', interest: 'CREDITOR', source: 'Agreement, section 4' },
  ])
  const { rows } = await db.owner.query(
    `select kind, actor from audit_event where about = $1 and kind = 'charge_owner_entered'`,
    [`creditor:${creditorId}`],
  )
  expect(rows).toHaveLength(1)
})

test.each<[Partial<WantedOwner>, RegExp]>([
  [{ from: '2026-02-30' }, /no day/],
  [{ from: addDays(START, -1) }, /is past/],
  [{ source: ' ' }, /written/],
])('%o is refused', async (wanted, sentence) => {
  const { creditorId } = await build()
  await expect(enter(creditorId, wanted)).rejects.toThrow(sentence)
  await expect(enter(creditorId, wanted)).rejects.toThrow(OwnerRefused)
  expect(await readChargeOwners(db.db, instance.id, creditorId)).toMatchObject([{ from_day: null }])
})

test('nobody changes what was agreed, or whose a charge is', async () => {
  const { creditorId } = await build()
  await enter(creditorId)
  await expect(db.owner.query(`update charge_owner set fees = 'OPERATOR'`)).rejects.toThrow(/append-only/)
  await expect(db.owner.query(`update ledger_transaction set charge_owner = 'CREDITOR'`)).rejects.toThrow(
    /append-only/,
  )
})
