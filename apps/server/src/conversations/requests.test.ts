/** What a debtor asks for and a decision answers: more time, within the bounds and beyond, and a payment that is looked for. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildClaim, buildInstanceAccount } from '../testing/build-claim.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { formWith, makePng } from '../testing/files/sample-files.ts'
import { holdKey, signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import type { Thread } from './conversations.ts'

let server: TestServer
let invoice: BuiltInvoice
let clerk: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
})
beforeEach(async () => {
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const at = { instanceId: server.instanceId, creditorId: invoice.creditorId }
  clerk = await signInStaff(server.product.context, { ...at, role: 'clerk' })
})

const sql = async (text: string, values: readonly unknown[]) =>
  (await server.test.owner.query(text, [...values])).rows
const days = (n: number) => addDays(TODAY, n)
const path = (rest = '') => `/api/public/invoices/${invoice.reference}/${invoice.zip}/conversations${rest}`
const ask = (body: object, key?: string) =>
  server.call('POST', path(), { body, headers: key === undefined ? {} : { 'idempotency-key': key } })
const threads = async (): Promise<Thread[]> => (await server.call('GET', path())).json
const decide = (id: string, body: object, { key, by = clerk }: { key?: string; by?: SignedIn } = {}) =>
  server.call('POST', `/api/client/conversations/${id}/decide`, {
    body,
    headers: { authorization: by.authorization, ...(key === undefined ? {} : { 'idempotency-key': key }) },
  })
const codeOf = ({ json }: { json: unknown }) => (json as { code?: string }).code
const state = async () =>
  (
    await sql(
      'select status, expire_date::text as due, balance_minor::int as owed from invoice where id = $1',
      [invoice.id],
    )
  )[0]
const mails = async () =>
  (await sql('select kind from mail_outbox where invoice_id = $1 order by created_at', [invoice.id])).map(
    ({ kind }) => kind,
  )
const taskOf = async (id: string) =>
  (
    await sql('select kind, done_at is not null as is_done from task where about = $1', [
      `conversation:${id}`,
    ])
  )[0]
/** The last day to pay, which the bounds count from as long as it is to come. */
const due = async (): Promise<string> => (await state()).due
const asked = async (body: object): Promise<Thread> => {
  const answer = await ask(body)
  expect(answer.status, answer.text).toBe(201)
  return answer.json
}
const PAID = { kind: 'SAID_PAID', day: TODAY, amount: '100.00', how: 'BANK' }

