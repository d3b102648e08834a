/** What a creditor's staff does with a claim. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { buildClaim, type BuiltClaim } from '../testing/build-claim.ts'
import { TODAY } from '../testing/build.ts'
import { holdKey, signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let claim: BuiltClaim
let clerk: SignedIn
let manager: SignedIn

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  claim = await buildClaim(server.test, server.instanceId, server.clock, {
    daysAgo: 40,
    invoices: [{ totalMinor: 100_000 }],
  })
  const at = { instanceId: server.instanceId, creditorId: claim.invoices[0]?.creditorId ?? '' }
  clerk = await signInStaff(server.product.context, { ...at, role: 'clerk' })
  manager = await signInStaff(server.product.context, { ...at, role: 'manager' })
})

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const days = (n: number) => addDays(TODAY, n)

type Sent = { readonly by?: SignedIn; readonly key?: string }
const act = (name: string, body: object = {}, { by = manager, key }: Sent = {}): Promise<Answer> =>
  server.call('POST', `/api/client/collection-batches/${claim.id}/${name}`, {
    body,
    headers: { authorization: by.authorization, ...(key ? { 'idempotency-key': key } : {}) },
  })
/** Status and fees, or the code of a refusal. */
function told({ status, json, text }: Answer): unknown[] {
  if (status >= 400) return [status, (json as { code: string }).code]
  expect(status, text).toBe(200)
  const answer = json as { status: string; balances: { total: number; costs: number } }
  return [answer.status, answer.balances.costs]
}
const deeds = async () =>
  (await sql(`select kind from audit_event where about = 'claim:' || $1 order by seq`, [claim.id])).map(
    ({ kind }) => kind,
  )
const openTasks = async () =>
  (
    await sql(
      `select kind from task where about = 'claim:' || $1 and done_at is null and kind in ('schedule_ended', 'court_to_file')`,
      [claim.id],
    )
  ).map(({ kind }) => kind)

test('a pause, within what a clerk may, and its end', async () => {
  const reason = 'Skuldrådgivning'
  expect(told(await act('pause', { until: days(91), reason }, { by: clerk }))).toEqual([
    400,
    'day_out_of_reach',
  ])
  const paused = await act('pause', { until: days(30), reason }, { by: clerk })
  expect(paused.json, paused.text).toMatchObject({
    status: 'PAUSED',
    pauseReason: reason,
    resumeDate: days(30),
  })
  expect(told(await act('pause', { until: days(31), reason }))).toEqual([400, 'paused_already'])
  expect(told(await act('resume', {}, { by: clerk }))).toEqual(['RESUME', 240])
  expect(told(await act('resume', {}))).toEqual(['RESUME', 240])
  expect(await deeds()).toEqual(['debt_paused', 'debt_resumed'])
})

test('fees are waived, in part and wholly, once for a key', async () => {
  const body = { costs: true, amount: '100.00', reason: 'Kulans' }
  const both = await Promise.all([act('waive', body, { key: 'a' }), act('waive', body, { key: 'a' })])
  expect(both.map(told)).toEqual([
    ['OPEN', 140],
    ['OPEN', 140],
  ])
  expect(told(await act('waive', { ...body, amount: 1 }, { key: 'a' }))).toEqual([
    400,
    'idempotency_key_reused',
  ])
  expect(told(await act('waive', { ...body, amount: 140.01 }))).toEqual([400, 'amount_too_large'])
  expect(told(await act('waive', { costs: true, reason: 'Kulans' }))).toEqual(['OPEN', 0])
  expect(told(await act('waive', { costs: true, reason: ' ' }))).toEqual([400, 'why_required'])
  expect(told(await act('waive', { reason: 'Kulans' }))).toEqual([400, 'invalid_request'])
})

test('stopped: nothing more is asked for, what is left stays in the books, and the debtor is told', async () => {
  const stopped = await act('stop', { reason: 'WITHDRAWN', note: 'Fel person' })
  expect(stopped.json, stopped.text).toMatchObject({ status: 'STOPPED', stopReason: 'WITHDRAWN' })
  expect((stopped.json as { balances: { total: number } }).balances.total).toBeGreaterThan(1000)
  expect(told(await act('stop', { reason: 'OTHER' }))).toEqual([400, 'act_not_open'])
  const mails = await sql(`select kind from mail_outbox where claim_id = $1 and kind = 'stopped'`, [claim.id])
  expect(mails).toHaveLength(1)
})

test('more time: a new last day, no step before it, and interest goes on', async () => {
  const [before] = await sql('select expire_date::text, interest_posted_to::text from claim where id = $1', [
    claim.id,
  ])
  const until = days(45)
  expect(told(await act('more-time', { until: before.expire_date }, { by: clerk }))).toEqual([
    400,
    'day_out_of_reach',
  ])
  const given = await act('more-time', { until }, { by: clerk, key: 'a' })
  expect(given.json, given.text).toMatchObject({ status: 'OPEN', dates: { expireDate: until } })
  expect((given.json as { nextStep: { plannedDate: string } }).nextStep.plannedDate > until).toBe(true)
  expect(await act('more-time', { until }, { by: clerk, key: 'a' })).toMatchObject({ status: 200 })
  const [after] = await sql('select interest_posted_to::text from claim where id = $1', [claim.id])
  expect(after.interest_posted_to).toBe(before.interest_posted_to)
  expect(told(await act('more-time', { until }, { by: clerk }))).toEqual([400, 'act_not_open'])
  expect(await deeds()).toEqual(['more_time_given'])
  const mails = await sql(`select kind from mail_outbox where claim_id = $1 and kind like 'more_time%'`, [
    claim.id,
  ])
  expect(mails).toEqual([{ kind: 'more_time_on_claim' }])
})

