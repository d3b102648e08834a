/** What staff decide about the invoices of a plan. */
import { beforeAll, expect, test } from 'vitest'
import { addDays, addMonths, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { lockInvoiceRow } from '../../invoices/invoices.ts'
import { completePlanOf } from '../../part-payments/part-payments.ts'
import type { Database } from '../../platform/database/database.ts'
import { openLog } from '../../platform/log.ts'
import { buildInvoice, buildPlanSettings, TODAY, type BuiltInvoice } from '../../testing/build.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'
import { rejectDispute, upholdDispute } from '../collection.ts'
import { performDailyRun } from '../daily-run.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await buildPlanSettings(server.test, server.instanceId)
})

type Door = Pick<BuiltInvoice, 'id' | 'reference' | 'zip'>
const DUE = addMonths(TODAY, 1)
const context = () => ({ db: server.test.db, clock: server.clock, log: openLog('silent') })
const keyOf = ({ id }: Door) => ({ instanceId: server.instanceId, invoiceId: id })
const call = (method: string, { reference, zip }: Door, path = '', body?: unknown) =>
  server.call(method, `/api/public/invoices/${reference}/${zip}${path}`, { body })
const dispute = (door: Door) =>
  call('POST', door, '/dispute', { debtorEmail: 'alva@example.com', reason: 'Fel antal.' })