describe('more time', () => {
  test('within the bounds is granted at once, once: a new last day, and a message', async () => {
    const before = await due()
    const until = addDays(before as typeof TODAY, 14)
    const terms = (await server.call('GET', path('/terms'))).json
    expect(terms).toMatchObject({ moreTime: { atOnce: until, rests: true, interestGoesOn: false } })
    const thread = await asked({ kind: 'MORE_TIME', day: until })
    expect(thread).toMatchObject({
      status: 'ANSWERED',
      wish: { day: until },
      outcome: { decision: 'GRANT', day: until, byRule: true },
      rests: false,
      messages: [],
      answerBy: null,
    })
    expect(await state()).toMatchObject({ status: 'ACTIVATED', due: until })
    expect(await mails()).toEqual(['more_time'])
    expect(await taskOf(thread.id)).toBeUndefined()
    const again = (await server.call('GET', path('/terms'))).json
    expect(again).toMatchObject({ moreTime: { atOnce: null } })
    const deeds = await sql('select kind, actor from audit_event where about = $1', [`invoice:${invoice.id}`])
    expect(deeds).toContainEqual({ kind: 'more_time_given', actor: 'rule:bounds' })
  })

  test('beyond the bounds it rests, a clerk gives another day, and it goes on', async () => {
    const until = days(80)
    const thread = await asked({ kind: 'MORE_TIME', day: until, text: 'Lönen kommer i januari.' })
    expect(thread).toMatchObject({ status: 'OPEN', rests: true, outcome: null })
    expect(await state()).toMatchObject({ status: 'PAUSED' })
    expect(await taskOf(thread.id)).toEqual({ kind: 'more_time_asked', is_done: false })
    expect(codeOf(await decide(thread.id, { decision: 'FOUND' }))).toBe('act_not_open')
    expect(codeOf(await decide(thread.id, { decision: 'GRANT', day: days(91) }))).toBe('day_out_of_reach')
    expect(await state()).toMatchObject({ status: 'PAUSED' })
    const other = days(60)
    const done = await decide(thread.id, { decision: 'GRANT', day: other }, { key: 'a' })
    expect(done.json, done.text).toMatchObject({
      status: 'ANSWERED',
      outcome: { decision: 'GRANT', day: other, byRule: false },
    })
    expect(await state()).toMatchObject({ status: 'ACTIVATED', due: other })
    expect(await mails()).toEqual(['more_time'])
    expect(await taskOf(thread.id)).toMatchObject({ is_done: true })
    expect((await decide(thread.id, { decision: 'GRANT', day: other }, { key: 'a' })).status).toBe(200)
    expect(codeOf(await decide(thread.id, { decision: 'DECLINE', answer: 'Nej.' }))).toBe(
      'conversation_answered',
    )
  })

  test('declined: it goes on, with words that the debtor is told; the next does not rest it again', async () => {
    const thread = await asked({ kind: 'MORE_TIME', day: days(80), debtorEmail: 'alva@example.com' })
    expect(codeOf(await decide(thread.id, { decision: 'DECLINE', answer: ' ' }))).toBe('answer_required')
    const done = await decide(thread.id, { decision: 'DECLINE', answer: 'Vi kan inte vänta så länge.' })
    expect(done.json, done.text).toMatchObject({ status: 'ANSWERED', outcome: { decision: 'DECLINE' } })
    expect(await state()).toMatchObject({ status: 'ACTIVATED' })
    const [mail] = await sql(
      `select recipient, text_body from mail_outbox where invoice_id = $1 and kind = 'request_answered'`,
      [invoice.id],
    )
    expect(mail.recipient).toBe('alva@example.com')
    expect(mail.text_body).toContain('Vi kan inte vänta så länge.')
    const more = await server.call('POST', path('/messages'), {
      body: { conversation: thread.id, text: 'Men...' },
    })
    expect(codeOf(more)).toBe('conversation_not_open')
    const second = await asked({ kind: 'MORE_TIME', day: days(70) })
    expect(second).toMatchObject({ status: 'OPEN', rests: false })
    expect(await state()).toMatchObject({ status: 'ACTIVATED' })
    expect((await threads()).length).toBe(2)
  })

  test('of a creditor that decides itself', async () => {
    await sql('insert into creditor_bounds (instance_id, creditor_id, most_days) values ($1, $2, 0)', [
      server.instanceId,
      invoice.creditorId,
    ])
    const until = addDays((await due()) as typeof TODAY, 1)
    expect(await asked({ kind: 'MORE_TIME', day: until })).toMatchObject({ status: 'OPEN', rests: true })
  })

  test('of a claim, beyond the bounds: granted, the claim has a new last day and goes on', async () => {
    const claim = await buildClaim(server.test, server.instanceId, server.clock)
    const at = { instanceId: server.instanceId, creditorId: claim.invoices[0]?.creditorId ?? '' }
    const by = await signInStaff(server.product.context, { ...at, role: 'clerk' })
    const to = `/api/public/collection-batches/${claim.reference}/${claim.zip}/conversations`
    const terms = (await server.call('GET', `${to}/terms`)).json
    expect(terms).toMatchObject({ moreTime: { interestGoesOn: true }, saidPaid: { rests: true } })
    const made = await server.call('POST', to, { body: { kind: 'MORE_TIME', day: days(75) } })
    expect(made.json, made.text).toMatchObject({ status: 'OPEN', rests: true })
    const done = await decide((made.json as Thread).id, { decision: 'GRANT' }, { by })
    expect(done.status, done.text).toBe(200)
    expect(await sql('select status, expire_date::text as due from claim where id = $1', [claim.id])).toEqual(
      [{ status: 'RESUME', due: days(75) }],
    )
  })

  test('asked for twice at once is one request; the same key is one answer', async () => {
    const body = { kind: 'MORE_TIME', day: days(80) }
    const both = await Promise.all([ask(body), ask(body)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400])
    expect(both.map(codeOf)).toContain('request_not_open')
    const paid = await Promise.all([ask(PAID, 'k'), ask(PAID, 'k')])
    expect(paid.map(({ status }) => status)).toEqual([201, 201])
    expect(codeOf(await ask({ ...PAID, amount: '99.00' }, 'k'))).toBe('idempotency_key_reused')
    expect((await threads()).length).toBe(2)
  })
})

