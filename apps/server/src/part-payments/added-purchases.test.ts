/** A purchase that is added to an account is a credit of its own: agreed on, and withdrawn from, by itself. */
import { beforeAll, expect, test } from 'vitest'
import { addDays, addMonths, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { performDailyRun } from '../collection/collection.ts'
import { openLog } from '../platform/log.ts'
import { buildInvoice, buildPlanSettings, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await buildPlanSettings(server.test, server.instanceId)
})

const call = (method: string, invoice: BuiltInvoice, path: string, body?: unknown) =>
  server.call(
    method,
    `/api/public/invoices/${invoice.reference}/${invoice.zip}/part-payment${path}?invoiceNumber=${invoice.number}`,
    { body },
  )

const ADD = { type: 'ACCOUNT', addToExisting: true, agreementAccepted: true }

async function nights(...days: readonly CalendarDate[]): Promise<void> {
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  for (const day of days) {
    server.clock.moveTo(day)
    await performDailyRun(context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
  }
}

const build = (wishes: Parameters<typeof buildInvoice>[3]) =>
  buildInvoice(server.test, server.instanceId, server.clock, wishes)

const DUE = addMonths(TODAY, 1)
const ADDED = addDays(DUE, 1)

/** An account over 5 000.00 whose first month has been billed, and 1 000.00 that were added when that was due. */
async function buildAccount(debtorKind: 'PERSON' | 'COMPANY' = 'PERSON') {
  server.clock.moveTo(TODAY)
  const first = await build({ totalMinor: 500_000, debtorKind })
  const account: PlanAnswer = (
    await call('PUT', first, '/start', { type: 'ACCOUNT', agreementAccepted: true })
  ).json
  await nights(addDays(DUE, -14))
  server.clock.moveTo(ADDED)
  const second = await build({ beside: first, totalMinor: 100_000, number: `${first.number}9` })
  const started = await call('PUT', second, '/start', ADD)
  expect(started.status, started.text).toBe(200)
  return { first, second, account, added: started.json as PlanAnswer }
}

const agreementOf = async ({ id }: BuiltInvoice) =>
  (
    await server.test.owner.query(
      `select agreement->'setting'->>'code' as code, agreement->>'accepted' as accepted, agreement->>'sessionKind' as session,
         agreement->>'textVersion' is not null as has_text, withdraw_until::text as until
       from part_payment_member where invoice_id = $1`,
      [id],
    )
  ).rows[0]

const stateOf = async ({ id }: BuiltInvoice) =>
  (
    await server.test.owner.query(
      `select status, principal_minor::int as principal, interest_minor::int as interest, costs_minor::int as costs,
         is_part_payment as plan, expire_date::text as due from invoice where id = $1`,
      [id],
    )
  ).rows[0]

test('it has an agreement of its own, and fourteen days of its own', async () => {
  const { first, second, account, added } = await buildAccount()
  expect(added).toMatchObject({
    id: account.id,
    withdrawUntil: addDays(ADDED, 14),
    canWithdraw: true,
    creditAmount: 6000,
  })
  expect(await agreementOf(second)).toEqual({
    code: 'ACCOUNT',
    accepted: 'true',
    session: 'public',
    has_text: true,
    until: addDays(ADDED, 14),
  })
  // What the account began with has had its time.
  const before = await call('GET', first, '')
  expect(before.json).toMatchObject({ withdrawUntil: addDays(TODAY, 14), canWithdraw: false })
  expect((await call('POST', first, '/withdraw')).json).toMatchObject({ code: 'withdrawal_too_late' })
})

test('the same call again finds it done; another choice under its key does not', async () => {
  const { second, account } = await buildAccount()
  expect((await call('PUT', second, '/start', ADD)).json).toMatchObject({
    id: account.id,
    creditAmount: 6000,
  })
  const other = await call('PUT', second, '/start', { ...ADD, agreementAccepted: false })
  expect(other.json).toMatchObject({ code: 'agreement_required' })
  const stale = await call('PUT', second, '/start', { ...ADD, offerVersion: 'of-another-day' })
  expect(stale.json).toMatchObject({ code: 'plan_changed' })
})

test('withdrawn, it is due in thirty days with its interest, and the account goes on', async () => {
  const { first, second, account } = await buildAccount()
  const begun = async () =>
    (
      await server.test.owner.query(
        `select day::text, sum(n)::int as n from figure_now where figure = 'PLANNED' and creditor_id = $1 group by day`,
        [first.creditorId],
      )
    ).rows
  expect(await begun()).toEqual([{ day: TODAY, n: 1 }])
  const on = addDays(ADDED, 10)
  server.clock.moveTo(on)
  const answers = await Promise.all([1, 2].map(() => call('POST', second, '/withdraw')))
  for (const { status, text } of answers) expect(status, text).toBe(200)
  expect((await call('GET', second, '')).json).toMatchObject({ status: 'WITHDRAWN', canWithdraw: false })
  // It was never a plan of its own that somebody had begun.
  expect(await begun()).toEqual([{ day: TODAY, n: 1 }])
  // 1 000.00 x 19.90 % x 10 / 365, and no fee.
  expect(await stateOf(second)).toEqual({
    status: 'ACTIVATED',
    principal: 100_000,
    interest: 545,
    costs: 0,
    plan: false,
    due: addDays(on, 30),
  })
  const rest = (await call('GET', first, '')).json as PlanAnswer
  // 4 499.92 was left of the first when the first month had been billed.
  expect(rest).toMatchObject({ id: account.id, status: 'ACTIVE', creditAmount: 5000, notInvoiced: 4499.92 })
  await nights(addDays(addMonths(ADDED, 1), -14))
  expect((await call('GET', first, '')).json).toMatchObject({ status: 'ACTIVE' })
  expect(await stateOf(second)).toMatchObject({ plan: false, principal: 100_000, interest: 545 })
  const { rows } = await server.test.owner.query(
    `select count(*)::int as n from part_payment_instalment where part_payment_id = $1 and invoice_id is not null`,
    [account.id],
  )
  expect(rows).toEqual([{ n: 2 }])
})

test('after fourteen days it is too late, and a company has no such right', async () => {
  const { second } = await buildAccount()
  server.clock.moveTo(addDays(ADDED, 15))
  expect((await call('POST', second, '/withdraw')).json).toMatchObject({ code: 'withdrawal_too_late' })
  const company = await buildAccount('COMPANY')
  expect(company.added).toMatchObject({ withdrawUntil: null, canWithdraw: false })
  expect((await call('POST', company.second, '/withdraw')).json).toMatchObject({ code: 'plan_not_available' })
})
