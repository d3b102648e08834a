/** Minors and wards (M-37): who acts for them, gets their letters, and without whom nobody dunns them. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { signIn } from '../testing/sign-in.ts'
import { openOffice, signInStaff, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { brokenInvariants } from '../testing/test-database.ts'
import { endOverRepresentatives } from '../representatives/representatives.ts'

let server: TestServer
let ask: AskOffice
let debt: BuiltInvoice

beforeAll(async () => {
  server = await startTestServer()
  ask = await openOffice(server, ['support', 'handler', 'manager'])
})
beforeEach(async () => {
  server.clock.moveTo(TODAY)
  debt = await buildInvoice(server.test, server.instanceId, server.clock, { dueDate: addDays(TODAY, -1) })
})

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const night = (day: CalendarDate) => {
  server.clock.moveTo(day)
  return performDailyRun(server.product.context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}
const nights = async (from: number, to: number) => {
  for (let day = from; day <= to; day += 1) {
    await night(addDays(TODAY, day))
    await server.product.sendMail()
  }
}
const GUARDIAN = {
  kind: 'GUARDIAN',
  name: 'Gun Förmyndare',
  email: 'gun@example.com',
  address: 'Vårdgatan 3',
  zip: '41105',
  city: 'Göteborg',
  countryCode: 'SE',
  source: 'Registerutdrag 2026-11-01',
}
type Shown = {
  isResting: boolean
  flags: { id: string; kind: string; answer: string | null; endedOn: string | null }[]
  representatives: { id: string; name: string; email: string | null; endedOn: string | null }[]
}
const read = async (who: 'support' | 'handler' = 'handler') =>
  (await ask(who, `GET /debtors/${debt.debtorId}`)).json as Shown
const enter = (body: object = {}, key?: string) =>
  ask('handler', `POST /debtors/${debt.debtorId}/representatives`, { ...GUARDIAN, ...body }, key)
const flag = async (kind = 'MINOR'): Promise<string> => {
  const body = { kind, from: TODAY, source: 'Folkbokföringen' }
  const answer = await ask('support', `POST /debtors/${debt.debtorId}/flags`, body)
  expect(answer.status, answer.text).toBe(200)
  return (answer.json as Shown).flags[0]?.id ?? ''
}
const goOn = (id: string) => ask('handler', `POST /debtor-flags/${id}/answer`, { answer: 'GO_ON' })
const mails = () =>
  sql(
    `select m.kind, m.channel, m.status, m.recipient, r.name as representative from mail_outbox m
     left join representative r on r.id = m.representative_id where m.invoice_id = $1 order by m.created_at, m.id`,
    [debt.id],
  )
const openTasks = () =>
  sql(
    `select t.about from task t join debtor_flag f on t.about = 'flag:' || f.id
     where f.debtor_id = $1 and t.kind = 'debtor_flagged' and t.done_at is null`,
    [debt.debtorId],
  )

test.each(['MINOR', 'GUARDIAN'])(
  '%s: everything rests until a guardian is entered, who gets the letters',
  async (kind) => {
    const id = await flag(kind)
    expect(await read()).toMatchObject({ isResting: true })
    expect(await openTasks()).toEqual([{ about: `flag:${id}` }])
    await nights(1, 12)
    expect(await mails()).toEqual([])
    expect(told(await goOn(id)), 'nobody acts for them').toEqual([400, 'guardian_missing', 'answer'])
    expect((await enter()).status).toBe(200)
    expect(await read(), 'who is entered has nothing go on').toMatchObject({ isResting: true })
    expect((await goOn(id)).status).toBe(200)
    expect(await read()).toMatchObject({ isResting: false })
    await nights(13, 30)
    await server.product.sendMail()
    const sent = await mails()
    expect(sent.length).toBeGreaterThan(0)
    expect(sent[0]).toMatchObject({ channel: 'EMAIL', status: 'SENT', recipient: 'gun@example.com' })
    expect(new Set(sent.map((mail) => mail.representative))).toEqual(new Set(['Gun Förmyndare']))
    const messages = (await ask('support', `GET /invoices/${debt.id}/messages`)).json as {
      representative: string | null
    }[]
    expect(messages[0]?.representative).toBe('Gun Förmyndare')
    expect(await brokenInvariants(server.test.owner)).toEqual({})
  },
  120_000,
)

test('without the guardian it rests again at once, and is asked about; a day that has been ends it too', async () => {
  const id = await flag()
  const until = addDays(TODAY, 5)
  await enter({ until })
  await goOn(id)
  await nights(1, 4)
  server.clock.moveTo(until)
  const jobs = () =>
    endOverRepresentatives(server.product.context, [{ id: server.instanceId, timeZone: 'Europe/Stockholm' }])
  await jobs()
  expect(await read(), 'the last day is one of theirs').toMatchObject({ isResting: false })
  server.clock.moveTo(addDays(until, 1))
  await Promise.all([jobs(), jobs()])
  const rested = await read()
  expect(rested.isResting).toBe(true)
  expect(rested.flags.map(({ kind, answer, endedOn }) => [kind, answer, endedOn !== null])).toEqual([
    ['MINOR', null, false],
    ['MINOR', 'GO_ON', true],
  ])
  expect(await openTasks()).toEqual([{ about: `flag:${rested.flags[0]?.id}` }])
  const before = await mails()
  await nights(7, 20)
  expect(await mails(), 'nobody is written to').toEqual(before)

  expect((await enter()).status).toBe(200)
  expect((await goOn(rested.flags[0]?.id ?? '')).status).toBe(200)
  const [one] = (await read()).representatives.filter(({ endedOn }) => endedOn === null)
  const end = (reason: string, key?: string) =>
    ask('handler', `POST /representatives/${one?.id}/end`, { reason }, key)
  expect(told(await end(' '))).toEqual([400, 'why_required', 'reason'])
  const twice = await Promise.all([end('Entledigad.', 'k1'), end('Entledigad.', 'k1')])
  expect(twice.map(({ status }) => status)).toEqual([200, 200])
  expect(told(await end('Igen.'))).toEqual([400, 'act_not_open'])
  expect((await read()).isResting).toBe(true)
  expect(await openTasks()).toHaveLength(1)
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

test('who says that it goes on and who ends the guardian, at once: nobody is dunned without one', async () => {
  for (let round = 0; round < 4; round += 1) {
    debt = await buildInvoice(server.test, server.instanceId, server.clock, { dueDate: addDays(TODAY, -1) })
    const id = await flag()
    await enter()
    const [one] = (await read()).representatives
    const [went, ended] = await Promise.all([
      goOn(id),
      ask('manager', `POST /representatives/${one?.id}/end`, { reason: 'Slut.' }),
    ])
    expect([200, 400]).toContain(went?.status)
    expect(ended?.status, ended?.text).toBe(200)
    expect((await read()).isResting).toBe(true)
  }
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

test('what cannot be is refused, and one acts at a time', async () => {
  const refused = async (body: object) => told(await enter(body))
  expect(await refused({ zip: 'xx' })).toEqual([400, 'invalid_request', 'zip'])
  expect(await refused({ countryCode: 'XX' })).toContain('countryCode')
  expect(await refused({ email: 'gun' })).toEqual([400, 'invalid_email', 'email'])
  expect(await refused({ until: addDays(TODAY, -1) })).toEqual([400, 'day_out_of_reach', 'until'])
  expect(await refused({ kind: 'LAWYER' })).toEqual([400, 'invalid_request', 'kind'])
  expect(await refused({})).toEqual([400, 'guardian_unneeded', 'kind'])
  await flag()
  expect((await enter({}, 'g1')).status).toBe(200)
  expect((await enter({}, 'g1')).status, 'the same once more').toBe(200)
  expect(await refused({})).toEqual([400, 'representative_stands', 'kind'])
  expect(told(await ask('support', `POST /debtors/${debt.debtorId}/representatives`, GUARDIAN))).toEqual([
    403,
    'not_allowed',
  ])
})

test('the debtor sees who acts for them; a creditor the name alone; of a protected person nobody where the guardian lives', async () => {
  await flag()
  await enter({ until: addDays(TODAY, 90) })
  const session = await signIn(server.product.context, server.instanceId, [debt.debtorId])
  expect((await server.call('GET', '/api/debtor/session', { headers: session })).json).toMatchObject({
    guardian: { name: 'Gun Förmyndare', until: addDays(TODAY, 90) },
  })
  const clerk = await signInStaff(server.product.context, {
    instanceId: server.instanceId,
    creditorId: debt.creditorId,
    role: 'clerk',
  })
  const seen = await server.call('GET', `/api/client/debtors/${debt.debtorId}`, { headers: { ...clerk } })
  expect((seen.json as Shown).representatives).toMatchObject([
    { name: 'Gun Förmyndare', email: null, source: null, address: null },
  ])
  expect((await read('support')).representatives).toMatchObject([{ email: 'gun@example.com' }])
  await flag('PROTECTED')
  expect(JSON.stringify(await read())).not.toMatch(/gun@example|Vårdgatan/)
  const shown = await ask('handler', `POST /debtors/${debt.debtorId}/protected`, { reason: 'Ringer.' })
  expect(shown.text).toContain('Vårdgatan 3')
})
