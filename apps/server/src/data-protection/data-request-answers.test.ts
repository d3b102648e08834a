/** What is kept until an answer, which answers are a lawful no, and what becomes of the words afterwards. */
import { beforeEach, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { buildKnownPerson, endLongAgo, placesOf } from '../testing/debts/known-person.ts'
import { openOffice, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { brokenInvariants } from '../testing/test-database.ts'
import { erasureRows } from './erasure-letter.ts'
import { tableRows } from './person-table.ts'
import { eraseApproved, type PersonErasure } from './retention.ts'

type Run = { id: string; count: number; held: number }

let server: TestServer
let ask: AskOffice
let invoice: BuiltInvoice

beforeEach(async () => {
  server = await startTestServer()
  server.clock.moveTo(TODAY)
  ask = await openOffice(server, ['handler', 'manager', 'auditor'])
  invoice = await buildKnownPerson(server)
})

const sql = async (text: string, ...values: unknown[]) => (await server.test.owner.query(text, values)).rows
const tryEnter = (body: object, id = invoice.debtorId) =>
  ask('handler', `POST /debtors/${id}/data-requests`, {
    cameOn: TODAY,
    cameBy: 'LETTER',
    words: 'Skriv till Kanelbullegatan',
    ...body,
  })
const entered = async (body: object, id = invoice.debtorId): Promise<string> => {
  const made = await tryEnter(body, id)
  expect(made.status, made.text).toBe(200)
  return (made.json as { id: string }).id
}
const answer = (id: string, body: object) => ask('handler', `POST /data-requests/${id}/answer`, body)
const DONE = { answer: 'ELSEWHERE', toldOn: TODAY, reason: 'Rättat hos Saffransbolaget' }
const NO = { answer: 'NOT_DONE', toldOn: TODAY, wasToldHow: true, reason: 'Bokföringen har rätt' }
const erase = () => ask('manager', `POST /debtors/${invoice.debtorId}/erasure`, { reason: 'asked' })
const erasure = async () =>
  (await ask('handler', `GET /debtors/${invoice.debtorId}/erasure`)).json as PersonErasure
const nameOf = async () => (await sql('select name from debtor where id = $1', invoice.debtorId))[0]?.name
const note = (kind: string, text: string) =>
  sql(
    `insert into task_note (instance_id, id, task_id, text, noted_by)
     select instance_id, gen_random_uuid(), id, $2, 'person:x' from task where kind = $1`,
    kind,
    text,
  )

/** What is over is found, approved and erased, as once a year. */
async function yearlyRun(): Promise<void> {
  const found = await ask('manager', 'POST /data-protection/find')
  const run = (found.json as { runs: (Run & { status: string })[] }).runs.find(
    ({ status }) => status === 'FOUND',
  )
  if (!run) return
  const { id, count, held } = run
  const approved = await ask('manager', 'POST /data-protection/approve', {
    run: id,
    count,
    held,
    reason: 'yearly',
  })
  expect(approved.status, approved.text).toBe(200)
  await eraseApproved(server.product.context)
}

test.each([
  ['RECTIFICATION', 'GDPR art. 16'],
  ['OBJECTION', 'GDPR art. 21'],
])('while %s waits for an answer nothing of the person goes, by no run', async (wish, ground) => {
  await endLongAgo(server.test, invoice, 12 * 9)
  const id = await entered({ wish })
  await yearlyRun()
  expect(told(await erase())).toEqual([400, 'nothing_over_time'])
  expect(await nameOf()).toBe('Ottilia Kanariefågel')
  expect(await placesOf(server.test, ['Kanelbulle'])).toEqual(['data_request.words'])
  expect(await erasure()).toEqual({ goes: [], stays: [{ kind: 'REQUEST', ground, until: null, count: 1 }] })
  expect((await answer(id, DONE)).status).toBe(200)
  await yearlyRun()
  expect(await nameOf()).toBe('[erased]')
  expect(await placesOf(server.test, ['Kanelbulle', 'Saffran'])).toEqual([])
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

test('whoever asks to be erased is erased but for who they are, until they have been told', async () => {
  await endLongAgo(server.test, invoice, 12 * 9)
  const id = await entered({ wish: 'ERASURE' })
  const before = await erasure()
  expect(before.goes.map(({ kind }) => kind)).toEqual(['ARCHIVE', 'CASE'])
  expect(before.stays).toEqual([{ kind: 'ANSWER', ground: 'GDPR art. 12.3', until: null, count: 1 }])
  expect((await erase()).status).toBe(200)
  await yearlyRun()
  expect(await placesOf(server.test, ['inte köpt detta']), 'what was disputed has gone').toEqual([])
  expect(await nameOf()).toBe('Ottilia Kanariefågel')
  expect(await placesOf(server.test, ['Kanelbulle'])).toEqual(['data_request.words'])
  expect(
    await sql('select erase_person($1, $2) as done', server.instanceId, invoice.debtorId),
    'nor by the database itself',
  ).toEqual([{ done: false }])
  expect((await answer(id, DONE)).status).toBe(200)
  expect((await erase()).status).toBe(200)
  expect(await nameOf()).toBe('[erased]')
  expect(await placesOf(server.test, ['Kanelbulle', 'Saffran'])).toEqual([])
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

test('what comes after a person was erased goes by the next run: a request, a flag, and what was written beside them', async () => {
  await endLongAgo(server.test, invoice, 12 * 9)
  expect((await erase()).status).toBe(200)
  const id = await entered({ wish: 'RECTIFICATION' })
  await note('data_request', 'Ringde från Muskotgränd')
  await yearlyRun()
  expect(await placesOf(server.test, ['Kanelbulle', 'Muskot']), 'it is not answered').toEqual([
    'data_request.words',
    'task_note.text',
  ])
  expect((await answer(id, { ...DONE, reason: 'Klart.' })).status).toBe(200)
  await yearlyRun()
  expect(await placesOf(server.test, ['Kanelbulle', 'Muskot'])).toEqual([])
  await note('data_request', 'Ringde igen från Muskotgränd')
  await yearlyRun()
  expect(await placesOf(server.test, ['Muskot'])).toEqual([])
  const [flag] = await sql(
    `insert into debtor_flag (instance_id, id, debtor_id, kind, from_day, source, set_by, set_on)
     values ($1, gen_random_uuid(), $2, 'DECEASED', $3, 'Brodern på Kardemummavägen', 'person:x', $3) returning id`,
    server.instanceId,
    invoice.debtorId,
    TODAY,
  )
  await yearlyRun()
  expect(await placesOf(server.test, ['Kardemumma'])).toEqual([])
  await sql(
    `update debtor_flag set ended_on = $2, ended_by = 'person:x', end_reason = 'Systern på Kardemummavägen' where id = $1`,
    flag?.id,
    TODAY,
  )
  await yearlyRun()
  expect(await placesOf(server.test, ['Kardemumma'])).toEqual([])
})

test('a lawful no has a ground of what was asked, a reason, and that the person was told how to complain', async () => {
  const wants = async (wish: string, body: object) => told(await answer(await entered({ wish }), body))
  const rectification = await entered({ wish: 'RECTIFICATION' })
  const refused = async (body: object) => told(await answer(rectification, body))
  expect(await refused({ ...NO })).toEqual([400, 'invalid_request', 'ground'])
  expect(await refused({ ...NO, ground: 'KEPT_BY_LAW' })).toEqual([400, 'invalid_request', 'ground'])
  expect(await refused({ ...NO, ground: 'DATA_ARE_RIGHT', wasToldHow: false })).toEqual([
    400,
    'invalid_request',
    'wasToldHow',
  ])
  expect(await refused({ ...NO, ground: 'DATA_ARE_RIGHT', reason: ' ' })).toEqual([
    400,
    'invalid_request',
    'reason',
  ])
  expect(await refused({ ...DONE, ground: 'DATA_ARE_RIGHT' })).toEqual([400, 'invalid_request', 'ground'])
  const done = await answer(rectification, { ...NO, ground: 'DATA_ARE_RIGHT' })
  expect(done.json).toMatchObject({ answer: 'NOT_DONE', ground: 'DATA_ARE_RIGHT', toldOn: TODAY })
  expect(await wants('ERASURE', { ...NO, ground: 'KEPT_BY_LAW' })).toEqual([200, undefined])
  expect(await wants('OBJECTION', { ...NO, ground: 'OVERRIDING_GROUNDS' })).toEqual([200, undefined])
  expect(await wants('ACCESS', { ...NO, ground: 'KEPT_BY_LAW' })).toEqual([400, 'invalid_request', 'answer'])
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

test('corrections and objections may stand beside each other, each with its own day and task', async () => {
  const first = await entered({ wish: 'RECTIFICATION', cameOn: addDays(TODAY, -9) })
  const second = await entered({ wish: 'RECTIFICATION' })
  await entered({ wish: 'OBJECTION' })
  await entered({ wish: 'OBJECTION' })
  for (const wish of ['ACCESS', 'ERASURE']) {
    await entered({ wish })
    expect(told(await tryEnter({ wish })), wish).toEqual([400, 'request_stands', 'wish'])
  }
  const days = await sql(
    'select id, due_on::text as due from data_request where id = any ($1) order by came_on',
    [first, second],
  )
  expect(days).toEqual([
    { id: first, due: '2026-12-11' },
    { id: second, due: '2026-12-21' },
  ])
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

test('nobody was handed a copy before the day on which it was made', async () => {
  const [now] = await sql(`select (now() at time zone 'Europe/Stockholm')::date::text as day`)
  server.clock.moveTo(addDays(now?.day, 3))
  const id = await entered({ wish: 'ACCESS', cameOn: addDays(now?.day, -3) })
  await ask('handler', `POST /debtors/${invoice.debtorId}/personal-data`, { reason: 'by letter' })
  const [made] = await sql(
    `select (at at time zone 'Europe/Stockholm')::date::text as day from audit_event where kind = 'person_exported'`,
  )
  const handed = (toldOn: string) => answer(id, { answer: 'HANDED_OUT', toldOn })
  expect(told(await handed(addDays(made?.day, -1)))).toEqual([400, 'day_out_of_reach', 'toldOn'])
  expect((await handed(made?.day)).status).toBe(200)
})

test('a number that was corrected gives nobody another’s request; who was erased keeps theirs; both stay until the answer', async () => {
  const other = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
  const setNumber = (of: BuiltInvoice, number: string) =>
    sql('update debtor set identification_number = $2 where id = $1', of.debtorId, number)
  await setNumber(invoice, '19811218-9876')
  await setNumber(other, '811218-9876')
  const id = await entered({ wish: 'OBJECTION' })
  const listed = async (of: BuiltInvoice) =>
    (
      (await ask('auditor', `GET /debtors/${of.debtorId}/data-requests`)).json as {
        requests: { id: string }[]
      }
    ).requests.map((one) => one.id)
  expect(await listed(other)).toEqual([id])
  await setNumber(other, '19640823-3234')
  expect(await listed(other)).toEqual([])
  const copied = await ask('handler', `POST /debtors/${other.debtorId}/personal-data`, {
    reason: 'by letter',
  })
  expect(copied.text).not.toContain('Kanelbulle')
  const isHeld = async (of: BuiltInvoice) =>
    (await sql('select is_held($1, $2) as held', server.instanceId, of.debtorId))[0]?.held
  expect(await isHeld(other), 'as it was when it was entered').toBe(true)
  const third = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41106' })
  expect(await isHeld(third)).toBe(false)
  await setNumber(third, '8112189876')
  expect(await listed(third)).toEqual([id])
  expect(await isHeld(third), 'as it is now').toBe(true)
  expect((await answer(id, DONE)).status).toBe(200)
  expect([await isHeld(other), await isHeld(third)]).toEqual([false, false])
})

test('the words of an answered request go three years after the answer, what was asked and answered stays', async () => {
  const id = await entered({ wish: 'RECTIFICATION' })
  await note('data_request', 'Ringde från Muskotgränd')
  expect((await answer(id, DONE)).status).toBe(200)
  await sql('alter table data_request disable trigger data_request_a_in_order')
  const answeredAgo = (months: number, days: number) =>
    sql(
      `update data_request set answered_on = (current_date - make_interval(months => $2, days => $3))::date where id = $1`,
      id,
      months,
      days,
    )
  await answeredAgo(36, -1)
  await sql('alter table data_request enable trigger data_request_a_in_order')
  await yearlyRun()
  expect(await placesOf(server.test, ['Kanelbulle', 'Saffran', 'Muskot'])).toEqual([
    'data_request.reason',
    'data_request.words',
    'task_note.text',
  ])
  await sql('alter table data_request disable trigger data_request_a_in_order')
  await answeredAgo(36, 0)
  await sql('alter table data_request enable trigger data_request_a_in_order')
  await yearlyRun()
  expect(await placesOf(server.test, ['Kanelbulle', 'Saffran', 'Muskot'])).toEqual([])
  expect(await nameOf()).toBe('Ottilia Kanariefågel')
  const shown = await ask('auditor', `GET /data-requests/${id}`)
  expect(shown.json).toMatchObject({
    wish: 'RECTIFICATION',
    answer: 'ELSEWHERE',
    words: '[erased]',
    toldOn: TODAY,
  })
})

test('what was answered is not answered anew, not even past the program', async () => {
  const id = await entered({ wish: 'RECTIFICATION' })
  expect((await answer(id, DONE)).status).toBe(200)
  for (const change of [`told_on = told_on - 1`, `reason = 'x'`, `came_on = came_on - 1`])
    await expect(sql(`update data_request set ${change} where id = $1`, id), change).rejects.toMatchObject({
      code: 'KV002',
    })
})

test.each([
  ['SE', 'sv', 'Integritetsskyddsmyndigheten (IMY)'],
  ['NO', 'nb', 'Datatilsynet'],
  ['DK', 'da', 'Datatilsynet'],
  ['FI', 'fi', 'Tietosuojavaltuutettu'],
  ['DE', 'en', 'the data protection authority'],
] as const)(
  'the letter about erasure says in %s whom to complain to, where something stays',
  (country, language, whom) => {
    const stays = [{ kind: 'OPEN', ground: '', until: null, count: 1 }] as const
    const words = (told: PersonErasure) => JSON.stringify(erasureRows(told, country, language))
    expect(words({ goes: [], stays: [...stays] })).toContain(whom)
    expect(words({ goes: [{ kind: 'BOOKS', count: 1 }], stays: [] })).not.toContain(whom)
  },
)

test('the table of a person’s data has the day on which a request came and on which a flag was set', () => {
  const rows = {
    data_request: [{ came_on: '2026-11-20', words: 'x' }],
    debtor_flag: [{ set_on: '2026-11-19' }],
  }
  expect([...tableRows(rows, 'sv')].map(([row]) => row?.[1])).toEqual(['2026-11-20', '2026-11-19'])
})
