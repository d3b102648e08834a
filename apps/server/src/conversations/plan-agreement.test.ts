/** What a debtor has agreed to with a plan of its own: what was shown, by whom, when, and nothing that costs. */
import { addDays } from '@kvitt/domain/calendar.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { performDailyRun } from '../collection/collection.ts'
import { insertSettingRow } from '../part-payments/part-payments.ts'
import { newId } from '../platform/identity.ts'
import { openLog } from '../platform/log.ts'
import { buildClaim, buildInstanceAccount } from '../testing/build-claim.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import type { Thread } from './conversations.ts'
import { endLapsedPlans } from './plan-answers.ts'

let server: TestServer
let invoice: BuiltInvoice
let clerk: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
})
beforeEach(async () => {
  server.clock.moveTo(TODAY)
  invoice = await build()
  const at = { instanceId: server.instanceId, creditorId: invoice.creditorId }
  clerk = await signInStaff(server.product.context, { ...at, role: 'clerk' })
})

const build = () => buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 600_000 })
/** What the creditor offers: twelve months, free and without a text to agree to where nothing is said. */
const offer = (change: { monthlyFeeMinor?: number; legalVisible?: boolean; percent?: string } = {}) =>
  insertSettingRow(server.test.db, server.instanceId, {
    id: newId(Date.now()),
    code: 'MONTHS_12',
    variant: 'PART_PAYMENT',
    currency: 'SEK',
    months: 12,
    startFeeMinor: 0,
    monthlyFeeMinor: 0,
    percent: '0',
    interestFreeDays: 0,
    termsDays: 14,
    thresholdPercent: null,
    addToExisting: false,
    legalVisible: false,
    termsVisible: true,
    smallestBalanceMinor: 1,
    creditorId: invoice.creditorId,
    validFrom: '2020-01-01',
    isOffered: true,
    ...change,
  })
const sql = async (text: string, values: readonly unknown[] = []) =>
  (await server.test.owner.query(text, [...values])).rows
const days = (n: number) => addDays(TODAY, n)
const path = (of = invoice) => `/api/public/invoices/${of.reference}/${of.zip}/conversations`
const WISH = { kind: 'PLAN', amount: '1000.00', day: days(30) }
const ask = async (body: object = WISH, of = invoice): Promise<Thread> => {
  const answer = await server.call('POST', path(of), { body, headers: { 'accept-language': 'fi' } })
  expect(answer.status, answer.text).toBe(201)
  return answer.json
}
const decide = (id: string, body: object, by = clerk, door = 'client') =>
  server.call('POST', `/api/${door}/conversations/${id}/decide`, { body, headers: { ...by } })
const give = (conversation: string, answer: string, more: object = {}) =>
  server.call('POST', `${path()}/answer`, {
    body: { conversation, answer, ...more },
    headers: { 'accept-language': 'nb' },
  })
const codeOf = ({ json }: { json: unknown }) => (json as { code?: string }).code
const agreement = async () =>
  (
    await sql(
      `select p.agreement from part_payment_member m join part_payment p on p.id = m.part_payment_id where m.debt_id = $1`,
      [invoice.id],
    )
  )[0]?.agreement

describe('what is agreed to is what the debtor has seen', () => {
  test('an offer that came in between costs nothing', async () => {
    const thread = await ask()
    await offer({ monthlyFeeMinor: 4_900, percent: '20', legalVisible: true })
    const done = await decide(thread.id, { decision: 'ACCEPT' })
    expect(done.status, done.text).toBe(200)
    expect(await agreement()).toMatchObject({ creditCostMinor: 0, totalToPayMinor: 600_000 })
  })

  test.each([
    ['more instalments', { instalments: 5 }],
    ['a higher cost', { totalCostMinor: -1 }],
    ['what nobody wrote down', null],
  ])('%s than were shown are not accepted, and can be proposed', async (_what, shown) => {
    const thread = await ask()
    await sql(
      `update conversation set shown = case when $2::jsonb is null then null else shown || $2 end where id = $1`,
      [thread.id, shown && JSON.stringify(shown)],
    )
    expect(codeOf(await decide(thread.id, { decision: 'ACCEPT' }))).toBe('plan_not_as_shown')
    expect(await agreement()).toBeUndefined()
    const same = await decide(thread.id, { decision: 'COUNTER', amount: '1000.00', day: days(30) })
    expect(same.json, same.text).toMatchObject({ status: 'COUNTERED' })
    expect((await give(thread.id, 'ACCEPT')).status).toBe(200)
    expect(await agreement()).toMatchObject({ language: 'nb' })
  })

  test.each([
    ['costs', { monthlyFeeMinor: 4_900 }],
    ['bears interest', { percent: '12' }],
    ['has a text to agree to', { legalVisible: true }],
  ])('an offer that %s starts no plan by itself', async (_what, change) => {
    await offer(change)
    const shown = await server.call('GET', `${path()}/plan?amount=1000&day=${days(30)}`)
    expect(shown.json).toMatchObject({ atOnce: false, totalCost: 0, totalToPay: 6000 })
    expect(await ask()).toMatchObject({ status: 'OPEN', outcome: null })
  })
})

