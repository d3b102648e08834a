/** Events are sent until they are taken or given up, whatever the receiver and our own processes do. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { pauseAfterTry } from '@kvitt/domain/webhooks/webhook.ts'
import { stopInvoice } from '../collection/collection.ts'
import { openInstances } from '../instances/instances.ts'
import type { Outcome, PublicCaller } from '../platform/counterparties/public-call.ts'
import { isTaskOpen } from '../tasks/tasks.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { startReceiver, type Receiver } from '../testing/webhook-receiver.ts'
import { forgetOldWebhookEvents, openWebhookSender, REPLAY_BATCH } from './webhooks.ts'

let server: TestServer
let receiver: Receiver
let invoice: BuiltInvoice
let manager: SignedIn
let id: string

beforeAll(async () => {
  receiver = await startReceiver()
  server = await startTestServer({ settings: { WEBHOOK_INWARD_ORIGINS: receiver.origin } })
})
beforeEach(async () => {
  await sql(
    'delete from webhook_event; delete from webhook; delete from kept_secret; delete from mail_outbox',
  )
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  manager = await signInStaff(server.product.context, {
    ...invoice,
    role: 'manager',
    email: `m${invoice.id}@example.com`,
  })
  receiver.received.length = 0
  receiver.answer = (response) => void response.writeHead(204).end()
  const body = { address: `${receiver.origin}/hooks`, events: ['invoice.stopped'] }
  const made = await call('POST', '', body)
  id = (made.json as { id: string }).id
})

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const call = (method: string, path: string, body?: unknown) =>
  server.call(method, `/api/client/webhooks${path}`, {
    headers: { ...manager },
    ...(body === undefined ? {} : { body }),
  })
const send = () => server.product.sendEvents()
const testEvent = async (): Promise<string> =>
  ((await call('POST', `/${id}/test`)).json as { deliveryId: string }).deliveryId
/** Something happens to an invoice of the creditor's. */
const stop = async ({ id: invoiceId }: BuiltInvoice = invoice): Promise<void> => {
  const key = { instanceId: server.instanceId, invoiceId }
  await stopInvoice(server.product.context, key, { reason: 'WITHDRAWN', on: TODAY })
}
const beside = () => buildInvoice(server.test, server.instanceId, server.clock, { beside: invoice })

type Log = {
  id: string
  status: string
  tries: number
  nextTryAt: string | null
  answerStatus: number | null
  failure: string | null
}
const log = async () => (await call('POST', '/deliveries/search', { webhookId: id })).json as Log[]
/** What waits is due now. */
const hurry = () => sql(`update webhook_delivery set next_try_at = now() where status = 'WAITING'`)

test('a server that refuses is asked again, later each time, under the same id with the same text', async () => {
  receiver.answer = (response) => void response.writeHead(500).end('out of order')
  await stop()
  await send()
  const [first] = await log()
  expect(first).toMatchObject({ status: 'WAITING', tries: 1, answerStatus: 500 })
  const waits = Date.parse(first?.nextTryAt ?? '') - Date.now()
  expect(waits).toBeLessThanOrEqual(pauseAfterTry(1) ?? 0)
  await send()
  expect(receiver.received).toHaveLength(1)
  await hurry()
  receiver.answer = (response) => void response.writeHead(200).end('ok')
  await send()
  const [a, b] = receiver.received
  expect([b?.id, b?.text]).toEqual([a?.id, a?.text])
  const detail = await call('GET', `/deliveries/${first?.id}`)
  expect(detail.json).toMatchObject({
    status: 'DELIVERED',
    tries: 2,
    log: [
      { number: 2, answerStatus: 200, answer: 'ok' },
      { number: 1, answerStatus: 500, answer: 'out of order' },
    ],
  })
})

test('a redirect is no success, and nobody follows it', async () => {
  receiver.answer = (response) => void response.writeHead(307, { location: `${receiver.origin}/other` }).end()
  await testEvent()
  await send()
  expect(await log()).toMatchObject([{ status: 'WAITING', answerStatus: 307, failure: 'redirected' }])
  expect(receiver.received).toHaveLength(1)
})