async function night(day: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  await performDailyRun(context(), { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

/** An invoice over 6 000.00 in a plan, and its first instalment, billed. */
async function billed(type: string): Promise<{ mother: BuiltInvoice; instalment: Door }> {
  server.clock.moveTo(TODAY)
  const mother = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 600_000 })
  expect((await call('PUT', mother, '/part-payment/start', { type, agreementAccepted: true })).status).toBe(
    200,
  )
  await night(addDays(DUE, -14))
  const { rows } = await server.test.owner.query<Door>(
    `select i.id, i.payment_reference as reference, i.zip from invoice i
     join part_payment_instalment n on n.invoice_id = i.id
     join part_payment_member m on m.part_payment_id = n.part_payment_id where m.invoice_id = $1`,
    [mother.id],
  )
  return { mother, instalment: rows[0] as Door }
}

const stepsOf = async ({ id }: Door): Promise<string[]> =>
  (
    await server.test.owner.query<{ step: string }>(
      `select type || ' ' || status as step from collection_step where invoice_id = $1
       order by coalesce(performed_date, planned_date), type`,
      [id],
    )
  ).rows.map(({ step }) => step)

test('a rejected dispute of an instalment starts no schedule beside that of its plan', async () => {
  const { mother, instalment } = await billed('PLAN_6')
  expect((await dispute(instalment)).status).toBe(201)
  const answer = { on: addDays(DUE, -10), answer: 'Beloppet stämmer.' }
  expect(await rejectDispute(context(), keyOf(instalment), answer)).toBe(true)
  for (const after of [1, 2, 7, 20, 22, 31, 37]) await night(addDays(DUE, after))
  expect(await stepsOf(instalment)).toEqual([
    'INVOICE PERFORMED',
    'EXPIRED PERFORMED',
    'PART_PAYMENT_NOTIFICATION PERFORMED',
  ])
  // The plan has ended as every other: the instalment is part of the balance again, and no fee came of it.
  const { rows } = await server.test.owner.query(
    'select id, status, costs_minor::int as costs, claim_id from invoice where id = any($1) order by created_at',
    [[mother.id, instalment.id]],
  )
  expect(rows).toEqual([
    { id: mother.id, status: 'ACTIVATED', costs: 15_300, claim_id: null },
    { id: instalment.id, status: 'STOPPED', costs: 0, claim_id: null },
  ])
})

/** What the debtor owes in all, less what they have paid too much. */
async function netOf({ debtorId }: BuiltInvoice): Promise<{ owed: number; credit: number }> {
  const { rows } = await server.test.owner.query<{ owed: number; credit: number }>(
    `select (select sum(balance_minor) from invoice where debtor_id = $1)::int as owed,
       coalesce((select -sum(balance_minor) from ledger_account where debtor_id = $1 and kind = 'credit'), 0)::int as credit`,
    [debtorId],
  )
  return rows[0] as { owed: number; credit: number }
}

test('an invoice of a plan that should never have been sent: nothing is owed, on no instalment either', async () => {
  const { mother, instalment } = await billed('PLAN_6')
  expect((await dispute(mother)).status).toBe(201)
  const upheld = { on: addDays(DUE, -10), decision: 'Ni hade rätt.', creditMinor: 'all' as const }
  expect(await upholdDispute(context(), keyOf(mother), upheld)).toBe(true)
  expect(await netOf(mother)).toEqual({ owed: 0, credit: 0 })
  expect(await stepsOf(instalment)).toEqual(['INVOICE PERFORMED'])
})

test('an instalment that is credited whole gives its interest back once', async () => {
  const { mother, instalment } = await billed('PLAN_12')
  const before = await netOf(mother)
  const { rows } = await server.test.owner.query<{ minor: number }>(
    'select balance_minor::int as minor from invoice where id = $1 and interest_minor > 0',
    [instalment.id],
  )
  expect((await dispute(instalment)).status).toBe(201)
  const upheld = { on: addDays(DUE, -10), decision: 'Ni hade rätt.', creditMinor: 'all' as const }
  expect(await upholdDispute(context(), keyOf(instalment), upheld)).toBe(true)
  expect(await netOf(mother)).toEqual({ owed: before.owed - (rows[0]?.minor ?? 0), credit: 0 })
})

test('an instalment is paid while its invoice is credited: nobody stands against anybody', async () => {
  const { mother, instalment } = await billed('PLAN_6')
  expect((await dispute(mother)).status).toBe(201)
  const { db, owner } = server.test
  const waits = (count: number) =>
    expect
      .poll(
        async () =>
          (
            await owner.query(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            )
          ).rowCount,
      )
      .toBe(count)
  // Somebody holds the plan: the payment waits for it with the instalment locked.
  const holder = await owner.connect()
  await holder.query('begin')
  await holder.query(
    'select from part_payment where id = (select part_payment_id from part_payment_member where invoice_id = $1) for update',
    [mother.id],
  )
  const tries: string[] = []
  const counting = (name: string): Database => ({
    ...db,
    transaction: (work) =>
      db.transaction((tx) => {
        tries.push(name)
        return work(tx)
      }),
  })
  const paid = counting('payment').transaction(async (tx) =>
    completePlanOf(tx, await lockInvoiceRow(tx, server.instanceId, instalment.id), TODAY),
  )
  await waits(1)
  const upheld = { on: addDays(DUE, -10), decision: 'Ni hade rätt.', creditMinor: 'all' as const }
  const credited = upholdDispute({ ...context(), db: counting('credit') }, keyOf(mother), upheld)
  await waits(2)
  await holder.query('commit')
  holder.release()
  await paid
  expect(await credited).toBe(true)
  // A deadlock would have been answered by another try.
  expect(tries).toEqual(['payment', 'credit'])
})

test('interest that went back with the plan does not go back again with a dispute', async () => {
  server.clock.moveTo(TODAY)
  const mother = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 600_000 })
  const choice = { type: 'PLAN_12', agreementAccepted: true }
  expect((await call('PUT', mother, '/part-payment/start', choice)).status).toBe(200)
  server.clock.moveTo(addDays(TODAY, 10))
  expect((await call('POST', mother, '/part-payment/repay')).status).toBe(200)
  const { rows } = await server.test.owner.query<Door & { interest: number }>(
    `select id, payment_reference as reference, zip, interest_minor::int as interest from invoice
     where debtor_id = $1 and id <> $2`,
    [mother.debtorId, mother.id],
  )
  const last = rows[0] as Door & { interest: number }
  expect(last.interest).toBe(3_271)
  expect((await dispute(last)).status).toBe(201)
  expect((await call('POST', mother, '/part-payment/withdraw')).status).toBe(200)
  const upheld = { on: addDays(TODAY, 11), decision: 'Hundra kronor för mycket.', creditMinor: 10_000 }
  expect(await upholdDispute(context(), keyOf(last), upheld)).toBe(true)
  // 6 000.00 less 100.00, and the interest of ten days, once.
  expect(await netOf(mother)).toEqual({ owed: 590_000 + 3_271, credit: 0 })
})