describe('the evidence is the debtor’s own', () => {
  test('of a proposal that the creditor accepts days later', async () => {
    const shown: { offerVersion: string } = (
      await server.call('GET', `${path()}/plan?amount=1000&day=${days(30)}`)
    ).json
    const { id } = await ask({ ...WISH, offerVersion: shown.offerVersion })
    const asked = new Date().toISOString()
    server.clock.moveTo(days(2))
    expect((await decide(id, { decision: 'ACCEPT' })).status).toBe(200)
    expect(await agreement()).toMatchObject({
      accepted: null,
      offerVersion: shown.offerVersion,
      language: 'fi',
      sessionKind: 'public',
      network: expect.stringMatching(/\S/),
    })
    expect((await agreement()).at < asked).toBe(true)
  })

  test.each(['by rule', 'by the creditor'])('a version that nobody sent is none, %s', async (how) => {
    if (how === 'by rule') await offer()
    const { id, status } = await ask()
    if (status === 'OPEN') await decide(id, { decision: 'ACCEPT' })
    expect(await agreement()).toMatchObject({ accepted: null, offerVersion: null, language: 'fi' })
  })
})

test('what the debtor took back after a person’s other plan is decided: the next waits for a person', async () => {
  await offer()
  const { id } = await ask({ ...WISH, day: days(40) })
  expect((await decide(id, { decision: 'COUNTER', amount: '2000' })).status).toBe(200)
  expect((await give(id, 'WITHDRAW')).status).toBe(200)
  expect(await ask()).toMatchObject({ status: 'OPEN', outcome: null })
})

test('the first instalment is due on the day that was agreed, and the others keep theirs', async () => {
  await offer()
  await ask({ ...WISH, day: days(7) })
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  for (const n of [0, 1]) {
    server.clock.moveTo(days(n))
    await performDailyRun(context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, days(n))
  }
  const rows = await sql(
    `select n.due_date::text as due, n.send_date::text as sent, i.expire_date::text as billed
     from part_payment_member m join part_payment_instalment n on n.part_payment_id = m.part_payment_id
     left join invoice i on i.id = n.invoice_id where m.debt_id = $1 order by n.number limit 2`,
    [invoice.id],
  )
  expect(rows).toEqual([
    { due: days(7), sent: expect.any(String), billed: days(7) },
    { due: '2026-12-27', sent: '2026-12-13', billed: null },
  ])
})

test('a thread that cannot end holds up no other, and an operator is asked until it has', async () => {
  const other = await build()
  const threads = [await ask(), await ask(WISH, other)]
  const stuck = threads[0]?.id ?? ''
  await decide(stuck, { decision: 'COUNTER', amount: '2000' })
  const at = { instanceId: server.instanceId, creditorId: other.creditorId }
  const by = await signInStaff(server.product.context, { ...at, role: 'clerk' })
  await decide(threads[1]?.id ?? '', { decision: 'COUNTER', amount: '2000' }, by)
  const statuses = async () =>
    Promise.all(
      threads.map(
        async ({ id }) => (await sql('select status from conversation where id = $1', [id]))[0]?.status,
      ),
    )
  const asked = async () =>
    (
      await sql(
        `select done_at is not null as done from task where kind = 'work_stuck' and about like '%' || $1`,
        [stuck],
      )
    ).map(({ done }) => done)
  const lapse = () =>
    endLapsedPlans(server.product.context, [{ id: server.instanceId, timeZone: 'Europe/Stockholm' }])
  server.clock.moveTo(days(15))
  await sql(
    `alter table conversation add constraint stuck check (id <> '${stuck}' or status <> 'ENDED') not valid`,
  )
  try {
    await lapse()
  } finally {
    await sql('alter table conversation drop constraint stuck')
  }
  expect(await statuses()).toEqual(['COUNTERED', 'ENDED'])
  expect(await asked()).toEqual([false])
  await lapse()
  expect(await statuses()).toEqual(['ENDED', 'ENDED'])
  expect(await asked()).toEqual([true])
})

test('more time granted while a plan is proposed: it goes on resting for the plan', async () => {
  const wish = { kind: 'MORE_TIME', day: days(60) }
  const before = await ask(wish)
  expect((await decide(before.id, { decision: 'DECLINE', answer: 'Nej.' })).status).toBe(200)
  // The second does not rest it.
  const time = await ask(wish)
  expect(await ask()).toMatchObject({ status: 'OPEN', rests: true })
  const reason = async () =>
    (await sql('select status, pause_reason as reason from invoice where id = $1', [invoice.id]))[0]
  expect((await decide(time.id, { decision: 'GRANT' })).status).toBe(200)
  expect(await reason()).toEqual({ status: 'PAUSED', reason: 'PLAN' })
})

test('an operator’s handler keeps to the creditor’s bounds, its manager does not', async () => {
  const claim = await buildClaim(server.test, server.instanceId, server.clock)
  const creditorId = claim.invoices[0]?.creditorId ?? ''
  await sql(
    'insert into creditor_bounds (instance_id, creditor_id, most_days, plan_months) values ($1, $2, 14, 3)',
    [server.instanceId, creditorId],
  )
  const to = `/api/public/collection-batches/${claim.reference}/${claim.zip}/conversations`
  const { plan }: { plan: { least: number } } = (await server.call('GET', `${to}/terms`)).json
  const made = await server.call('POST', to, { body: { ...WISH, amount: plan.least } })
  const { id }: Thread = made.json
  const operator = (role: 'handler' | 'manager') =>
    signInStaff(server.product.context, { instanceId: server.instanceId, creditorId: null, role })
  const handler = await operator('handler')
  const counter = { decision: 'COUNTER', amount: String(plan.least + 1) }
  for (const body of [{ decision: 'ACCEPT' }, counter])
    expect([body, codeOf(await decide(id, body, handler, 'admin'))]).toEqual([body, 'plan_beyond_bounds'])
  const done = await decide(id, { decision: 'ACCEPT' }, await operator('manager'), 'admin')
  expect(done.status, done.text).toBe(200)
})
