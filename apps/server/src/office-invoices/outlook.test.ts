/** What staff are told of an invoice: the steps to come, the letters, and the messages. */
import { beforeAll, expect, test } from 'vitest'
import { addDays, daysBetween, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { buildClaim } from '../testing/build-claim.ts'
import { buildInvoice, TODAY, type BuiltInvoice, type InvoiceWishes } from '../testing/build.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let first: BuiltInvoice
let clerk: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  first = await buildInvoice(server.test, server.instanceId, server.clock)
  clerk = await signIn('clerk')
})

const signIn = (role: 'clerk' | 'viewer') =>
  signInStaff(server.product.context, {
    instanceId: server.instanceId,
    creditorId: first.creditorId,
    role,
  })
const build = (wishes: InvoiceWishes = {}) =>
  buildInvoice(server.test, server.instanceId, server.clock, { beside: first, ...wishes })
const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const headers = ({ authorization }: SignedIn) => ({ authorization })

type Step = { readonly type: string; readonly number: number; readonly date: string; readonly fee: number }
const look = async (id: string) => {
  const { status, json, text } = await server.call('GET', `/api/client/invoices/${id}/outlook`, {
    headers: headers(clerk),
  })
  expect(status, text).toBe(200)
  return json as { steps: Step[]; toCollection: Step[] | null }
}

/** Plays the nights until `last`; the clock is back on today afterwards. */
async function playNights(last: string) {
  const { context } = server.product
  for (let n = 1; n <= daysBetween(TODAY, last as CalendarDate); n++) {
    server.clock.moveTo(addDays(TODAY, n))
    await performDailyRun(context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, addDays(TODAY, n))
  }
  server.clock.moveTo(TODAY)
}

/** What the nights did to an invoice and its claim, with what each step was booked at. */
const done = (id: string) =>
  sql(
    `select s.type, s.number, coalesce(s.performed_date, s.planned_date)::text as date, coalesce((select sum(p.amount_minor) from ledger_transaction t
         join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
         join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind like '%costs%'
       where t.instance_id = s.instance_id and t.cause = 'step:' || s.id and p.amount_minor > 0), 0)::float / 100 as fee
     from collection_step s left join invoice i on i.instance_id = s.instance_id and i.id = $1
     where s.debt_id in ($1, i.claim_id) and s.status in ('PERFORMED', 'ASKED') and s.type <> 'INVOICE'
     order by 3, s.id`,
    [id],
  )

test('the steps to come are those that the nights take, on their days and at their fees', async () => {
  const person = await build({ dueDate: addDays(TODAY, 3) })
  const told = (await look(person.id)).steps
  expect(told.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['REMINDER', 'COLLECTION', 'COLLECTION_CLAIM', 'SCHEDULE_END']),
  )
  expect(told.reduce((sum, { fee }) => sum + fee, 0)).toBe(240)
  await playNights(told.at(-1)?.date ?? '')
  expect(told.map(({ type, number, date, fee }) => ({ type, number, date, fee }))).toEqual(
    await done(person.id),
  )
})

test('what handing over makes of it is what the nights make of it afterwards', async () => {
  const late = await build({ dueDate: addDays(TODAY, -2) })
  const { steps, toCollection } = await look(late.id)
  const day = (found: readonly Step[] | null) => found?.find(({ type }) => type === 'COLLECTION')?.date ?? ''
  expect(day(toCollection) < day(steps)).toBe(true)
  const handed = await server.call('POST', `/api/client/invoices/${late.id}/to-collection`, {
    body: { ground: 'Betalar aldrig' },
    headers: headers(clerk),
  })
  expect(handed.status, handed.text).toBe(200)
  await playNights(day(toCollection))
  const until = toCollection?.filter(({ date }) => date <= day(toCollection))
  expect(await done(late.id)).toEqual(
    until?.map(({ type, number, date, fee }) => ({ type, number, date, fee })),
  )
})

test('nothing comes to what rests, is paid in another place, or was never sent', async () => {
  const paused = await build()
  await server.call('POST', `/api/client/invoices/${paused.id}/pause`, {
    body: { until: addDays(TODAY, 10), reason: 'Sjuk' },
    headers: headers(clerk),
  })
  const draft = await build({ status: 'CREATED' })
  for (const { id } of [paused, draft]) expect(await look(id)).toEqual({ steps: [], toCollection: null })
})

test('the letters of an invoice open for whoever is signed in, and for nobody afterwards', async () => {
  const viewer = await signIn('viewer')
  const one = await build()
  await sql('update invoice set has_copy = true where id = $1', [one.id])
  const list = (id: string) =>
    server.call('GET', `/api/client/invoices/${id}/documents`, { headers: headers(viewer) })
  const [copy] = (await list(one.id)).json as { type: string; fileName: string }[]
  expect(copy?.type).toBe('INVOICE_WITH_ATTACHMENTS')
  const open = () => server.call('GET', `/api/storage/${copy?.fileName ?? ''}`)
  const opened = await open()
  expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect((await list((await build({ status: 'CREATED' })).id)).json).toEqual([])
  await server.call('DELETE', '/api/client/session', { headers: headers(viewer) })
  expect((await open()).status).toBe(404)
})

test('what the debtor was told, and on which way', async () => {
  const one = await build()
  await sql(
    `insert into mail_outbox (instance_id, id, channel, kind, cause, invoice_id, status, sent_at, refusals, created_at) values
      ($1, gen_random_uuid(), 'LETTER', 'reminder', 'test:' || $2, $2::uuid, 'SENT', '2026-11-19T08:00:00Z',
        '{"DIGITAL_MAILBOX not connected","EMAIL bounced"}', '2026-11-18T23:30:00Z')`,
    [server.instanceId, one.id],
  )
  const answer = await server.call('GET', `/api/client/invoices/${one.id}/messages`, {
    headers: headers(clerk),
  })
  expect(answer.json).toEqual([
    {
      id: expect.any(String),
      kind: 'reminder',
      representative: null,
      subject: 'Betalningspåminnelse',
      date: '2026-11-19',
      channel: 'LETTER',
      status: 'SENT',
      sentAt: '2026-11-19T08:00:00.000Z',
      closedChannels: ['DIGITAL_MAILBOX', 'EMAIL'],
    },
  ])
})

test('the demand of a claim opens for its creditor', async () => {
  const claim = await buildClaim(server.test, server.instanceId, server.clock, {
    daysAgo: 40,
    invoices: [{ totalMinor: 100_000 }],
  })
  const viewer = await signInStaff(server.product.context, {
    instanceId: server.instanceId,
    creditorId: claim.invoices[0]?.creditorId ?? '',
    role: 'viewer',
  })
  const read = (what: string) =>
    server.call('GET', `/api/client/collection-batches/${claim.id}/${what}`, { headers: headers(viewer) })
  const [demand] = (await read('documents')).json as { type: string; fileName: string }[]
  expect(demand?.type).toBe('COLLECTION_CLAIM')
  expect((await server.call('GET', `/api/storage/${demand?.fileName ?? ''}`)).status).toBe(200)
  expect(((await read('messages')).json as { kind: string }[]).map(({ kind }) => kind)).toContain('demand')
})