describe('two requests, and what a person decides beside them', () => {
  test('it rests until the last of them is answered, and what is granted meanwhile stands', async () => {
    const time = await asked({ kind: 'MORE_TIME', day: days(80) })
    const paid = await asked(PAID)
    expect([time.rests, paid.rests]).toEqual([true, true])
    const done = await decide(time.id, { decision: 'GRANT', day: days(60) })
    expect(done.status, done.text).toBe(200)
    expect(await state()).toMatchObject({ status: 'PAUSED', due: days(60) })
    expect((await decide(paid.id, { decision: 'NOT_FOUND', answer: 'Nej.' })).status).toBe(200)
    expect(await state()).toMatchObject({ status: 'ACTIVATED' })
  })

  test('what a clerk has paused itself stays so', async () => {
    const thread = await asked({ kind: 'MORE_TIME', day: days(80) })
    const act = (name: string, body: object) =>
      server.call('POST', `/api/client/invoices/${invoice.id}/${name}`, { body, headers: { ...clerk } })
    expect((await act('resume', {})).status).toBe(200)
    expect((await act('pause', { until: days(50), reason: 'Skuldrådgivning.' })).status).toBe(200)
    expect((await decide(thread.id, { decision: 'DECLINE', answer: 'Nej.' })).status).toBe(200)
    expect(await state()).toMatchObject({ status: 'PAUSED' })
  })

  test('a payment that fails while it was answered leaves nothing paused for ever', async () => {
    const thread = await asked(PAID)
    await sql(
      `update invoice set status = 'PENDING_AUTHORIZATION', status_before_authorization = 'PAUSED' where id = $1`,
      [invoice.id],
    )
    expect((await decide(thread.id, { decision: 'NOT_FOUND', answer: 'Nej.' })).status).toBe(200)
    const [row] = await sql('select resume_date::text as day from invoice where id = $1', [invoice.id])
    expect(row.day).toBe(TODAY)
    await sql(`update invoice set status = 'PAUSED', status_before_authorization = null where id = $1`, [
      invoice.id,
    ])
  })

  test('what a person declined is not granted by rule afterwards', async () => {
    const thread = await asked({ kind: 'MORE_TIME', day: days(80) })
    expect((await decide(thread.id, { decision: 'DECLINE', answer: 'Nej.' })).status).toBe(200)
    expect(await asked({ kind: 'MORE_TIME', day: days(15) })).toMatchObject({ status: 'OPEN', outcome: null })
  })

  test('time that costs interest which has run is a person’s to give', async () => {
    await sql('update invoice set expire_date = $2 where id = $1', [invoice.id, days(-1)])
    expect(await asked({ kind: 'MORE_TIME', day: days(2) })).toMatchObject({ status: 'OPEN', outcome: null })
  })
})

