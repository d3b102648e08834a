/** An operator's people look through what was sent, and put right what did not arrive: once, with who and why. */
import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { OutboxMessageDetail } from '@kvitt/domain/messages/outbox.contract.ts'
import { openTask } from '../tasks/tasks.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let support: SignedIn
let auditor: SignedIn
let invoice: BuiltInvoice
beforeAll(async () => {
  server = await startTestServer()
  const at = { instanceId: server.instanceId, creditorId: null }
  support = await signInStaff(server.product.context, { ...at, role: 'support' })
  auditor = await signInStaff(server.product.context, { ...at, role: 'auditor' })
})
beforeEach(async () => {
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
})

const sql = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.test.owner.query(text, values)).rows as Row[]

type Made = {
  status?: string
  channel?: string
  kind?: string
  next?: string[]
  refusals?: string[]
  text?: string | null
}

async function message(made: Made = {}): Promise<string> {
  const {
    status = 'SENT',
    channel = 'EMAIL',
    kind = 'payment_received',
    next = [],
    refusals = [],
    text = 'Hej',
  } = made
  const [row] = await sql<{ id: string }>(
    `insert into mail_outbox (instance_id, id, channel, kind, cause, recipient, language, subject, text_body, html_body, invoice_id,
       status, sent_at, next_channels, refusals, tries, next_at, last_error)
     values ($1, gen_random_uuid(), $2, $3, $4, 'old@example.com', case when $5::text is null then null else 'sv' end,
       case when $5::text is null then null else 'Betalning' end, $5, null, $6, $7, case when $7 = 'SENT' then now() end, $8, $9, 3,
       now() + interval '3 hours', case when $7 = 'DEAD' then '550' end) returning id`,
    [server.instanceId, channel, kind, randomUUID(), text, invoice.id, status, next, refusals],
  )
  return row?.id ?? ''
}
async function dead(made: Made = {}): Promise<string> {
  const id = await message({ ...made, status: 'DEAD' })
  const about = `mail:${id}`
  await openTask(server.test.db, {
    instanceId: server.instanceId,
    kind: 'mail_undeliverable',
    about,
    details: {},
  })
  return id
}
const ask = (path: string, body?: object, key?: string, headers = support): Promise<Answer> =>
  server.call(
    body === undefined && !path.endsWith('send-now') ? 'GET' : 'POST',
    `/api/admin/outbox/${path}`,
    {
      ...(body === undefined ? {} : { body }),
      headers: { ...headers, 'accept-language': 'en', ...(key ? { 'idempotency-key': key } : {}) },
    },
  )
const detail = async (id: string): Promise<OutboxMessageDetail> => (await ask(id)).json
const told = ({ status, json }: Answer) => [status, (json as { code?: string }).code]
const WHY = { reason: 'Adressen är rättad.' }
const isTaskOpen = async (id: string) =>
  (await sql(`select from task where about = $1 and done_at is null`, [`mail:${id}`])).length === 1
const deeds = (id: string) =>
  sql(`select kind, after from audit_event where about = $1 order by seq`, [`mail:${id}`])

test('a message says whom it reached and how, and a list is narrowed to what failed', async () => {
  const id = await dead({ channel: 'SMS', refusals: ['EMAIL 550', 'DIGITAL_MAILBOX no number'] })
  const sent = await message()
  expect(await detail(id)).toMatchObject({
    kind: 'payment_received',
    subject: expect.stringMatching(/^[A-Z]/),
    status: 'DEAD',
    channel: 'SMS',
    closed: [
      { channel: 'EMAIL', error: '550' },
      { channel: 'DIGITAL_MAILBOX', error: 'no number' },
    ],
    tries: 3,
    error: '550',
    debt: { type: 'invoices', id: invoice.id, number: invoice.number },
    debtor: { id: invoice.debtorId },
    creditor: { id: invoice.creditorId },
    nextAt: null,
    acts: ['resend', 'drop'],
    text: 'Hej',
  })
  const of = { 'debtor.id': invoice.debtorId }
  const found = async (filters: object) =>
    ((await ask('search', { filters })).json as { id: string }[]).map((one) => one.id)
  expect(new Set(await found(of))).toEqual(new Set([id, sent]))
  expect(await found({ ...of, status: 'DEAD' })).toEqual([id])
  expect(await found({ ...of, kind: 'reminder' })).toEqual([])
  expect(told(await ask('search', { filters: { status: 'LOST' } }))).toEqual([400, 'invalid_filter'])
})

