/** A debtor's own plan: within the bounds at once, beyond them decided, countered and answered; one plan whoever races whom. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { insertSettingRow } from '../part-payments/part-payments.ts'
import { newId } from '../platform/identity.ts'
import { buildClaim, buildInstanceAccount } from '../testing/build-claim.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { endLapsedPlans } from './plan-answers.ts'
import type { Thread } from './conversations.ts'

let server: TestServer
let invoice: BuiltInvoice
let clerk: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
})
beforeEach(async () => {
  server.clock.moveTo(TODAY)
  invoice = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 600_000 })
  const at = { instanceId: server.instanceId, creditorId: invoice.creditorId }
  clerk = await signInStaff(server.product.context, { ...at, role: 'clerk' })
})

/** What the creditor offers: as many months for nothing, without a text to agree to. */
const offer = (months: number) =>
  insertSettingRow(server.test.db, server.instanceId, {
    id: newId(Date.now()),
    code: `MONTHS_${months}`,
    variant: 'PART_PAYMENT',
    currency: 'SEK',
    months,
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
  })
const sql = async (text: string, values: readonly unknown[]) =>
  (await server.test.owner.query(text, [...values])).rows
const days = (n: number) => addDays(TODAY, n)
const path = (rest = '') => `/api/public/invoices/${invoice.reference}/${invoice.zip}/conversations${rest}`
const WISH = { kind: 'PLAN', amount: '1000.00', day: days(30) }
const ask = (body: object, key?: string) =>
  server.call('POST', path(), { body, headers: key === undefined ? {} : { 'idempotency-key': key } })
const asked = async (body: object = WISH): Promise<Thread> => {
  const answer = await ask(body)
  expect(answer.status, answer.text).toBe(201)
  return answer.json
}
const figures = (query: string) => server.call('GET', path(`/plan?${query}`))
const give = (conversation: string, answer: string, more: object = {}, key?: string) =>
  server.call('POST', path('/answer'), {
    body: { conversation, answer, ...more },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  })
const threads = async (): Promise<Thread[]> => (await server.call('GET', path())).json
const decide = (id: string, body: object, { key, by = clerk }: { key?: string; by?: SignedIn } = {}) =>
  server.call('POST', `/api/client/conversations/${id}/decide`, {
    body,
    headers: { authorization: by.authorization, ...(key === undefined ? {} : { 'idempotency-key': key }) },
  })
const codeOf = ({ json }: { json: unknown }) => (json as { code?: string }).code
const state = async () =>
  (await sql('select status, is_part_payment as planned from invoice where id = $1', [invoice.id]))[0]
const mails = async () =>
  (await sql('select kind from mail_outbox where invoice_id = $1 order by created_at', [invoice.id])).map(
    ({ kind }) => kind,
  )
const isDone = async (id: string) =>
  (
    await sql(`select done_at is not null as done from task where about = $1 and kind = 'plan_proposed'`, [
      `conversation:${id}`,
    ])
  )[0]?.done
const plans = async () =>
  sql(
    `select p.status, n.due_date::text as due, (n.principal_minor + n.interest_minor + n.fee_minor + n.start_fee_minor)::int as amount
     from part_payment_member m join part_payment p on p.id = m.part_payment_id
     join part_payment_instalment n on n.part_payment_id = p.id where m.debt_id = $1 order by n.number`,
    [invoice.id],
  )
/** 6,000 in parts of 1,000, the first in 30 days. */
const SIX = ['2026-12-20', '2027-01-20', '2027-02-20', '2027-03-20', '2027-04-20', '2027-05-20']

