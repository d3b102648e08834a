/** Flags of a debtor: who sets, answers and ends them, what follows at once, and who may know of it (M-34). */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { openOffice, signInStaff, told, type AskOffice, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { brokenInvariants } from '../testing/test-database.ts'

let server: TestServer
let ask: AskOffice
/** A debtor of two creditors. */
let first: BuiltInvoice
let second: BuiltInvoice

beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['support', 'handler', 'manager', 'finance', 'auditor', 'approver'])
})
beforeEach(async () => {
  server.clock.moveTo(TODAY)
  first = await late()
  const other = await late()
  second = await buildInvoice(server.test, server.instanceId, server.clock, {
    beside: { ...other, debtorId: first.debtorId, zip: first.zip },
    dueDate: addDays(TODAY, -1),
  })
})

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const late = () => buildInvoice(server.test, server.instanceId, server.clock, { dueDate: addDays(TODAY, -1) })
const night = (day: CalendarDate) => {
  server.clock.moveTo(day)
  return performDailyRun(server.product.context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}
const nights = async (from: number, to: number) => {
  for (let day = from; day <= to; day++) await night(addDays(TODAY, day))
}
const BODY = { kind: 'DECEASED', from: TODAY, source: 'Dödsbo, brev 12 nov' }
const flag = (body: object = {}, who: Parameters<AskOffice>[0] = 'support', key?: string) =>
  ask(who, `POST /debtors/${first.debtorId}/flags`, { ...BODY, ...body }, key)
const at = (creditorId: string, role: 'viewer' | 'clerk') =>
  signInStaff(server.product.context, { instanceId: server.instanceId, creditorId, role })
const report = (who: SignedIn, body: object = {}) =>
  server.call('POST', `/api/client/debtors/${first.debtorId}/flags`, {
    headers: who,
    body: { ...BODY, ...body },
  })
type Flag = { id: string; kind: string; source: string; reportedBy: string | null; answer: string | null }
type Debtor = { isResting: boolean; flags: Flag[] }
const debtorOf = ({ json }: { json: unknown }) => json as Debtor
const set = async (body: object = {}): Promise<string> => debtorOf(await flag(body)).flags[0]?.id ?? ''
const answer = (id: string, body: object, who: Parameters<AskOffice>[0] = 'handler', key?: string) =>
  ask(who, `POST /debtor-flags/${id}/answer`, body, key)
const end = (id: string, reason = 'Fel person') => ask('handler', `POST /debtor-flags/${id}/end`, { reason })
const tasks = async (id: string) =>
  (
    await sql(`select done_at is not null as done from task where kind = 'debtor_flagged' and about = $1`, [
      `flag:${id}`,
    ])
  ).map(({ done }) => done)
const stateOf = async ({ id }: BuiltInvoice) =>
  (
    await sql(
      `select status, stop_reason, costs_minor::int as costs, balance_minor::int as balance from invoice where id = $1`,
      [id],
    )
  )[0]
const letters = (id: string) =>
  sql(
    `select kind, status, last_error from mail_outbox where invoice_id = $1 and step_id is not null order by kind`,
    [id],
  )

test('set once under a key; the same again is refused; a task, a deed, and everything rests', async () => {
  const made = await flag({}, 'support', 'k1')
  expect(made.status).toBe(200)
  expect(debtorOf(made)).toMatchObject({
    isResting: true,
    flags: [
      { kind: 'DECEASED', from: TODAY, setOn: TODAY, source: BODY.source, reportedBy: null, answer: null },
    ],
  })
  const again = await flag({}, 'support', 'k1')
  expect([again.status, again.headers.get('idempotency-hit')]).toEqual([200, 'true'])
  expect(debtorOf(again).flags).toHaveLength(1)
  expect(told(await flag({ source: 'x' }, 'support', 'k1'))).toEqual([400, 'idempotency_key_reused'])
  expect(told(await flag({}, 'manager'))).toEqual([400, 'flag_stands', 'kind'])
  expect((await flag({ kind: 'BANKRUPT' })).status).toBe(200)
  const id = debtorOf(made).flags[0]?.id ?? ''
  expect(await tasks(id)).toEqual([false])
  expect(
    await sql(`select kind from audit_event where about = $1 order by seq limit 1`, [
      `debtor:${first.debtorId}`,
    ]),
  ).toMatchObject([{ kind: 'debtor_flag_set' }])
  // Where it comes from is in the flag alone, which is erased with the person.
  expect(
    JSON.stringify(await sql('select * from audit_event where about = $1', [`debtor:${first.debtorId}`])),
  ).not.toContain('Dödsbo')
})

test('who may: support sets, a handler answers and ends, a manager stops; the others do nothing', async () => {
  for (const who of ['auditor', 'approver'] as const)
    expect(told(await flag({}, who))).toEqual([403, 'not_allowed'])
  const id = await set()
  const filed = { answer: 'FILED', filedWith: 'ESTATE', filedOn: TODAY }
  expect(told(await answer(id, filed, 'support'))).toEqual([403, 'not_allowed'])
  expect(told(await answer(id, filed, 'finance'))).toEqual([403, 'not_allowed'])
  expect(told(await answer(id, { answer: 'STOP' }, 'handler'))).toEqual([403, 'not_allowed'])
  expect((await answer(id, filed)).status).toBe(200)
  const viewer = await at(first.creditorId, 'viewer')
  expect(told(await report(viewer))).toEqual([403, 'not_allowed'])
  const stranger = await late()
  expect(told(await report(await at(stranger.creditorId, 'clerk')))).toEqual([404, 'not_found'])
})

test('days and words that cannot be', async () => {
  expect(told(await flag({ from: addDays(TODAY, 1) }))).toEqual([400, 'day_out_of_reach', 'from'])
  expect(told(await flag({ from: '1926-11-20' }))).toEqual([400, 'day_out_of_reach', 'from'])
  expect(told(await flag({ from: '2026-02-30' }))).toEqual([400, 'invalid_request', 'from'])
  expect(told(await flag({ source: ' ' }))).toEqual([400, 'invalid_request', 'source'])
  expect(told(await flag({ kind: 'UNKNOWN' }))).toEqual([400, 'invalid_request', 'kind'])
  const id = await set()
  expect(told(await answer(id, { answer: 'FILED' }))).toEqual([
    400,
    'invalid_request',
    'filedWith',
    'filedOn',
  ])
  expect(
    told(await answer(id, { answer: 'FILED', filedWith: 'ESTATE', filedOn: addDays(TODAY, 1) })),
  ).toEqual([400, 'day_out_of_reach', 'filedOn'])
  expect(told(await answer(id, { answer: 'GO_ON', filedWith: 'ESTATE' }))).toEqual([
    400,
    'invalid_request',
    'filedWith',
  ])
  expect(told(await end(id, ' '))).toEqual([400, 'why_required', 'reason'])
})

test('a letter that waits stays here, with the fee that it charged; when it is over, it comes again once, no sooner than in three bank days', async () => {
  await nights(0, 12)
  const charged = await stateOf(first)
  expect(charged?.costs).toBeGreaterThan(0)
  expect((await letters(first.id)).some(({ status }) => status === 'WAITING')).toBe(true)
  const id = await set()
  expect((await stateOf(first))?.costs).toBe(0)
  expect((await letters(first.id)).filter(({ status }) => status === 'WAITING')).toEqual([])
  await nights(13, 60)
  expect((await stateOf(first))?.costs).toBe(0)
  expect((await end(id)).status).toBe(200)
  expect(await tasks(id), 'nobody has to answer it any more').toEqual([true])
  await nights(61, 62)
  expect((await stateOf(first))?.costs, 'not within three bank days').toBe(0)
  await nights(63, 120)
  const reminders = await sql(
    `select count(*)::int as n from collection_step where debt_id = $1 and type = 'REMINDER' and status = 'PERFORMED'`,
    [first.id],
  )
  expect(reminders).toEqual([{ n: 1 }])
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

test('filed: it rests on, and may still be stopped; stopped, every open debt of every creditor is, with the reason where its creditor told of it', async () => {
  const reported = await report(await at(first.creditorId, 'clerk'), { kind: 'BANKRUPT' })
  const id = debtorOf(reported).flags[0]?.id ?? ''
  const filed = { answer: 'FILED', filedWith: 'ADMINISTRATOR', filedOn: TODAY }
  const said = await answer(id, filed, 'handler', 'a1')
  expect(said.json).toMatchObject({ ...filed, openCount: 2 })
  expect(await tasks(id), 'nobody has to answer it any more').toEqual([true])
  await nights(0, 15)
  expect(await stateOf(first)).toMatchObject({ status: 'ACTIVATED', costs: 0 })
  const stopped = await answer(id, { answer: 'STOP', note: 'Konkursen avslutad utan utdelning' }, 'manager')
  expect(stopped.json).toMatchObject({ answer: 'STOP', openCount: 0, filedWith: null })
  expect(await stateOf(first)).toMatchObject({ status: 'STOPPED', stop_reason: 'BANKRUPTCY' })
  expect(await stateOf(second), 'it told of nothing').toMatchObject({
    status: 'STOPPED',
    stop_reason: 'OTHER',
  })
  const seen = await server.call('GET', `/api/client/invoices/${second.id}`, {
    headers: await at(second.creditorId, 'clerk'),
  })
  expect(seen.text).not.toMatch(/BANKRUPT|Konkurs/)
  const [why] = await sql(
    `select after, reason from audit_event where about = $1 and kind = 'debtor_flag_answered' order by seq desc limit 1`,
    [`debtor:${first.debtorId}`],
  )
  expect(why).toMatchObject({ after: { kind: 'BANKRUPT' }, reason: 'Konkursen avslutad utan utdelning' })
  expect(told(await answer(id, { answer: 'GO_ON' }))).toEqual([400, 'act_not_open'])
  const kinds = (
    await sql(`select kind from audit_event where about = $1 order by seq`, [`debtor:${first.debtorId}`])
  ).map(({ kind }) => kind)
  expect(kinds).toEqual(['debtor_flag_set', 'debtor_flag_answered', 'debtor_flag_answered'])
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

test('one of two ended: it rests on; both, it goes on', async () => {
  const [dead, relief] = [await set(), await set({ kind: 'DEBT_RELIEF' })]
  await end(dead)
  await nights(0, 20)
  expect((await stateOf(first))?.costs).toBe(0)
  expect((await answer(relief, { answer: 'GO_ON' })).status).toBe(200)
  expect(told(await end(dead))).toEqual([400, 'act_not_open'])
  await nights(21, 27)
  expect((await stateOf(first))?.costs).toBeGreaterThan(0)
})

test('flags that follow each other are one rest: what was planned comes later by all of it', async () => {
  const plannedOn = async () =>
    (
      await sql(
        `select planned_date::text as day from collection_step where debt_id = $1 and status = 'PLANNED'`,
        [first.id],
      )
    )[0]?.day
  await nights(0, 6)
  const day = addDays(TODAY, 40)
  await sql(`update collection_step set planned_date = $2 where debt_id = $1 and status = 'PLANNED'`, [
    first.id,
    day,
  ])
  const bankrupt = await set({ kind: 'BANKRUPT' })
  server.clock.moveTo(addDays(TODAY, 30))
  const dead = await set()
  server.clock.moveTo(addDays(TODAY, 56))
  await end(bankrupt)
  expect(await plannedOn(), 'it rests on').toBe(day)
  const relief = await set({ kind: 'DEBT_RELIEF' })
  await end(dead)
  server.clock.moveTo(addDays(TODAY, 57))
  await end(relief)
  expect(await plannedOn()).toBe(addDays(day, 57 - 6))
  // One that was over before is another rest, which was counted when it ended.
  server.clock.moveTo(addDays(TODAY, 60))
  const last = await set()
  server.clock.moveTo(addDays(TODAY, 65))
  await end(last)
  expect(await plannedOn()).toBe(addDays(day, 57 - 6 + 5))
})

test('flag.hint: a creditor reports: it counts at once for all, it sees its own report, the other that dunning rests and nothing else', async () => {
  const [own, other] = [await at(first.creditorId, 'clerk'), await at(second.creditorId, 'clerk')]
  const read = (who: SignedIn) =>
    server.call('GET', `/api/client/debtors/${first.debtorId}`, { headers: who })
  expect(debtorOf(await read(other))).toMatchObject({ isResting: false, flags: [] })
  const mine = await report(own)
  expect(mine.status).toBe(200)
  expect(debtorOf(mine)).toMatchObject({
    isResting: true,
    flags: [{ kind: 'DECEASED', source: BODY.source }],
  })
  const seen = (await read(other)).text
  expect(JSON.parse(seen)).toMatchObject({ isResting: true, flags: [] })
  // The kind, the source, who told, and what was answered: the same bytes.
  const id = debtorOf(mine).flags[0]?.id ?? ''
  await end(id)
  await set({ kind: 'BANKRUPT', source: 'Post- och Inrikes Tidningar' })
  expect((await read(other)).text).toBe(seen)
  await set({ kind: 'DEBT_RELIEF', source: 'Kronofogden' })
  expect((await read(other)).text).toBe(seen)
  // Nor by what is refused: the same that stands is another's, and the report is taken.
  expect((await report(other, { kind: 'BANKRUPT' })).status).toBe(200)
  expect(told(await report(other, { kind: 'BANKRUPT' }))).toEqual([400, 'flag_stands', 'kind'])
  const all = debtorOf(await ask('auditor', `GET /debtors/${first.debtorId}`)).flags
  expect(all.map(({ reportedBy }) => reportedBy)).toEqual([
    'Fjällström Demo Energi AB',
    null,
    null,
    'Fjällström Demo Energi AB',
  ])
})

test('flag.hint: no invoice or claim of another creditor says more than that it rests', async () => {
  const other = await at(second.creditorId, 'clerk')
  const paths = ['', '/acts', '/events', '/outlook'].map((part) => `/api/client/invoices/${second.id}${part}`)
  const read = async () =>
    Promise.all(paths.map(async (path) => (await server.call('GET', path, { headers: other })).text))
  const id = await set()
  const seen = await read()
  await end(id)
  await set({ kind: 'BANKRUPT', source: 'Post- och Inrikes Tidningar' })
  expect(await read()).toEqual(seen)
  expect(seen.join()).not.toMatch(/DECEASED|Dödsbo/)
})

test('what was done since the day of the flag is shown: it came too late, and a person puts it right', async () => {
  await nights(0, 12)
  await sql(
    `update mail_outbox set status = 'SENT', sent_at = now() where invoice_id = $1 and kind = 'reminder'`,
    [first.id],
  )
  const id = await set()
  const shown = (await ask('support', `GET /debtor-flags/${id}`)).json as { since: object[] }
  expect(shown.since).toMatchObject([{ type: 'invoices', id: first.id, charged: 60, letters: 1 }])
  // Of a flag whose day came after the letter, nothing.
  await end(id)
  const later = await set({ from: addDays(TODAY, 12) })
  expect((await ask('support', `GET /debtor-flags/${later}`)).json).toMatchObject({ since: [] })
})

test('flag.false: who reports is written down with the flag, the operator is asked, and ending it has everything go on', async () => {
  const clerk = await at(first.creditorId, 'clerk')
  const id = debtorOf(await report(clerk)).flags[0]?.id ?? ''
  expect(await tasks(id)).toEqual([false])
  const deeds = await sql(`select actor from audit_event where about = $1`, [`debtor:${first.debtorId}`])
  expect(deeds).toEqual([{ actor: expect.stringMatching(/^person:[0-9a-f-]{36}:[0-9a-f-]{36}$/) }])
  // Nobody of a creditor's ends one.
  const path = `/api/admin/debtor-flags/${id}/end`
  const refused = await server.call('POST', path, { headers: clerk, body: { reason: 'x' } })
  expect(told(refused)).toEqual([403, 'not_allowed'])
  expect((await end(id)).status).toBe(200)
  expect(debtorOf(await ask('support', `GET /debtors/${first.debtorId}`)).isResting).toBe(false)
})

test('what is planned waits, for the debtor and for staff', async () => {
  await nights(0, 1)
  const steps = async () =>
    (await server.call('GET', `/api/public/invoices/${first.reference}/${first.zip}/events/ledger`)).json as {
      type: string
      status: string
    }[]
  expect((await steps()).filter(({ status }) => status === 'PLANNED')).toHaveLength(1)
  const clerk = await at(first.creditorId, 'clerk')
  const read = async () =>
    (await server.call('GET', `/api/client/invoices/${first.id}`, { headers: clerk })).json as {
      isResting: boolean
      nextStep: { type: string } | null
    }
  const before = await read()
  expect(before).toMatchObject({ isResting: false, nextStep: { type: expect.any(String) } })
  const id = await set()
  expect((await steps()).filter(({ status }) => status === 'PLANNED')).toEqual([])
  expect((await steps()).filter(({ status }) => status === 'ON_HOLD')).toHaveLength(1)
  expect(await read()).toMatchObject({ isResting: true, nextStep: null })
  await end(id)
  expect(await read()).toMatchObject({ isResting: false, nextStep: { type: before.nextStep?.type } })
})

test('money comes as it does', async () => {
  await set()
  await transfer(server, first, 84_200)
  expect(await stateOf(first)).toMatchObject({ status: 'CLOSED', balance: 0 })
})