test('after three days it is off, its managers are told, and switched on again, nobody has to mend it any more', async () => {
  receiver.answer = (response) => void response.writeHead(500).end()
  await stop()
  for (let n = 1; pauseAfterTry(n) !== undefined; n++) {
    await hurry()
    await send()
    expect((await log())[0]?.status).toBe('WAITING')
  }
  await stop(await beside())
  await hurry()
  await send()
  expect((await log()).map(({ status }) => status).toSorted()).toEqual(['FAILED', 'WAITING'])
  const webhook = await call('GET', `/${id}`)
  expect(webhook.json).toMatchObject({ isOn: false, offReason: 'FAILED', waiting: 1, failed: 1 })
  const task = { instanceId: server.instanceId, kind: 'webhook_off', about: `webhook:${id}` } as const
  expect(await isTaskOpen(server.test.db, task)).toBe(true)
  const tasks = await server.call('POST', '/api/client/tasks/search', { headers: { ...manager }, body: {} })
  expect(tasks.json).toMatchObject([
    { kind: 'webhook_off', subject: { type: 'webhooks', id, number: new URL(receiver.origin).host } },
  ])
  const mails = await sql(`select recipient, kind, text_body from mail_outbox where kind like 'staff%'`)
  expect(mails).toMatchObject([{ kind: 'staff_webhook_off', recipient: `m${invoice.id}@example.com` }])
  expect(JSON.stringify(mails)).toContain(`#/webhooks/${id}`)
  const before = receiver.received.length
  await hurry()
  await send()
  expect(receiver.received).toHaveLength(before)
  receiver.answer = (response) => void response.writeHead(204).end()
  await call('PUT', `/${id}`, { version: 2, isOn: true })
  expect(await isTaskOpen(server.test.db, task)).toBe(false)
  await send()
  expect((await log()).map(({ status }) => status).toSorted()).toEqual(['DELIVERED', 'FAILED'])
})

test('one event that is never taken is given up alone', async () => {
  let answerTo = 400
  receiver.answer = (response) => void response.writeHead(answerTo).end()
  await stop()
  await send()
  answerTo = 204
  await testEvent()
  await send()
  answerTo = 400
  for (let n = 1; pauseAfterTry(n) !== undefined; n++) {
    await hurry()
    await send()
  }
  expect((await log()).map(({ status }) => status).toSorted()).toEqual(['DELIVERED', 'FAILED'])
  expect((await call('GET', `/${id}`)).json).toMatchObject({ isOn: true, waiting: 0, failed: 1 })
  // What was taken before the failed one was first tried does not count.
  await stop(await beside())
  for (let n = 0; n === 0 || pauseAfterTry(n) !== undefined; n++) {
    await hurry()
    await send()
  }
  expect((await call('GET', `/${id}`)).json).toMatchObject({ isOn: false, offReason: 'FAILED', failed: 2 })
})

test('a server that says that nobody is there any more is not asked again', async () => {
  receiver.answer = (response) => void response.writeHead(410).end()
  await testEvent()
  await send()
  expect(await log()).toMatchObject([{ status: 'FAILED', tries: 1, answerStatus: 410 }])
  expect((await call('GET', `/${id}`)).json).toMatchObject({ isOn: false, offReason: 'GONE' })
})

