import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildInstance, buildInvoice, testClock, TODAY } from '../testing/build.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import { agreeReminderFee, AgreementRefused, readFeeAgreements, type FeeAgreement } from './creditors.ts'

let db: TestDatabase
let instanceId: string
const clock = testClock()

beforeAll(async () => {
  db = await testDatabase()
  instanceId = (await buildInstance(db)).id
})

const build = async (): Promise<string> => (await buildInvoice(db, instanceId, clock)).creditorId
const enter = (creditor: string, wish: Partial<FeeAgreement>) =>
  agreeReminderFee(
    { db: db.db, clock },
    { instanceId, timeZone: 'Europe/Stockholm' },
    { creditor, agreed: { on: '2024-01-31', source: 'General terms, 7' }, by: 'Eva Berg', ...wish },
  )
const changesOf = async (creditor: string) =>
  (
    await db.owner.query(
      `select agreed_on::text as on, agreed_on_before::text as before, entered_by as by from reminder_fee_change
       where creditor_id = $1 order by id`,
      [creditor],
    )
  ).rows

test('is entered once, with who did it and what was before, and taken away', async () => {
  const creditor = await build()
  for (let n = 0; n < 2; n++)
    expect(await enter(creditor, {})).toMatchObject({ agreed_on: '2024-01-31', source: 'General terms, 7' })
  expect(await enter(creditor, { agreed: null })).toMatchObject({ agreed_on: null, source: null })
  expect(await changesOf(creditor)).toEqual([
    { on: '2024-01-31', before: '2000-01-01', by: 'Eva Berg' },
    { on: null, before: '2024-01-31', by: 'Eva Berg' },
  ])
  expect(await readFeeAgreements(db.db, instanceId)).toContainEqual(
    expect.objectContaining({ id: creditor, agreed_on: null }),
  )
})

test.each<[Partial<FeeAgreement>, RegExp]>([
  [{ agreed: { on: '2024-02-30', source: 'x' } }, /no day/],
  [{ agreed: { on: addDays(TODAY, 1), source: 'x' } }, /still to come/],
  [{ agreed: { on: TODAY, source: ' ' } }, /where/],
  [{ by: ' ' }, /who/],
])('%o is refused', async (wish, sentence) => {
  const creditor = await build()
  await expect(enter(creditor, wish)).rejects.toThrow(sentence)
  await expect(enter(creditor, wish)).rejects.toThrow(AgreementRefused)
  expect(await changesOf(creditor)).toEqual([])
})

test('a name that nobody has, or several have, is refused', async () => {
  await build()
  await build()
  await expect(enter('Nobody', {})).rejects.toThrow(/no creditor/)
  await expect(enter('Fjällström Demo Energi AB', {})).rejects.toThrow(/Several/)
})
