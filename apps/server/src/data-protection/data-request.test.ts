/** What a person asks about their data: taken down, answered in the time of the law, kept from being erased until then. */
import { beforeEach, expect, test } from 'vitest'
import { addDays, addMonths } from '@kvitt/domain/calendar.ts'
import { buildInstance, buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { buildKnownPerson, endLongAgo, placesOf } from '../testing/debts/known-person.ts'
import { openOffice, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { openTask } from '../tasks/tasks.ts'
import { brokenInvariants } from '../testing/test-database.ts'
import { eraseApproved } from './retention.ts'

type Request = {
  id: string
  wish: string
  dueOn: string
  answer: string | null
  words: string | null
  reason: string | null
}
type Run = { id: string; count: number; held: number; left: number; found: { kind: string; asked: number }[] }
type Who = Parameters<AskOffice>[0]

let server: TestServer
let ask: AskOffice
let invoice: BuiltInvoice

beforeEach(async () => {
  server = await startTestServer()
  server.clock.moveTo(TODAY)
  ask = await openOffice(server, ['support', 'handler', 'manager', 'finance', 'auditor', 'approver'])
  invoice = await buildKnownPerson(server)
})

const sql = async (text: string, ...values: unknown[]) => (await server.test.owner.query(text, values)).rows
const WORDS = 'Jag vill veta allt om Kanelbullegatan'
const enter = (body: object = {}, who: Who = 'support', key?: string, id = invoice.debtorId) =>
  ask(
    who,
    `POST /debtors/${id}/data-requests`,
    { wish: 'ACCESS', cameOn: TODAY, cameBy: 'PHONE', words: WORDS, ...body },
    key,
  )
const requestOf = ({ json }: { json: unknown }): Request => json as Request
const entered = async (body: object = {}): Promise<string> => requestOf(await enter(body)).id
const answer = (id: string, body: object, who: Who = 'handler', key?: string) =>
  ask(who, `POST /data-requests/${id}/answer`, body, key)
const extend = (id: string, body: object = {}, who: Who = 'handler', key?: string) =>
  ask(
    who,
    `POST /data-requests/${id}/extend`,
    { toldOn: TODAY, reason: 'Akten är på papper, Paprikavägen', ...body },
    key,
  )
const listed = async (who: Who = 'auditor', id = invoice.debtorId): Promise<Request[]> =>
  ((await ask(who, `GET /debtors/${id}/data-requests`)).json as { requests: Request[] }).requests
const copy = () => ask('handler', `POST /debtors/${invoice.debtorId}/personal-data`, { reason: 'by letter' })
const task = async (id: string) =>
  (
    await sql(
      `select made_on::text as "madeOn", done_at is not null as "isDone" from task where kind = 'data_request' and about = $1`,
      `data-request:${id}`,
    )
  )[0]
const ELSEWHERE = { answer: 'ELSEWHERE', toldOn: TODAY, reason: 'Rättat hos Saffransbolaget' }
const NO = { answer: 'NOT_DONE', toldOn: TODAY, wasToldHow: true, reason: 'Står i bokföringen' }
const runsOf = ({ json }: { json: unknown }): Run[] => (json as { runs: Run[] }).runs

test('taken down once under a key, with the last day of the law, a task and a deed without its words', async () => {
  const made = await enter({}, 'support', 'k1')
  expect(made.status, made.text).toBe(200)
  // Asked on 20 November: a month later is a Sunday.
  expect(made.json).toMatchObject({ wish: 'ACCESS', dueOn: '2026-12-21', words: WORDS, answer: null })
  const again = await enter({}, 'support', 'k1')
  expect([again.status, again.headers.get('idempotency-hit')]).toEqual([200, 'true'])
  expect(requestOf(again).id).toBe(requestOf(made).id)
  server.clock.moveTo(addMonths(TODAY, 13))
  const late = await enter({}, 'support', 'k1')
  expect([late.status, late.headers.get('idempotency-hit')], 'however late').toEqual([200, 'true'])
  server.clock.moveTo(TODAY)
  expect(told(await enter({ cameBy: 'LETTER' }, 'support', 'k1'))).toEqual([400, 'idempotency_key_reused'])
  expect(told(await enter())).toEqual([400, 'request_stands', 'wish'])
  expect((await enter({ wish: 'ERASURE' })).status).toBe(200)
  expect(await listed()).toHaveLength(2)
  expect(await task(requestOf(made).id)).toEqual({ madeOn: TODAY, isDone: false })
  const deeds = await sql(
    `select kind, after, reason from audit_event where kind like 'data_request%' order by seq`,
  )
  expect(deeds.map(({ kind }) => kind)).toEqual(['data_request_entered', 'data_request_entered'])
  expect(JSON.stringify(deeds)).not.toContain('Kanelbulle')
  const search = await ask('support', 'POST /tasks/search', { kind: 'data_request' })
  expect(search.json).toMatchObject([
    { subject: { type: 'data-requests' }, debtor: { id: invoice.debtorId }, deadline: '2026-12-18' },
    { subject: { type: 'data-requests' }, deadline: '2026-12-18' },
  ])
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

test('of several at once that enter the same, one is taken down', async () => {
  const made = await Promise.all(Array.from({ length: 6 }, () => enter()))
  expect(made.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400, 400])
  expect(await listed()).toHaveLength(1)
})

test('the same person under another row: it is the same request, seen from both', async () => {
  const other = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
  for (const [of, number] of [
    [invoice, '19811218-9876'],
    [other, '811218-9876'],
  ] as const)
    await sql('update debtor set identification_number = $2 where id = $1', of.debtorId, number)
  const id = await entered()
  expect(told(await enter({}, 'support', undefined, other.debtorId))).toEqual([400, 'request_stands', 'wish'])
  expect((await listed('auditor', other.debtorId)).map((one) => one.id)).toEqual([id])
})

test('asked.other: support takes it down, handlers and managers answer, who only reads reads', async () => {
  for (const who of ['auditor', 'approver'] as const)
    expect(told(await enter({}, who)), who).toEqual([403, 'not_allowed'])
  const id = await entered()
  for (const who of ['support', 'finance', 'auditor', 'approver'] as const) {
    expect(told(await answer(id, ELSEWHERE, who)), who).toEqual([403, 'not_allowed'])
    expect(told(await extend(id, {}, who)), who).toEqual([403, 'not_allowed'])
  }
  expect((await ask('auditor', `GET /data-requests/${id}`)).status).toBe(200)
  expect(told(await ask('approver', `GET /data-requests/${id}`))).toEqual([403, 'not_allowed'])
  expect((await listed('support')).map((one) => one.id)).toEqual([id])
})

test('what is another provider’s does not exist', async () => {
  const { id: foreignId } = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  const foreign = await buildInvoice(server.test, foreignId, server.clock, { zip: '0150' })
  expect(told(await enter({}, 'support', undefined, foreign.debtorId))).toEqual([404, 'not_found'])
  expect(told(await ask('handler', `GET /debtors/${foreign.debtorId}/data-requests`))).toEqual([
    404,
    'not_found',
  ])
  const [made] = await sql(
    `insert into data_request (instance_id, id, debtor_id, debtor_ids, wish, came_on, came_by, due_on, entered_by)
     values ($1, gen_random_uuid(), $2, array[$2::uuid], 'OBJECTION', $3, 'LETTER', $3::date + 31, 'person:x') returning id`,
    foreignId,
    foreign.debtorId,
    TODAY,
  )
  const id: string = made?.id
  const about = `data-request:${id}`
  await openTask(server.test.db, { instanceId: foreignId, kind: 'data_request', about, details: {} })
  expect(told(await ask('manager', `GET /data-requests/${id}`))).toEqual([404, 'not_found'])
  expect(told(await answer(id, ELSEWHERE, 'manager'))).toEqual([404, 'not_found'])
  expect(told(await extend(id, {}, 'manager'))).toEqual([404, 'not_found'])
})

test('days and words that cannot be', async () => {
  const future = addDays(TODAY, 1)
  expect(told(await enter({ cameOn: future }))).toEqual([400, 'day_out_of_reach', 'cameOn'])
  expect(told(await enter({ cameOn: '2025-11-19' }))).toEqual([400, 'day_out_of_reach', 'cameOn'])
  expect(told(await enter({ cameOn: '2026-02-30' }))).toEqual([400, 'invalid_request', 'cameOn'])
  expect(told(await enter({ wish: 'PORTABILITY' }))).toEqual([400, 'invalid_request', 'wish'])
  const id = await entered()
  expect(told(await answer(id, { answer: 'ELSEWHERE', toldOn: TODAY, reason: 'x' }))).toEqual([
    400,
    'invalid_request',
    'answer',
  ])
  expect(told(await answer(id, { answer: 'REFUSED', toldOn: TODAY, reason: ' ' }))).toEqual([
    400,
    'invalid_request',
    'ground',
    'wasToldHow',
    'reason',
  ])
  expect(told(await answer(id, { answer: 'WITHDRAWN', toldOn: TODAY, reason: 'x' }))).toEqual([
    400,
    'invalid_request',
    'toldOn',
  ])
  expect(told(await answer(id, { ...NO, answer: 'REFUSED', ground: 'EXCESSIVE', toldOn: future }))).toEqual([
    400,
    'day_out_of_reach',
    'toldOn',
  ])
  expect((await listed())[0]).toMatchObject({ answer: null })
})

test('a copy is handed out only once somebody has made it since; then nobody has to answer it any more', async () => {
  expect((await copy()).status).toBe(200)
  const id = await entered()
  const day = addDays(TODAY, 9)
  const handed = { answer: 'HANDED_OUT', toldOn: day }
  expect(told(await answer(id, handed)), 'the copy is from before').toEqual([
    400,
    'export_not_made',
    'answer',
  ])
  // The demo's clock says another day than the database's; both moments are the database's.
  server.clock.moveTo(day)
  expect((await copy()).status).toBe(200)
  const done = await answer(id, handed, 'handler', 'a1')
  expect(done.json).toMatchObject({ answer: 'HANDED_OUT', toldOn: day, answeredOn: day })
  const again = await answer(id, handed, 'handler', 'a1')
  expect([again.status, again.headers.get('idempotency-hit')]).toEqual([200, 'true'])
  expect(told(await answer(id, { ...handed, toldOn: TODAY }, 'handler', 'a1'))).toEqual([
    400,
    'idempotency_key_reused',
  ])
  expect(told(await answer(id, handed))).toEqual([400, 'act_not_open'])
  expect(await task(id)).toMatchObject({ isDone: true })
  expect((await enter()).status, 'asked again later it is another request').toBe(200)
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

test('two who end it at once: one of them does', async () => {
  const id = await entered({ wish: 'RECTIFICATION' })
  const both = await Promise.all([
    answer(id, ELSEWHERE),
    answer(id, { answer: 'WITHDRAWN', reason: 'Ångrade sig' }, 'manager'),
  ])
  expect(both.map(told).toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
    [200, undefined],
    [400, 'act_not_open'],
  ])
  expect(
    await sql(`select count(*)::int as n from audit_event where kind = 'data_request_answered'`),
  ).toEqual([{ n: 1 }])
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

test('extended once, by two months, where the person was told within the first; its task counts from then', async () => {
  const id = await entered()
  for (const reason of ['', '!', '\u3164'])
    expect(told(await extend(id, { reason })), reason).toEqual([400, 'invalid_request', 'reason'])
  server.clock.moveTo(addMonths(TODAY, 2))
  expect(told(await extend(id, { toldOn: '2026-12-22' })), 'after the month').toEqual([
    400,
    'day_out_of_reach',
    'toldOn',
  ])
  // Said late, told in time.
  const longer = await extend(id, { toldOn: '2026-12-21' })
  expect(longer.json).toMatchObject({ dueOn: '2027-02-22', extendedToldOn: '2026-12-21' })
  expect(await task(id)).toEqual({ madeOn: '2027-01-20', isDone: false })
  expect(told(await extend(id, { toldOn: '2026-12-20' }))).toEqual([400, 'act_not_open'])
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

test('the person’s data have the request, by whom only that it was staff', async () => {
  const id = await entered()
  await extend(id)
  const { json, text } = await copy()
  expect((json as { rows: object }).rows).toMatchObject({
    data_request: [{ id, words: WORDS, entered_by: 'staff', extended_by: 'staff' }],
    task: expect.arrayContaining([expect.objectContaining({ about: `data-request:${id}` })]),
  })
  expect(text).not.toContain('person:')
})

test('asked.swept: nobody is erased while a copy is asked for: not found, said in what may go, left by a run, and gone after the answer', async () => {
  await endLongAgo(server.test, invoice, 12 * 9)
  const find = async () => runsOf(await ask('manager', 'POST /data-protection/find'))[0]
  const approve = (run: Run | undefined) =>
    ask('manager', 'POST /data-protection/approve', {
      run: run?.id,
      count: run?.count,
      held: run?.held,
      reason: 'yearly',
    })
  const shown = await find()
  expect(shown).toMatchObject({ count: 3, held: 0 })
  const id = await entered()
  expect(told(await approve(shown)), 'it was shown otherwise').toEqual([409, 'selection_changed'])
  const [run] = runsOf(await ask('auditor', 'GET /data-protection'))
  expect(run).toMatchObject({ count: 3, held: 3 })
  expect(run?.found.find(({ kind }) => kind === 'BOOKS')).toMatchObject({ held: 1, holds: [], asked: 1 })
  expect((await ask('handler', `GET /debtors/${invoice.debtorId}/erasure`)).json).toEqual({
    goes: [],
    stays: [{ kind: 'REQUEST', ground: 'GDPR art. 15', until: null, count: 1 }],
  })
  expect(
    told(await ask('manager', `POST /debtors/${invoice.debtorId}/erasure`, { reason: 'asked' })),
  ).toEqual([400, 'nothing_over_time'])
  expect((await approve(run)).status).toBe(200)
  await eraseApproved(server.product.context)
  expect(await sql('select name from debtor where id = $1', invoice.debtorId)).not.toEqual([
    { name: '[erased]' },
  ])
  expect(await sql('select erase_person($1, $2) as done', server.instanceId, invoice.debtorId)).toEqual([
    { done: false },
  ])
  await sql(
    `insert into task_note (instance_id, id, task_id, text, noted_by)
     select instance_id, gen_random_uuid(), id, n, 'person:x' from task, unnest(array['Ringde från Muskotgränd', 'Muskotgränd igen']) n
     where kind = 'data_request'`,
  )
  await copy()
  expect(
    (await answer(id, { answer: 'HANDED_OUT', toldOn: TODAY, reason: 'Brev till Muskotgränd' })).status,
  ).toBe(200)
  await approve(await find())
  await eraseApproved(server.product.context)
  expect(await sql('select name from debtor where id = $1', invoice.debtorId)).toEqual([{ name: '[erased]' }])
  expect(await placesOf(server.test, ['Kanelbulle', 'Muskot'])).toEqual([])
  expect(await listed()).toMatchObject([{ wish: 'ACCESS', answer: 'HANDED_OUT', words: '[erased]' }])
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})