test('one is sent again, and so is a span, with what came up while it was off', async () => {
  await stop()
  await send()
  const [{ id: delivery } = { id: '' }] = await log()
  expect((await call('POST', `/deliveries/${delivery}/replay`)).status).toBe(202)
  await send()
  expect(receiver.received.map(({ id: one }) => one)).toEqual([
    receiver.received[0]?.id,
    receiver.received[0]?.id,
  ])
  await call('PUT', `/${id}`, { version: 1, isOn: false })
  await stop(await beside())
  await call('PUT', `/${id}`, { version: 2, isOn: true })
  await send()
  expect(receiver.received).toHaveLength(2)
  const span = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' }
  expect((await call('POST', `/${id}/replay`, { ...span, only: 'FAILED' })).json).toEqual({ deliveries: 0 })
  expect((await call('POST', `/${id}/replay`, span)).json).toEqual({ deliveries: 2 })
  // Asked for again while it waits, it is sent once.
  expect((await call('POST', `/${id}/replay`, span)).json).toEqual({ deliveries: 0 })
  await send()
  expect(
    receiver.received
      .slice(2)
      .map(({ body }) => body.type)
      .toSorted(),
  ).toEqual(['invoice.stopped', 'invoice.stopped'])
})

test('a long span is sent again batch by batch, events of one moment as well', async () => {
  const count = REPLAY_BATCH * 2 + 1
  await sql(
    `insert into webhook_event (instance_id, id, creditor_id, type, subject_id, cause, body, created_at)
     select $1, gen_random_uuid(), $2, 'invoice.stopped', $2, n::text, '{}', '2026-01-01T00:00:00.000001Z'
     from generate_series(1, $3::int) n`,
    [server.instanceId, invoice.creditorId, count],
  )
  const span = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
  const replay = (only?: 'FAILED') => call('POST', `/${id}/replay`, { ...span, ...(only ? { only } : {}) })
  expect((await replay()).json).toEqual({ deliveries: count })
  // Of those that failed alone: here the first and the last of all.
  const ends = `select min(event_id::text) from webhook_delivery union select max(event_id::text) from webhook_delivery`
  await sql(
    `update webhook_delivery set status = case when event_id::text in (${ends}) then 'FAILED' else 'DELIVERED' end`,
  )
  expect((await replay('FAILED')).json).toEqual({ deliveries: 2 })
})

/** Another process of the product, with a way out of its own. */
const process = (caller: PublicCaller) => {
  const { context } = server.product
  return openWebhookSender({ context, instances: openInstances(context.db, context.clock), caller })
}
const TAKEN: Outcome = { status: 204, failure: null, answer: '' }

test('a process that dies between sending and writing leaves it to the next', async () => {
  await testEvent()
  const calls: string[] = []
  const dead = process({
    mayLeadTo: async () => true,
    call: async ({ headers }) => {
      calls.push(headers['webhook-id'] ?? '')
      throw new Error('the process has ended')
    },
  })
  await expect(dead.sendAll()).rejects.toThrow('the process has ended')
  await send()
  expect(receiver.received).toHaveLength(0)
  await hurry()
  await send()
  expect(receiver.received.map(({ id: one }) => one)).toEqual(calls)
  expect(await log()).toMatchObject([{ status: 'DELIVERED', tries: 2 }])
})

test('what keeps us from sending is no try of the receiver’s', async () => {
  const delivery = await testEvent()
  const key = await sql(`update kept_secret set key_id = '00000000' returning instance_id`)
  expect(key).toHaveLength(1)
  await expect(send()).rejects.toThrow('00000000')
  await hurry()
  await expect(send()).rejects.toThrow('00000000')
  expect(await log()).toMatchObject([{ id: delivery, status: 'WAITING', tries: 0 }])
  expect(receiver.received).toEqual([])
})

test('one that was taken for dead and goes on changes nothing that the next has written', async () => {
  await testEvent()
  let answer: (outcome: Outcome) => void = () => {}
  const slow = process({
    mayLeadTo: async () => true,
    call: () => new Promise<Outcome>((resolve) => (answer = resolve)),
  })
  const sending = slow.sendAll()
  await expect.poll(async () => (await log())[0]?.tries).toBe(1)
  await hurry()
  await send()
  answer({ status: 500, failure: null, answer: 'late' })
  await sending
  expect(await log()).toMatchObject([{ status: 'DELIVERED', tries: 2 }])
})