describe('beyond the bounds', () => {
  test('it rests, a clerk accepts, and the plan stands as it was asked for', async () => {
    const thread = await asked({ ...WISH, text: 'Lönen kommer den 25:e.' })
    expect(thread).toMatchObject({ status: 'OPEN', rests: true, wish: { amount: 1000, day: days(30) } })
    expect(await state()).toEqual({ status: 'PAUSED', planned: false })
    expect(await isDone(thread.id)).toBe(false)
    const seen = await server.call('GET', `/api/client/conversations/${thread.id}/plan`, {
      headers: { ...clerk },
    })
    expect(seen.json, seen.text).toMatchObject({ instalmentCount: 6, totalToPay: 6000, totalCost: 0 })
    const done = await decide(thread.id, { decision: 'ACCEPT' }, { key: 'a' })
    expect(done.json, done.text).toMatchObject({ status: 'ANSWERED', outcome: { decision: 'ACCEPT' } })
    expect(await state()).toEqual({ status: 'ACTIVATED', planned: true })
    expect((await plans()).map(({ due, amount }) => [due, amount])).toEqual(SIX.map((due) => [due, 100_000]))
    expect(await mails()).toEqual(['plan_started'])
    expect(await isDone(thread.id)).toBe(true)
    expect((await decide(thread.id, { decision: 'ACCEPT' }, { key: 'a' })).status).toBe(200)
    expect((await plans()).length).toBe(6)
    const deeds = await sql(`select actor from audit_event where kind = 'request_decided' and about = $1`, [
      `conversation:${thread.id}`,
    ])
    expect(deeds).toEqual([{ actor: expect.stringMatching(/^person:/) }])
  })

  test('declined with words, it goes on; the next does not rest it again and a person decides', async () => {
    const thread = await asked()
    expect(codeOf(await decide(thread.id, { decision: 'DECLINE' }))).toBe('answer_required')
    expect((await decide(thread.id, { decision: 'DECLINE', answer: 'För länge.' })).status).toBe(200)
    expect(await state()).toEqual({ status: 'ACTIVATED', planned: false })
    expect(await mails()).toEqual(['request_answered'])
    await offer(12)
    expect(await asked()).toMatchObject({ status: 'OPEN', rests: false })
  })

  test('countered: the debtor is told, sees what it costs, and agrees once', async () => {
    await offer(3)
    const thread = await asked()
    expect(codeOf(await decide(thread.id, { decision: 'COUNTER' }))).toBe('act_not_open')
    expect(codeOf(await decide(thread.id, { decision: 'COUNTER', amount: '0' }))).toBe(
      'plan_amount_out_of_reach',
    )
    expect(codeOf(await decide(thread.id, { decision: 'COUNTER', day: days(93) }))).toBe('day_out_of_reach')
    const other = { decision: 'COUNTER', amount: '2000.00', day: days(20), answer: 'Tre gånger går bra.' }
    const done = await decide(thread.id, other, { key: 'c' })
    expect(done.json, done.text).toMatchObject({ status: 'COUNTERED', counterUntil: days(14), rests: true })
    expect((await decide(thread.id, other, { key: 'c' })).status).toBe(200)
    expect(codeOf(await decide(thread.id, { decision: 'ACCEPT' }))).toBe('conversation_answered')
    expect(await isDone(thread.id)).toBe(true)
    expect(await mails()).toEqual(['plan_countered'])
    expect(codeOf(await ask(WISH))).toBe('request_not_open')
    const shown: { offerVersion: string } = (await figures(`conversation=${thread.id}`)).json
    expect(shown).toMatchObject({ instalmentCount: 3, firstAmount: 2000, totalCost: 0, totalToPay: 6000 })
    expect(codeOf(await give(thread.id, 'ACCEPT', { offerVersion: 'x' }))).toBe('plan_changed')
    expect(await state()).toEqual({ status: 'PAUSED', planned: false })
    const both = await Promise.all([
      give(thread.id, 'ACCEPT', { offerVersion: shown.offerVersion }, 'k'),
      give(thread.id, 'ACCEPT', { offerVersion: shown.offerVersion }, 'k'),
    ])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(both[0]?.json).toMatchObject({ status: 'ANSWERED', outcome: { decision: 'ACCEPT', amount: 2000 } })
    expect((await plans()).map(({ due, amount }) => [due, amount])).toEqual([
      ['2026-12-10', 200_000],
      ['2027-01-10', 200_000],
      ['2027-02-10', 200_000],
    ])
    expect(await mails()).toEqual(['plan_countered', 'plan_started'])
  })

  test('what the debtor declines, takes back, or does not answer goes on without a plan', async () => {
    const counter = { decision: 'COUNTER', amount: '2000.00' }
    const first = await asked()
    await decide(first.id, counter)
    expect((await give(first.id, 'DECLINE')).json).toMatchObject({ status: 'ENDED' })
    expect(await state()).toEqual({ status: 'ACTIVATED', planned: false })
    const second = await asked()
    expect(codeOf(await give(second.id, 'ACCEPT'))).toBe('conversation_not_open')
    expect((await give(second.id, 'WITHDRAW')).json).toMatchObject({
      status: 'ENDED',
      outcome: { decision: 'WITHDRAWN' },
    })
    expect(await isDone(second.id)).toBe(true)
    const third = await asked()
    await decide(third.id, counter)
    server.clock.moveTo(days(15))
    expect(codeOf(await give(third.id, 'ACCEPT'))).toBe('conversation_not_open')
    await endLapsedPlans(server.product.context, [{ id: server.instanceId, timeZone: 'Europe/Stockholm' }])
    expect((await threads()).map(({ outcome }) => outcome?.decision)).toEqual([
      'LAPSED',
      'WITHDRAWN',
      'COUNTER_DECLINED',
    ])
    expect(await plans()).toEqual([])
  })

  test('nobody agrees to a first day that has come', async () => {
    const thread = await asked({ ...WISH, day: days(7) })
    server.clock.moveTo(days(7))
    expect(codeOf(await decide(thread.id, { decision: 'ACCEPT' }))).toBe('day_out_of_reach')
    expect(await state()).toEqual({ status: 'PAUSED', planned: false })
  })

  test('of a claim: accepted, the claim is paid in parts', async () => {
    const claim = await buildClaim(server.test, server.instanceId, server.clock)
    const at = { instanceId: server.instanceId, creditorId: claim.invoices[0]?.creditorId ?? '' }
    const by = await signInStaff(server.product.context, { ...at, role: 'clerk' })
    const to = `/api/public/collection-batches/${claim.reference}/${claim.zip}/conversations`
    const { plan }: { plan: { least: number } } = (await server.call('GET', `${to}/terms`)).json
    expect(plan).toMatchObject({ from: days(7), to: days(62), rests: true })
    const made = await server.call('POST', to, { body: { ...WISH, amount: plan.least } })
    expect(made.json, made.text).toMatchObject({ status: 'OPEN', rests: true })
    const done = await decide((made.json as Thread).id, { decision: 'ACCEPT' }, { by })
    expect(done.status, done.text).toBe(200)
    const [row] = await sql('select status, is_part_payment as planned from claim where id = $1', [claim.id])
    expect(row).toEqual({ status: 'RESUME', planned: true })
  })
})