test('paid to the creditor itself: taken off the claim once, and taken back again', async () => {
  const paid = { amount: '500.00', date: TODAY, note: 'Kontant' }
  expect(told(await act('direct-payment', { ...paid, amount: '99999.00' }))).toEqual([
    400,
    'amount_too_large',
  ])
  expect(told(await act('direct-payment', { ...paid, date: days(1) }))).toEqual([400, 'day_out_of_reach'])
  const total = async () =>
    Number((await sql('select balance_minor from claim where id = $1', [claim.id]))[0].balance_minor)
  const before = await total()
  const both = await Promise.all([
    act('direct-payment', paid, { by: clerk, key: 'a' }),
    act('direct-payment', paid, { by: clerk, key: 'a' }),
  ])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(await total()).toBe(before - 50_000)
  const [booked] = await sql(
    `select t.id from ledger_transaction t join direct_payment d on t.cause = 'payment:' || d.id where d.claim_id = $1`,
    [claim.id],
  )
  const back = await server.call('POST', `/api/client/payments/${booked.id}/reverse`, {
    body: { reason: 'Fel kund' },
    headers: { authorization: clerk.authorization },
  })
  expect(back.status, back.text).toBe(200)
  expect(await total()).toBe(before)
  expect(await deeds()).toEqual(['direct_payment_entered', 'direct_payment_reversed'])
})

test('recalled: the fees of the collection go, the rest is the creditor’s to ask for, and the debtor is told', async () => {
  const [before] = await sql('select balance_minor, costs_minor from claim where id = $1', [claim.id])
  // Of 240 kronor of costs, 60 are the creditor's reminder, and 180 the collection's demand (lag 1981:739, 4 §).
  const fee = 18_000
  expect(told(await act('recall', { reason: ' ' }))).toEqual([400, 'why_required'])
  const recalled = await act('recall', { reason: 'Vi pratar med kunden' }, { key: 'a' })
  expect(recalled.json, recalled.text).toMatchObject({ status: 'STOPPED', stopReason: 'RECALLED' })
  const left = Number(before.balance_minor) - fee
  const [after] = await sql('select balance_minor from claim where id = $1', [claim.id])
  expect(Number(after.balance_minor)).toBe(left)
  expect(
    await sql('select distinct status, stop_reason from invoice where claim_id = $1', [claim.id]),
  ).toEqual([{ status: 'STOPPED', stop_reason: 'RECALLED' }])
  expect((await act('recall', { reason: 'Vi pratar med kunden' }, { key: 'a' })).status).toBe(200)
  expect(told(await act('recall', { reason: 'En gång till' }))).toEqual([400, 'act_not_open'])
  expect(await deeds()).toEqual(['costs_waived', 'debt_stopped'])
  const mails = await sql(`select kind, text_body from mail_outbox where claim_id = $1 order by created_at`, [
    claim.id,
  ])
  expect(mails.map(({ kind }) => kind).filter((kind) => kind !== 'demand')).toEqual(['recalled'])
})

test('written off: nothing is left', async () => {
  const answer = await act('write-off', { reason: 'Litet' })
  expect(answer.json, answer.text).toMatchObject({ status: 'STOPPED', balances: { total: 0 } })
})

test('taken to an authority: once its schedule has ended, and the operator is asked', async () => {
  expect(told(await act('apply-to-court', { confirm: true }))).toEqual([400, 'court_not_yet'])
  await sql(
    `update mail_outbox set status = 'SENT', sent_at = now(), recipient = 'x' where status = 'WAITING'`,
  )
  const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
  await performDailyRun(server.product.context, instance, TODAY)
  expect(await openTasks()).toEqual(['schedule_ended'])
  expect(told(await act('apply-to-court', { confirm: false }))).toEqual([400, 'invalid_request'])
  const before = (await act('apply-to-court', { confirm: true })).json as object
  expect(await openTasks()).toEqual(['court_to_file'])
  expect(before).toMatchObject({ balances: { costs: 240 } })
  expect(told(await act('apply-to-court', { confirm: true }))).toEqual(['OPEN', 240])
  const [deed, ...others] = await sql(
    `select actor from audit_event where kind = 'court_asked_for' and about = 'claim:' || $1`,
    [claim.id],
  )
  expect(others).toEqual([])
  expect(deed.actor).toMatch(/^person:[0-9a-f-]{36}:[0-9a-f-]{36}$/)
})

test('what only a manager may is not a clerk’s, nor a program’s', async () => {
  const program = await holdKey(server.product.context, {
    instanceId: server.instanceId,
    creditorId: claim.invoices[0]?.creditorId ?? '',
    scopes: ['read', 'invoices', 'payments'],
  })
  for (const by of [clerk, program]) {
    for (const [name, body] of [
      ['stop', { reason: 'OTHER' }],
      ['write-off', { reason: 'Litet' }],
      ['recall', { reason: 'Ångrat' }],
      ['apply-to-court', { confirm: true }],
    ] as const) {
      expect(told(await act(name, body, { by })), name).toEqual([403, 'not_allowed'])
    }
  }
})
