import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { CourtDecision } from '@kvitt/domain/court/court.ts'
import {
  pauseClaim,
  rejectClaimDispute,
  resumeClaim,
  performDailyRun,
  stopClaim,
} from '../collection/collection.ts'
import { readConfig } from '../../config/config.ts'
import { openLog } from '../platform/log.ts'
import { buildClaim, type BuiltClaim } from '../testing/build-claim.ts'
import { buildInstance, testClock, TODAY } from '../testing/build.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import {
  applyToCourt,
  endInstruction,
  findClaim,
  keepInstruction,
  recordApplication,
  recordDecision,
  recordNoApplication,
} from './court.ts'

let db: TestDatabase
let instance: { id: string; timeZone: string }
const clock = testClock()
const by = { actor: 'berit', reason: 'asked by phone' }
const context = () => ({ db: db.db, clock, log: openLog('silent'), config: readConfig({}) })

beforeAll(async () => {
  db = await testDatabase()
  instance = { id: (await buildInstance(db)).id, timeZone: 'Europe/Stockholm' }
})

const sql = async (text: string, ...values: unknown[]) => (await db.owner.query(text, values)).rows
const keyOf = (claim: BuiltClaim) => ({ instanceId: instance.id, claimId: claim.id })
const build = async (daysAgo = 40, invoices = [{ totalMinor: 100_000 }] as object[]) => {
  clock.moveTo(TODAY)
  const claim = await buildClaim(db, instance.id, clock, { daysAgo, invoices })
  await sql(
    `update mail_outbox set status = 'SENT', sent_at = now(), recipient = 'x' where status = 'WAITING'`,
  )
  return claim
}
const night = async (day: CalendarDate = TODAY) => {
  clock.moveTo(day)
  await performDailyRun(context(), instance, day)
}
const owed = async ({ id }: BuiltClaim) =>
  (
    await sql(
      `select status, principal_minor::int as principal, costs_minor::int as costs from claim where id = $1`,
      id,
    )
  )[0]
const openTasks = async ({ id }: BuiltClaim) =>
  (
    await sql(
      `select kind from task where about = 'claim:' || $1::text and done_at is null
         and kind in ('schedule_ended', 'court_to_file') order by kind`,
      id,
    )
  ).map(({ kind }) => kind)
const steps = async ({ id }: BuiltClaim) =>
  (
    await sql(
      `select type, status from collection_step where claim_id = $1 and status not in ('SKIPPED', 'CANCELLED')
       order by coalesce(performed_date, planned_date), type`,
      id,
    )
  ).map(({ type, status }) => `${type} ${status}`)

let serial = 0
const apply = (
  claim: BuiltClaim,
  over: { on?: CalendarDate; caseNumber?: string; authority?: string } = {},
) => {
  const application = { on: TODAY, authority: 'Kronofogden', caseNumber: `01-${serial}-26`, ...over }
  return recordApplication(context(), keyOf(claim), {
    application,
    today: clock.today(instance.timeZone),
    by,
  })
}
const decide = (claim: BuiltClaim, kind: CourtDecision, on: CalendarDate = TODAY) =>
  recordDecision(context(), keyOf(claim), {
    decided: { kind, on, caseNumber: `01-${serial}-26` },
    today: clock.today(instance.timeZone),
    by,
  })
const applied = async () => {
  serial += 1
  const claim = await build()
  await apply(claim)
  return claim
}