describe('within the bounds', () => {
  test('it starts at once, on the terms of the offer that is as long, once', async () => {
    await offer(12)
    const shown: { offerVersion: string } = (await figures('amount=1000&day=' + days(30))).json
    expect(shown).toMatchObject({ atOnce: true, instalmentCount: 6, totalCost: 0, firstAmount: 1000 })
    const wish = { ...WISH, amount: '1000', offerVersion: shown.offerVersion }
    expect(codeOf(await ask({ ...wish, offerVersion: 'other' }))).toBe('plan_changed')
    const both = await Promise.all([ask(wish, 'k'), ask(wish, 'k')])
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    expect(both[0]?.json).toMatchObject({
      status: 'ANSWERED',
      outcome: { decision: 'ACCEPT', byRule: true, amount: 1000 },
    })
    expect((await plans()).map(({ due }) => due)).toEqual(SIX)
    expect(await mails()).toEqual(['plan_started'])
    expect(await isDone((await threads())[0]?.id ?? '')).toBeUndefined()
    expect(codeOf(await ask(WISH))).toBe('request_not_open')
  })

  test.each([
    ['longer than the creditor offers', 3, 12],
    ['longer than its bounds', 12, 5],
    ['a creditor that decides itself', 12, 0],
  ])('not %s', async (_what, months, bound) => {
    await offer(months)
    const manager = await signInStaff(server.product.context, {
      instanceId: server.instanceId,
      creditorId: invoice.creditorId,
      role: 'manager',
    })
    const set = await server.call('PUT', '/api/client/settings/bounds', {
      body: { planMonths: bound },
      headers: { ...manager },
    })
    expect(set.json, set.text).toEqual({ mostDays: 14, planMonths: bound })
    expect(await asked()).toMatchObject({ status: 'OPEN', outcome: null })
  })

  test('not for a first day that is far ahead', async () => {
    await offer(12)
    expect(await asked({ ...WISH, day: days(40) })).toMatchObject({ status: 'OPEN' })
  })
})

