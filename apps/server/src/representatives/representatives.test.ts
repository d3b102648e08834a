/** Guardians whose day has been, or whom nothing asks for any more: nobody is written to by them (M-37). */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { queueMail } from '../mail/mail.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { openOffice, told, type AskOffice } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { brokenInvariants } from '../testing/test-database.ts'
import { endOverRepresentatives } from './representatives.ts'

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
const atHome = () => ({ id: server.instanceId, timeZone: 'Europe/Stockholm' })
const night = (day: CalendarDate) => performDailyRun(server.product.context, atHome(), day)
const GUARDIAN = {
  kind: 'GUARDIAN',
  name: 'Gun Förmyndare',
  email: 'gun@example.com',
  phone: '91234567',
  address: 'Vårdgatan 3',
  zip: '0150',
  city: 'Oslo',
  countryCode: 'NO',
  source: 'Registerutdrag 2026-11-01',
}
type Shown = {
  isResting: boolean
  flags: { id: string; kind: string; answer: string | null; endedOn: string | null }[]
  representatives: { id: string; endedOn: string | null }[]
}
const read = async () => (await ask('handler', `GET /debtors/${debt.debtorId}`)).json as Shown
const enter = (body: object = {}) =>
  ask('handler', `POST /debtors/${debt.debtorId}/representatives`, { ...GUARDIAN, ...body })
const flag = async (kind = 'MINOR'): Promise<string> => {
  const body = { kind, from: TODAY, source: 'Folkbokföringen' }
  const answer = await ask('support', `POST /debtors/${debt.debtorId}/flags`, body)
  expect(answer.status, answer.text).toBe(200)
  return (answer.json as Shown).flags.find((one) => one.kind === kind && one.endedOn === null)?.id ?? ''
}
const goOn = (id: string) => ask('handler', `POST /debtor-flags/${id}/answer`, { answer: 'GO_ON' })
const endFlag = (id: string) => ask('manager', `POST /debtor-flags/${id}/end`, { reason: 'Fyllde 18.' })
const mails = () =>
  sql('select kind, status, recipient from mail_outbox where invoice_id = $1 order by created_at, id', [
    debt.id,
  ])
/** A news message about the debt, written down whole. */
const queueNews = (cause: string) =>
  server.product.context.db.transaction((tx) =>
    queueMail(server.product.context, tx, {
      kind: 'payment_received',
      cause,
      instanceId: server.instanceId,
      debt: { invoiceId: debt.id },
    }),
  )