test('the schedule ends with a question; asked for, filed and recorded, the claim costs what that costs', async () => {
  serial += 1
  const claim = await build()
  const before = await owed(claim)
  await night()
  expect(await openTasks(claim)).toEqual(['schedule_ended'])
  await applyToCourt(context(), keyOf(claim), { today: TODAY, by })
  await applyToCourt(context(), keyOf(claim), { today: TODAY, by })
  expect(await openTasks(claim)).toEqual(['court_to_file'])
  expect(await owed(claim)).toEqual(before)
  await apply(claim, { on: addDays(TODAY, -1) })
  expect(await openTasks(claim)).toEqual([])
  // 300 for the application and 380 for the representative.
  expect(await owed(claim)).toEqual({ ...before, costs: before.costs + 68_000 })
  const [event] = await sql(
    `select s.performed_date::text as on, t.booked_on::text as booked from collection_step s
     join ledger_transaction t on t.cause = 'step:' || s.id
     where s.claim_id = $1 and s.type = 'BAILIFF_PAYMENT_INJUCTION'`,
    claim.id,
  )
  expect(event).toEqual({ on: addDays(TODAY, -1), booked: TODAY })
  const [kept] = await sql('select recorded_by, reason from court_application where claim_id = $1', claim.id)
  expect(kept).toEqual({ recorded_by: by.actor, reason: by.reason })
  const audit = await sql(
    `select kind, actor from audit_event where about = 'claim:' || $1::text order by seq`,
    claim.id,
  )
  expect(audit).toEqual([
    { kind: 'court_asked_for', actor: 'person:berit' },
    { kind: 'court_application_recorded', actor: 'person:berit' },
  ])
  // Nothing more comes of it by schedule.
  await night(addDays(TODAY, 200))
  expect((await owed(claim)).costs).toBe(before.costs + 68_000)
  expect(await steps(claim)).toEqual(['COLLECTION_CLAIM PERFORMED', 'BAILIFF_PAYMENT_INJUCTION PERFORMED'])
})

test('no application before the demand has left, whatever day it gives', async () => {
  serial += 1
  const claim = await build()
  await sql(`update mail_outbox set status = 'WAITING', sent_at = null where claim_id = $1`, claim.id)
  await expect(apply(claim)).rejects.toMatchObject({ code: 'too_early' })
  await sql(`update mail_outbox set status = 'SENT', sent_at = now() where claim_id = $1`, claim.id)
  await apply(claim)
})

test('one case number is charged once, however it is typed and by however many at once', async () => {
  serial += 1
  const claim = await build()
  const { costs } = await owed(claim)
  const typed = ['01-77-26', ' 01-77-26', '01 - 77 - 26', '01-77-26']
  const rows = await Promise.all(
    typed.map((caseNumber) => apply(claim, { caseNumber, authority: 'kronofogden ' })),
  )
  expect(new Set(rows.map(({ id }) => id)).size).toBe(1)
  expect((await owed(claim)).costs).toBe(costs + 68_000)
  await expect(apply(claim, { caseNumber: '01-77-26', on: addDays(TODAY, -1) })).rejects.toMatchObject({
    code: 'recorded_otherwise',
  })
  await expect(apply(claim, { caseNumber: '01-78-26' })).rejects.toMatchObject({ code: 'application_stands' })
  const other = await build()
  await expect(apply(other, { caseNumber: '01-77-26' })).rejects.toMatchObject({
    code: 'case_of_another_claim',
  })
  expect((await owed(claim)).costs).toBe(costs + 68_000)
})

test('no application within the time of the demand, in the future, or while something stands against it', async () => {
  serial += 1
  const young = await build(10)
  await expect(apply(young)).rejects.toMatchObject({ code: 'too_early' })
  const claim = await build()
  await expect(apply(claim, { on: addDays(TODAY, 1) })).rejects.toMatchObject({ code: 'in_the_future' })
  await expect(apply(claim, { caseNumber: '  ' })).rejects.toMatchObject({ code: 'no_case_number' })
  await pauseClaim(context(), keyOf(claim), { on: TODAY, reason: 'respite', resumeDate: null })
  await expect(apply(claim)).rejects.toMatchObject({ code: 'paused' })
  await stopClaim(context(), keyOf(claim), { on: TODAY, reason: 'withdrawn' })
  await expect(apply(claim)).rejects.toMatchObject({ code: 'not_open' })
  await expect(applyToCourt(context(), keyOf(claim), { today: TODAY, by })).rejects.toMatchObject({
    code: 'not_open',
  })
  expect((await owed(claim)).costs).toBe(24_000)
  await expect(findClaim(db.db, instance.id, '000')).rejects.toMatchObject({ code: 'no_such_claim' })
  expect(await findClaim(db.db, instance.id, claim.number)).toBe(claim.id)
})