describe('already paid', () => {
  test('rests until it is answered, takes a file, and is traced', async () => {
    const thread = await asked({ ...PAID, text: 'Från mitt konto.' })
    expect(thread).toMatchObject({ rests: true, wish: { day: TODAY, amount: 100, how: 'BANK' } })
    expect(await state()).toMatchObject({ status: 'PAUSED' })
    const file = await server.call('PUT', path(`/files?conversation=${thread.id}`), {
      body: formWith(makePng(), 'kvitto.png'),
    })
    expect(file.status, file.text).toBe(201)
    const traced = await decide(thread.id, { decision: 'TRACING', answer: 'Vi letar hos banken.' })
    expect(traced.json, traced.text).toMatchObject({
      status: 'OPEN',
      rests: true,
      outcome: { decision: 'TRACING' },
    })
    expect(await taskOf(thread.id)).toEqual({ kind: 'said_paid', is_done: false })
    expect(await mails()).toEqual(['request_answered'])
    const gone = await decide(thread.id, { decision: 'NOT_FOUND', answer: 'Det har inte kommit.' })
    expect(gone.json, gone.text).toMatchObject({ status: 'ANSWERED', rests: false })
    expect(await state()).toMatchObject({ status: 'ACTIVATED' })
  })

  test('found: entered as a direct payment, with what was really paid, and the rest goes on', async () => {
    const before = await state()
    const thread = await asked(PAID)
    const done = await decide(thread.id, { decision: 'FOUND', amount: '60.00' }, { key: 'a' })
    expect(done.json, done.text).toMatchObject({
      status: 'ANSWERED',
      outcome: { decision: 'FOUND', amount: 60, day: TODAY },
    })
    expect(await state()).toMatchObject({ status: 'ACTIVATED', owed: before.owed - 6_000 })
    expect((await decide(thread.id, { decision: 'FOUND', amount: '60.00' }, { key: 'a' })).status).toBe(200)
    expect(await state()).toMatchObject({ owed: before.owed - 6_000 })
    expect(await mails()).toEqual(['direct_payment_in_part'])
  })

  test('found, all of it: the debt is closed and the thread is answered', async () => {
    const { owed } = await state()
    const thread = await asked({ ...PAID, amount: (owed / 100).toFixed(2) })
    expect((await decide(thread.id, { decision: 'FOUND' })).json).toMatchObject({ status: 'ANSWERED' })
    expect(await state()).toMatchObject({ status: 'CLOSED', owed: 0 })
    expect(await taskOf(thread.id)).toMatchObject({ is_done: true })
    expect(codeOf(await ask({ kind: 'MORE_TIME', day: days(20) }))).toBe('conversation_not_allowed')
  })

  test('a program that may answer and not enter payments does not', async () => {
    const thread = await asked(PAID)
    const program = await holdKey(server.product.context, {
      instanceId: server.instanceId,
      creditorId: invoice.creditorId,
      scopes: ['invoices'],
    })
    const refused = await decide(thread.id, { decision: 'FOUND' }, { by: program })
    expect([refused.status, codeOf(refused)]).toEqual([403, 'not_allowed'])
  })
})

test.each([
  ['a past day', { kind: 'MORE_TIME', day: days(-1) }, 'day_out_of_reach'],
  ['too far ahead', { kind: 'MORE_TIME', day: days(91) }, 'day_out_of_reach'],
  ['no day', { kind: 'MORE_TIME', day: '2026-02-31' }, 'invalid_request'],
  ['paid tomorrow', { ...PAID, day: days(1) }, 'day_out_of_reach'],
  ['paid before there was an invoice', { ...PAID, day: '2020-01-01' }, 'day_out_of_reach'],
  ['more than is owed', { ...PAID, amount: '99999999.00' }, 'amount_too_large'],
  ['nothing', { ...PAID, amount: 0 }, 'amount_too_large'],
  ['no amount', { ...PAID, amount: '1e3' }, 'amount_malformed'],
  ['not said how', { ...PAID, how: null }, 'invalid_request'],
  ['another kind', { kind: 'GIFT', day: days(3) }, 'invalid_request'],
])('%s is refused, and nothing has changed', async (_what, body, code) => {
  const before = await state()
  const refused = await ask(body)
  expect([refused.status, codeOf(refused)]).toEqual([400, code])
  expect(await state()).toEqual(before)
  expect(await threads()).toEqual([])
})

test('a script in the words is words', async () => {
  const text = '<script>alert(1)</script> Hej'
  const thread = await asked({ kind: 'MORE_TIME', day: days(80), text })
  expect(thread.messages).toMatchObject([{ text }])
})