test('a night after the last day finds the guardian ended, also one that is caught up with', async () => {
  await enterFor({ until: addDays(TODAY, 2) })
  // The process was down: all nights come at once, and no job has run.
  server.clock.moveTo(addDays(TODAY, 20))
  for (let day = 1; day <= 20; day += 1) await night(addDays(TODAY, day))
  await server.product.sendMail()
  expect((await read()).isResting).toBe(true)
  expect((await read()).representatives[0]?.endedOn).toBe(addDays(TODAY, 3))
  expect((await mails()).filter(({ status }) => status === 'SENT')).toEqual([])
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

async function enterFor(body: object = {}): Promise<string> {
  const id = await flag()
  const entered = await enter(body)
  expect(entered.status, entered.text).toBe(200)
  expect((await goOn(id)).status).toBe(200)
  return id
}

test('what waits does not leave to a guardian whose last day has been, and nobody says that it goes on', async () => {
  const id = await flag()
  await enter({ until: addDays(TODAY, 2) })
  await queueNews('test:late')
  server.clock.moveTo(addDays(TODAY, 3))
  await server.product.sendMail()
  expect(await mails()).toMatchObject([{ status: 'WAITING' }])
  expect(told(await goOn(id))).toEqual([400, 'guardian_missing', 'answer'])
})

test('with the last flag that asks for a guardian theirs is over, and nobody is entered without one', async () => {
  expect(told(await enter())).toEqual([400, 'guardian_unneeded', 'kind'])
  const minor = await enterFor()
  const ward = await flag('GUARDIAN')
  expect((await endFlag(ward)).status).toBe(200)
  expect((await read()).representatives[0]?.endedOn, 'a minor still').toBeNull()
  expect((await endFlag(minor)).status).toBe(200)
  expect((await read()).representatives[0]?.endedOn).toBe(TODAY)
  for (let day = 1; day <= 12; day += 1) {
    server.clock.moveTo(addDays(TODAY, day))
    await night(addDays(TODAY, day))
    await server.product.sendMail()
  }
  const sent = await mails()
  expect(sent.length).toBeGreaterThan(0)
  expect(JSON.stringify(sent)).not.toContain('gun@example.com')
  expect(await brokenInvariants(server.test.owner)).toEqual({})
})

test('one that cannot be ended is set aside with a task, and the others end', async () => {
  const until = addDays(TODAY, 1)
  await enterFor({ until })
  const stuck = (await read()).representatives[0]?.id ?? ''
  debt = await buildInvoice(server.test, server.instanceId, server.clock, { dueDate: addDays(TODAY, -1) })
  await enterFor({ until })
  await sql(`create function test_stuck() returns trigger language plpgsql as $$ begin raise 'stuck'; end $$`)
  await sql(
    `create trigger test_stuck before update on representative for each row when (old.id = '${stuck}') execute function test_stuck()`,
  )
  try {
    server.clock.moveTo(addDays(TODAY, 2))
    await endOverRepresentatives(server.product.context, [atHome()])
    expect((await read()).representatives[0]?.endedOn).toBe(addDays(TODAY, 2))
    expect(
      await sql(`select kind from task where about = $1 and done_at is null`, [
        `end representative ${stuck}`,
      ]),
    ).toEqual([{ kind: 'work_stuck' }])
  } finally {
    await sql('drop trigger test_stuck on representative')
    await sql('drop function test_stuck()')
  }
  await endOverRepresentatives(server.product.context, [atHome()])
})

test('of two who told the same, each rest that begins again can be answered', async () => {
  const own = await flag()
  await sql(
    `insert into debtor_flag (instance_id, id, debtor_id, kind, from_day, source, reported_by, set_by, set_on)
     values ($1, gen_random_uuid(), $2, 'MINOR', $3, 'x', $4, 'test', $3)`,
    [server.instanceId, debt.debtorId, TODAY, debt.creditorId],
  )
  await enter()
  await goOn(own)
  const other = (await read()).flags.find((one) => one.id !== own)?.id ?? ''
  await goOn(other)
  const [one] = (await read()).representatives
  await ask('manager', `POST /representatives/${one?.id}/end`, { reason: 'Slut.' })
  const asked = await sql(
    `select t.about from task t where t.kind = 'debtor_flagged' and t.done_at is null
       and not exists (select from debtor_flag f where t.about = 'flag:' || f.id and f.ended_on is null)`,
  )
  expect(asked, 'of flags that do not stand').toEqual([])
  expect((await read()).flags.filter(({ endedOn }) => endedOn === null).length).toBeGreaterThan(0)
})

test('news for a guardian who acts no more goes to the debtor', async () => {
  const id = await enterFor()
  await queueNews('test:news')
  expect(await mails()).toMatchObject([{ recipient: 'gun@example.com' }])
  await endFlag(id)
  await server.product.sendMail()
  const [sent] = await mails()
  expect(sent).toMatchObject({ status: 'SENT' })
  expect(sent?.recipient).not.toBe('gun@example.com')
})

test('a letter that was drawn and waits is drawn again for whoever gets it now', async () => {
  const kept = async () =>
    (
      await sql('select file_id from mail_outbox where invoice_id = $1 and kind = $2', [
        debt.id,
        'new_invoice',
      ])
    )[0]
  await sql(
    `with f as (insert into file (instance_id, id, mime_type, content)
       values ($1, gen_random_uuid(), 'application/pdf', 'x') returning id)
     insert into mail_outbox (instance_id, id, channel, kind, cause, invoice_id, file_id)
     select $1, gen_random_uuid(), 'LETTER', 'new_invoice', 'test:' || $2::uuid, $2::uuid, f.id from f`,
    [server.instanceId, debt.id],
  )
  const draw = () =>
    sql(
      `update mail_outbox set file_id = (select id from file where instance_id = $1 limit 1) where invoice_id = $2`,
      [server.instanceId, debt.id],
    )
  const id = await flag()
  expect((await kept())?.file_id).not.toBeNull()
  await enter()
  expect(await kept()).toEqual({ file_id: null })
  await draw()
  expect((await endFlag(id)).status).toBe(200)
  expect(await kept()).toEqual({ file_id: null })
})