test('M-34: filed before the flag was set is recorded, whatever day the flag counts from; filed since is not', async () => {
  serial += 1
  const [before, since] = [await build(), await build()]
  for (const { id } of [before, since])
    await sql(
      `insert into debtor_flag (instance_id, id, debtor_id, kind, from_day, source, set_by, set_on)
       select instance_id, gen_random_uuid(), debtor_id, 'DECEASED', '2026-01-01', 'x', 'person:x', '${TODAY}' from claim where id = $1
       on conflict do nothing`,
      id,
    )
  await expect(apply(since)).rejects.toMatchObject({ code: 'rests' })
  expect(await apply(before, { on: addDays(TODAY, -1) })).toMatchObject({ status: 'FILED' })
})

describe('the question', () => {
  test('rests with a pause, and is put again when the claim goes on', async () => {
    const claim = await build()
    await night()
    await pauseClaim(context(), keyOf(claim), { on: TODAY, reason: 'respite', resumeDate: null })
    expect(await openTasks(claim)).toEqual([])
    await resumeClaim(context(), keyOf(claim), addDays(TODAY, 3))
    await night(addDays(TODAY, 4))
    expect(await openTasks(claim)).toEqual([])
    await night(addDays(TODAY, 14))
    expect(await openTasks(claim)).toEqual(['schedule_ended'])
    await stopClaim(context(), keyOf(claim), { on: addDays(TODAY, 10), reason: 'withdrawn' })
    expect(await openTasks(claim)).toEqual([])
  })

  test('goes straight to whoever files, when the creditor has said so for that time and amount', async () => {
    // The nights of the youngest come before the others' ends.
    const late = await build(10)
    const [small, large] = [await build(), await build(40, [{ totalMinor: 9_000_000 }])]
    const creditors = await sql('select distinct creditor_id as id from claim where id = any($1)', [
      small.id,
      large.id,
      late.id,
    ])
    const wanted = {
      from: addDays(TODAY, -1),
      to: addDays(TODAY, 5),
      person: 'Bo Ek',
      currency: 'SEK',
    } as const
    for (const { id } of creditors)
      await keepInstruction(context(), instance.id, { creditor: id, ...wanted, largestMinor: 2_000_000 }, by)
    const before = await owed(small)
    await night()
    await night(addDays(TODAY, 20))
    expect(await openTasks(small)).toEqual(['court_to_file'])
    expect(await openTasks(large)).toEqual(['schedule_ended'])
    expect(await openTasks(late)).toEqual(['schedule_ended'])
    expect(await owed(small)).toEqual(before)
    for (const { id } of creditors)
      expect(await endInstruction(context(), instance.id, { creditor: id, currency: 'SEK' }, by)).toBe(true)
    expect(
      await endInstruction(context(), instance.id, { creditor: creditors[0]?.id, currency: 'SEK' }, by),
    ).toBe(false)
  })
})

describe('what was decided', () => {
  test('an objection there is a dispute here; the order ends it', async () => {
    const claim = await applied()
    await decide(claim, 'OBJECTION')
    await decide(claim, 'OBJECTION')
    expect(await owed(claim)).toMatchObject({ status: 'DISPUTED', costs: 24_000 + 68_000 })
    await decide(claim, 'ORDER')
    expect(await owed(claim)).toMatchObject({ status: 'RESUME', costs: 24_000 + 68_000 })
    const disputes = await sql('select status, reason from dispute where claim_id = $1', claim.id)
    expect(disputes).toEqual([{ status: 'REJECTED', reason: `Kronofogden 01-${serial}-26` }])
    await night(addDays(TODAY, 60))
    expect(await openTasks(claim)).toEqual([])
  })

  test('nothing to take: the claim is watched from the day after, without cost', async () => {
    const claim = await applied()
    await decide(claim, 'ORDER')
    clock.moveTo(addDays(TODAY, 30))
    await decide(claim, 'NO_ASSETS', addDays(TODAY, 30))
    await night(addDays(TODAY, 31))
    expect(await steps(claim)).toEqual([
      'COLLECTION_CLAIM PERFORMED',
      'BAILIFF_PAYMENT_INJUCTION PERFORMED',
      'MONITORING_DECISION PERFORMED',
      'MONITORING PERFORMED',
      'WATCH PLANNED',
    ])
    expect((await owed(claim)).costs).toBe(24_000 + 68_000)
  })

  test.each(['REJECTED', 'WITHDRAWN'] as const)(
    '%s: its cost is not owed, and a person is asked again',
    async (kind) => {
      const claim = await applied()
      await decide(claim, kind)
      await decide(claim, kind)
      expect(await owed(claim)).toEqual({ status: 'OPEN', principal: 100_000, costs: 24_000 })
      expect(await steps(claim)).toEqual(['COLLECTION_CLAIM PERFORMED', 'SCHEDULE_END PLANNED'])
      await night()
      expect(await openTasks(claim)).toEqual(['schedule_ended'])
      // Another application costs as much as the first did.
      serial += 1
      await apply(claim)
      expect((await owed(claim)).costs).toBe(24_000 + 68_000)
    },
  )

  test('is refused of a case that is not the claim’s, twice otherwise, and after the end', async () => {
    const claim = await applied()
    await decide(claim, 'WITHDRAWN')
    await expect(decide(claim, 'WITHDRAWN', addDays(TODAY, 1))).rejects.toMatchObject({
      code: 'recorded_otherwise',
    })
    await expect(decide(claim, 'ORDER')).rejects.toMatchObject({ code: 'not_after_that' })
    serial += 1
    await expect(decide(claim, 'ORDER')).rejects.toMatchObject({ code: 'no_such_case' })
    const other = await applied()
    await expect(decide(other, 'ORDER', addDays(TODAY, -1))).rejects.toMatchObject({ code: 'not_after_that' })
    await expect(decide(other, 'ORDER', addDays(TODAY, 1))).rejects.toMatchObject({ code: 'in_the_future' })
  })
})