test('what nobody took goes again to the address as it is now, with why, and its task ends', async () => {
  const id = await dead({ refusals: ['SMS no number'] })
  expect(told(await ask(`${id}/resend`, { reason: ' .' }))).toEqual([400, 'invalid_request'])
  expect(told(await ask(`${id}/resend`, WHY, undefined, auditor))).toEqual([403, 'not_allowed'])
  const key = randomUUID()
  const both = await Promise.all([ask(`${id}/resend`, WHY, key), ask(`${id}/resend`, WHY, key)])
  for (const answer of both)
    expect(answer.json, answer.text).toMatchObject({ id, status: 'WAITING', channel: 'SMS' })
  expect(await detail(id)).toMatchObject({ recipient: null, tries: 0, nextChannels: ['EMAIL'] })
  expect(await isTaskOpen(id)).toBe(false)
  const [task] = await sql<{ id: string; by: string }>(
    `select id, done_by as by from task where about = $1`,
    [`mail:${id}`],
  )
  expect(task?.by).toMatch(/^person:/)
  expect(await sql(`select kind, reason from audit_event where about = $1`, [`task:${task?.id}`])).toEqual([
    { kind: 'task_done', reason: WHY.reason },
  ])
  expect(told(await ask(`${id}/resend`, WHY))).toEqual([400, 'message_not_open'])
})

test('of two who decide one message, one is told that it is decided', async () => {
  const id = await dead()
  const both = await Promise.all([ask(`${id}/resend`, WHY), ask(`${id}/drop`, WHY)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  expect(await isTaskOpen(id)).toBe(false)
})

test('a letter of the schedule is only mended', async () => {
  const id = await dead({ kind: 'reminder', text: null })
  const [step] = await sql<{ id: string }>(
    `insert into collection_step (instance_id, id, invoice_id, type, number, planned_date, status)
     values ($1, gen_random_uuid(), $2, 'REMINDER', 1, '2026-11-01', 'ON_HOLD') returning id`,
    [server.instanceId, invoice.id],
  )
  await sql(`update mail_outbox set step_id = $2::uuid, cause = 'step:' || $2::uuid where id = $1`, [
    id,
    step?.id,
  ])
  await sql(
    `update task set details = jsonb_build_object('cause', 'step:' || $2::text, 'kind', 'reminder') where about = $1`,
    [`mail:${id}`, step?.id],
  )
  expect((await detail(id)).acts).toEqual(['mended'])
  expect(told(await ask(`${id}/resend`, WHY))).toEqual([400, 'message_not_open'])
  const answer = await ask(`${id}/mended`, WHY)
  expect(answer.status, answer.text).toBe(200)
  expect([await isTaskOpen(id), (await detail(id)).status]).toEqual([false, 'DEAD'])
})

test('one that was sent goes once more as another message; one with a secret does not', async () => {
  const id = await message({ refusals: ['SMS no number'] })
  const key = randomUUID()
  const both = await Promise.all([ask(`${id}/resend`, WHY, key), ask(`${id}/resend`, WHY, key)])
  const copies = new Set(both.map(({ json }) => (json as { id: string }).id))
  expect(copies.size, both[0]?.text).toBe(1)
  const [copy = ''] = copies
  expect(copy).not.toBe(id)
  expect(await detail(copy)).toMatchObject({
    status: 'WAITING',
    channel: 'SMS',
    nextChannels: ['EMAIL'],
    recipient: null,
  })
  expect((await detail(id)).status).toBe('SENT')
  expect(await deeds(id)).toEqual([{ kind: 'message_sent_again', after: { act: 'resend', copy } }])
  const emptied = await message({ text: '' })
  expect((await detail(emptied)).acts).toEqual([])
  expect(told(await ask(`${emptied}/resend`, WHY))).toEqual([400, 'message_not_open'])
})

test('one that waits is sent at once, or another way of those that are left', async () => {
  const id = await message({ status: 'WAITING', next: ['SMS'] })
  expect((await ask(`${id}/send-now`)).status).toBe(200)
  const [due] = await sql(`select next_at <= now() as due from mail_outbox where id = $1`, [id])
  expect(due).toEqual({ due: true })
  expect(told(await ask(`${id}/other-way`, { channel: 'LETTER' }))).toEqual([400, 'message_not_open'])
  const other = await ask(`${id}/other-way`, { channel: 'SMS' })
  expect(other.json, other.text).toMatchObject({
    channel: 'SMS',
    nextChannels: [],
    closed: [{ channel: 'EMAIL', error: 'by a person' }],
    recipient: null,
    tries: 0,
  })
  expect((await deeds(id)).map(({ after }) => after)).toEqual([
    { act: 'send-now' },
    { act: 'other-way', channel: 'SMS' },
  ])
})

test('another provider’s messages do not exist, and the print queue says what lies there', async () => {
  const other = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  const id = await message()
  await sql(`update mail_outbox set invoice_id = null where id = $1`, [id])
  await sql(`update mail_outbox set instance_id = $2 where id = $1`, [id, other.id])
  expect(told(await ask(id))).toEqual([404, 'not_found'])
  expect(told(await ask(`${id}/resend`, WHY))).toEqual([404, 'not_found'])
  const queue = await server.call('GET', '/api/admin/print-queue', { headers: { ...support } })
  expect(queue.json).toEqual({
    isConfigured: expect.any(Boolean),
    letters: expect.any(Number),
    oldestAt: null,
  })
})