test('two processes at once send each event once', async () => {
  for (let n = 0; n < 12; n++) await testEvent()
  const sent: string[] = []
  const caller: PublicCaller = {
    mayLeadTo: async () => true,
    call: async ({ headers }) => {
      sent.push(headers['webhook-id'] ?? '')
      return TAKEN
    },
  }
  await Promise.all([process(caller).sendAll(), process(caller).sendAll()])
  await process(caller).sendAll()
  expect(sent.toSorted()).toEqual([...new Set(sent)].toSorted())
  expect(sent).toHaveLength(12)
})

test('who is slow keeps nobody else waiting', async () => {
  await testEvent()
  const other = await call('POST', '', { address: `${receiver.origin}/other`, events: ['invoice.stopped'] })
  const sent: string[] = []
  let answer: (outcome: Outcome) => void = () => {}
  const sender = process({
    mayLeadTo: async () => true,
    call: ({ url }) => {
      sent.push(new URL(url).pathname)
      return url.endsWith('/other') ? Promise.resolve(TAKEN) : new Promise((resolve) => (answer = resolve))
    },
  })
  const running: Promise<unknown>[] = []
  const run = (work: () => Promise<unknown>): void => void running.push(work())
  await sender.begin(run)
  await expect.poll(() => sent).toEqual(['/hooks'])
  id = (other.json as { id: string }).id
  await testEvent()
  await sender.begin(run)
  await expect.poll(() => sent).toEqual(['/hooks', '/other'])
  answer(TAKEN)
  await Promise.all(running)
})

test('removed while something is sent to it, it is gone', async () => {
  await testEvent()
  let answer: (outcome: Outcome) => void = () => {}
  const slow = process({
    mayLeadTo: async () => true,
    call: () => new Promise<Outcome>((resolve) => (answer = resolve)),
  })
  const sending = slow.sendAll()
  await expect.poll(async () => (await log())[0]?.tries).toBe(1)
  expect((await call('DELETE', `/${id}`)).status).toBe(204)
  answer(TAKEN)
  await sending
  expect(await sql('select count(*)::int from webhook_try')).toEqual([{ count: 0 }])
})

test('while a webhook is being removed, what happens waits for nobody and is not lost', async () => {
  await stop(await beside())
  await send()
  const holder = await server.test.owner.connect()
  try {
    await holder.query('begin')
    await holder.query('select from kept_secret for update')
    const removing = call('DELETE', `/${id}`)
    const waiting = `select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await expect.poll(async () => (await holder.query(waiting)).rows).toEqual([{ count: 1 }])
    await stop()
    await holder.query('commit')
    expect((await removing).status).toBe(204)
  } finally {
    holder.release(true)
  }
  const status = await sql('select status from invoice where id = $1', [invoice.id])
  expect(status).toEqual([{ status: 'STOPPED' }])
  expect((await call('GET', `/${id}`)).status).toBe(404)
  expect((await call('POST', '/search', {})).json).toEqual([])
  expect((await call('POST', '/deliveries/search', {})).json).toEqual([])
  receiver.received.length = 0
  await send()
  expect(receiver.received).toEqual([])
  // Bit by bit its rows go: the webhook itself once nobody can have found it any more.
  const left = () =>
    sql(
      'select (select count(*)::int from webhook) as webhooks, count(*)::int as deliveries from webhook_delivery',
    )
  await forgetOldWebhookEvents(server.product.context)
  expect(await left()).toEqual([{ webhooks: 1, deliveries: 0 }])
  await sql(`update webhook set removed_at = now() - interval '2 hours'`)
  await forgetOldWebhookEvents(server.product.context)
  expect(await left()).toEqual([{ webhooks: 0, deliveries: 0 }])
})

test('what is old is forgotten, but not what waits', async () => {
  await testEvent()
  await send()
  await testEvent()
  await sql(`update webhook_event set created_at = now() - interval '31 days'`)
  await forgetOldWebhookEvents(server.product.context)
  expect(await log()).toMatchObject([{ status: 'WAITING' }])
})