describe('what races an answer', () => {
  test('two proposals are one, and two answers are one', async () => {
    const both = await Promise.all([ask(WISH), ask({ ...WISH, amount: '900' })])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400])
    const [thread] = await threads()
    const id = thread?.id ?? ''
    const answers = await Promise.all([
      decide(id, { decision: 'ACCEPT' }),
      decide(id, { decision: 'DECLINE', answer: 'Nej.' }),
      decide(id, { decision: 'ACCEPT' }),
      give(id, 'WITHDRAW'),
    ])
    expect(answers.filter(({ status }) => status < 300).length).toBe(1)
    expect(await threads()).toHaveLength(1)
    // Of 900 a month it takes one more.
    const count = thread?.wish?.amount === 900 ? 7 : 6
    expect((await plans()).length).toBe((await state())?.planned ? count : 0)
  })

  test('another plan accepted, declined and taken back at once is one of them', async () => {
    const { id } = await asked()
    expect((await decide(id, { decision: 'COUNTER', amount: '2000' })).status).toBe(200)
    const answers = await Promise.all([give(id, 'ACCEPT'), give(id, 'DECLINE'), give(id, 'WITHDRAW')])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
    const [thread] = await threads()
    expect((await plans()).length).toBe(thread?.status === 'ANSWERED' ? 3 : 0)
  })

  test('paid while it waits: the proposal ends with the debt', async () => {
    const thread = await asked()
    const [paid, accepted] = await Promise.all([
      // What comes to a plan that has begun waits for a person.
      transfer(server, invoice, 600_000).then(
        () => true,
        () => false,
      ),
      decide(thread.id, { decision: 'ACCEPT' }),
    ])
    expect(paid).toBe(accepted.status !== 200)
    const [now] = await threads()
    expect(accepted.status === 200 ? 'ANSWERED' : 'ENDED').toBe(now?.status)
    expect(await isDone(thread.id)).toBe(true)
  })

  test('disputed while it waits: the proposal ends, and nobody has to answer it', async () => {
    const thread = await asked()
    const disputed = await server.call('POST', path().replace('/conversations', '/dispute'), {
      body: { reason: 'Jag har inte beställt det här.', debtorEmail: 'alva@example.com' },
    })
    expect(disputed.status, disputed.text).toBeLessThan(300)
    expect((await threads())[0]).toMatchObject({ id: thread.id, status: 'ENDED' })
    expect(await isDone(thread.id)).toBe(true)
    expect(codeOf(await ask(WISH))).toBe('request_not_open')
  })
})

test.each([
  ['nothing', { amount: '0' }, 'plan_amount_out_of_reach', 'amount'],
  ['less than nothing', { amount: '-5' }, 'plan_amount_out_of_reach', 'amount'],
  ['all of it', { amount: '6000' }, 'plan_amount_out_of_reach', 'amount'],
  ['more than all', { amount: '6000.01' }, 'plan_amount_out_of_reach', 'amount'],
  ['so little that it lasts too long', { amount: '99' }, 'plan_amount_out_of_reach', 'amount'],
  ['no amount', { amount: '1e3' }, 'amount_malformed', 'amount'],
  ['a past day', { day: days(-1) }, 'day_out_of_reach', 'day'],
  ['too soon', { day: days(6) }, 'day_out_of_reach', 'day'],
  ['too far ahead', { day: days(63) }, 'day_out_of_reach', 'day'],
  ['no day', { day: '2026-02-31' }, 'day_out_of_reach', 'day'],
  ['no day at all', { day: null }, 'day_out_of_reach', 'day'],
])('%s is refused, with its field, and nothing has changed', async (_what, change, code, field) => {
  const before = await state()
  const refused = await ask({ ...WISH, ...change })
  expect([refused.status, codeOf(refused)]).toEqual([400, code])
  expect((refused.json as { errors: { field: string }[] }).errors[0]?.field).toBe(field)
  expect(await state()).toEqual(before)
  expect(await threads()).toEqual([])
})

test('the least a month is a sixtieth, whatever the creditor offers', async () => {
  await offer(12)
  expect(codeOf(await ask({ ...WISH, amount: '99' }))).toBe('plan_amount_out_of_reach')
  const { plan } = (await server.call('GET', path('/terms'))).json
  expect(plan).toMatchObject({ least: 100, below: 6000 })
})

test('another’s debt does not exist', async () => {
  const thread = await asked()
  const other = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 600_000 })
  const at = { instanceId: server.instanceId, creditorId: other.creditorId }
  const by = await signInStaff(server.product.context, { ...at, role: 'clerk' })
  expect((await decide(thread.id, { decision: 'ACCEPT' }, { by })).status).toBe(404)
  const seen = await server.call('GET', `/api/client/conversations/${thread.id}/plan`, { headers: { ...by } })
  expect(seen.status).toBe(404)
  const wrong = `/api/public/invoices/${other.reference}/${other.zip}/conversations/answer`
  const answer = await server.call('POST', wrong, { body: { conversation: thread.id, answer: 'WITHDRAW' } })
  expect(codeOf(answer)).toBe('conversation_not_open')
})