test('a country whose court fee is not known: the application is recorded without cost, and somebody is asked', async () => {
  serial += 1
  const claim = await build(40, [{ totalMinor: 100_000, currency: 'DKK' }])
  await sql(
    `update creditor set country = 'DK' where id = (select creditor_id from claim where id = $1)`,
    claim.id,
  )
  const before = await owed(claim)
  await apply(claim, { authority: 'Fogedretten' })
  expect(await owed(claim)).toEqual(before)
  expect(await steps(claim)).toContain('BAILIFF_PAYMENT_INJUCTION PERFORMED')
  const tasks = await sql(
    `select about from task where kind = 'rate_unknown' and about like 'DK consumer BAILIFF%'`,
  )
  expect(tasks).toEqual([{ about: 'DK consumer BAILIFF_PAYMENT_INJUCTION 2026 H2' }])
})

describe('what was charged by schedule before applications were recorded', () => {
  /** As the engine of before left it: the court step performed with its fee, and nobody had applied. */
  async function charged() {
    const claim = await applied()
    await sql('delete from court_application where claim_id = $1', claim.id)
    const owner = await db.owner.connect()
    await owner.query(`set session_replication_role = replica`)
    await owner.query(
      `update ledger_transaction set posted_at = '2026-01-01' where claim_id = $1 and kind = 'COURT_FEE'`,
      [claim.id],
    )
    await owner.query('reset session_replication_role')
    owner.release()
    return claim
  }

  test('is the application that is recorded then, and not charged again', async () => {
    const claim = await charged()
    await apply(claim, { on: addDays(TODAY, -3) })
    expect((await owed(claim)).costs).toBe(24_000 + 68_000)
    await expect(recordNoApplication(context(), keyOf(claim), { today: TODAY, by })).rejects.toMatchObject({
      code: 'nothing_charged',
    })
  })

  test('is taken back when nobody had applied', async () => {
    const claim = await charged()
    await recordNoApplication(context(), keyOf(claim), { today: TODAY, by })
    expect((await owed(claim)).costs).toBe(24_000)
    expect(await steps(claim)).toEqual(['COLLECTION_CLAIM PERFORMED', 'SCHEDULE_END PLANNED'])
  })
})

test('a dispute that the creditor rejects: the question is put ten days later', async () => {
  const claim = await build()
  await night()
  await applied()
  serial += 1
  await apply(claim)
  await decide(claim, 'OBJECTION')
  await decide(claim, 'WITHDRAWN')
  expect(await owed(claim)).toMatchObject({ status: 'DISPUTED', costs: 24_000 })
  await rejectClaimDispute(context(), keyOf(claim), { on: date(TODAY), answer: 'Mätaren är rätt.' })
  await night(addDays(TODAY, 9))
  expect(await openTasks(claim)).toEqual([])
  await night(addDays(TODAY, 14))
  expect(await openTasks(claim)).toEqual(['schedule_ended'])
})
