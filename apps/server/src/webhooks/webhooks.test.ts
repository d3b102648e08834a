/** A creditor says where its programs are told, and they are told of what happens, once for each fact. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { WEBHOOK_EVENTS } from '@kvitt/domain/webhooks/webhook.ts'
import { stopInvoice } from '../collection/collection.ts'
import { buildClaim, buildInstanceAccount } from '../testing/build-claim.ts'
import { buildDispute } from '../testing/build-dispute.ts'
import { buildInvoice, buildPlanSettings, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { holdKey, signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { startReceiver, type Receiver } from '../testing/webhook-receiver.ts'

let server: TestServer
let receiver: Receiver
let invoice: BuiltInvoice
let manager: SignedIn
let clerk: SignedIn

type Made = { id: string; version: number; secret: string; events: string[]; isOn: boolean }

beforeAll(async () => {
  receiver = await startReceiver()
  server = await startTestServer({ settings: { WEBHOOK_INWARD_ORIGINS: receiver.origin } })
  await buildInstanceAccount(server.test, server.instanceId)
  await buildPlanSettings(server.test, server.instanceId)
})
beforeEach(async () => {
  await server.test.owner.query('delete from webhook_event; delete from webhook; delete from kept_secret')
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const { context } = server.product
  manager = await signInStaff(context, { ...invoice, role: 'manager' })
  clerk = await signInStaff(context, { ...invoice, role: 'clerk' })
  receiver.received.length = 0
  receiver.secrets.length = 0
})

const call = (method: string, path: string, body?: unknown, headers: SignedIn = manager) =>
  server.call(method, `/api/client/webhooks${path}`, { headers, ...(body === undefined ? {} : { body }) })
const code = ({ status, json }: { status: number; json: never }) => [
  status,
  (json as { code?: string } | undefined)?.code,
]
const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows

async function make(events: readonly string[] = WEBHOOK_EVENTS, by = manager): Promise<Made> {
  const answer = await call('POST', '', { address: `${receiver.origin}/hooks`, events }, by)
  expect(answer.status, answer.text).toBe(201)
  const made = answer.json as Made
  receiver.secrets.push(made.secret)
  return made
}
/** What has come, as type and subject's number, in the order of their sequence. */
async function told(): Promise<unknown[]> {
  await server.product.sendEvents()
  return receiver.received.map(({ body }) => body.type)
}

const byType = (a: { type: string }, b: { type: string }): number => a.type.localeCompare(b.type)

// First, while no other invoice is here whose nights and letters would be done as well.
test('a reminder, a claim, a plan and its end, and an import', async () => {
  await make([
    'invoice.reminded',
    'collection_batch.opened',
    'plan.started',
    'plan.ended',
    'import.completed',
  ])
  const claim = await buildClaim(server.test, server.instanceId, server.clock, {
    invoices: [{ beside: invoice }],
  })
  await server.product.sendMail()
  await told()
  // In which order they come is not promised.
  const [opened, reminded] = receiver.received.map(({ body }) => body).toSorted(byType)
  expect([reminded, opened]).toMatchObject([
    { type: 'invoice.reminded', data: { id: claim.invoices[0]?.id, reminder: 1, sequence: 1 } },
    {
      type: 'collection_batch.opened',
      data: { id: claim.id, number: claim.number, status: 'OPEN', total: 842 },
    },
  ])
  expect(receiver.received).toHaveLength(2)
  const path = `/api/public/collection-batches/${claim.reference}/${claim.zip}/part-payment`
  const started = await server.call('POST', `${path}/start`, { body: { type: 'PLAN_3' } })
  expect(started.status, started.text).toBe(200)
  expect((await told()).slice(2)).toEqual(['plan.started'])
  const plan = await sql('select id from part_payment where creditor_id = $1', [invoice.creditorId])
  expect(receiver.received[2]?.body.data).toMatchObject({ id: plan[0].id, status: 'ACTIVE', sequence: 1 })
  const withdrawn = await server.call('POST', `${path}/withdraw`)
  expect(withdrawn.status, withdrawn.text).toBeLessThan(300)
  expect((await told()).slice(3)).toEqual(['plan.ended'])
  await sql(
    `insert into import (instance_id, id, creditor_id, file_name, file_hash, byte_count, format, status, work, made_by)
     values ($1, gen_random_uuid(), $2, 'a.csv', '\\x00', 1, 'CSV', 'CONFIRMED', 'CONFIRM', 'key:x')`,
    [server.instanceId, invoice.creditorId],
  )
  await sql(`update import set work = null, made_count = 7 where creditor_id = $1`, [invoice.creditorId])
  expect((await told()).slice(4)).toEqual(['import.completed'])
  expect(receiver.received[4]?.body.data).toMatchObject({ status: 'CONFIRMED', made: 7 })
})

test('it is made, its secret is told once, and a test event arrives signed by it', async () => {
  const made = await make(['invoice.closed', 'invoice.closed'])
  expect(made).toMatchObject({ events: ['invoice.closed'], isOn: true, version: 1 })
  expect(made.secret).toMatch(/^whsec_/)
  for (const answer of [await call('POST', '/search', {}), await call('GET', `/${made.id}`)])
    expect(answer.text).not.toContain('whsec_')
  const { status, json } = await call('POST', `/${made.id}/test`)
  expect(status).toBe(202)
  await server.product.sendEvents()
  expect(receiver.received).toHaveLength(1)
  const [got] = receiver.received
  expect(got).toMatchObject({
    id: (json as { deliveryId: string }).deliveryId,
    signedBy: [made.secret],
    body: { type: 'webhook.test', data: { id: made.id } },
  })
  const log = await call('POST', '/deliveries/search', { webhookId: made.id })
  expect(log.json).toMatchObject([
    { event: 'webhook.test', status: 'DELIVERED', tries: 1, answerStatus: 204, failure: null },
  ])
  const [{ id }] = log.json as [{ id: string }]
  const detail = await call('GET', `/deliveries/${id}`)
  expect(detail.json).toMatchObject({
    request: got?.text,
    log: [{ number: 1, answerStatus: 204, failure: null, answer: '' }],
  })
  const about = [`webhook:${made.id}`]
  expect(await sql('select kind from audit_event where about = $1 and is_deed order by kind', about)).toEqual(
    [{ kind: 'webhook_made' }],
  )
})

test('the database holds no secret that can be read', async () => {
  const { secret } = await make()
  const rows = await sql(
    `select w::text || encode(s.sealed, 'escape') as text from webhook w join kept_secret s on s.id = w.secret_id`,
  )
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(secret.slice('whsec_'.length))
})

test('made again under the same key it is the same, with the same secret', async () => {
  const headers = { ...manager, 'idempotency-key': 'one' } as SignedIn
  const body = { address: `${receiver.origin}/a`, events: ['invoice.closed'] }
  const [first, second] = [await call('POST', '', body, headers), await call('POST', '', body, headers)]
  expect([second.status, second.text]).toEqual([201, first.text])
  expect(await sql('select count(*)::int from webhook')).toEqual([{ count: 1 }])
})

test.each([
  'http://hooks.example.com/', 'https://127.0.0.1/', 'https://localhost/x', 'https://[::1]/', 'https://169.254.169.254/latest',
  'https://10.0.0.8/', 'https://hooks.example.com:8443/', 'https://a:b@hooks.example.com/', 'https://intranet/', 'nonsense',
  'http://127.0.0.1:1/', 'file:///etc/passwd',
])('%s is no address of a webhook', async (address) => {
  const { status, json } = await call('POST', '', { address, events: ['invoice.closed'] })
  expect([status, json]).toMatchObject([400, { code: 'webhook_address', errors: [{ field: 'address' }] }])
  const made = await make()
  expect(code(await call('PUT', `/${made.id}`, { version: 1, address }))).toEqual([400, 'webhook_address'])
}) // biome-ignore format: a list

test.each([
  {},
  { address: 'https://hooks.example.com/', events: [] },
  { address: 'https://hooks.example.com/', events: ['everything'] },
])('%j makes none', async (body) => {
  expect(code(await call('POST', '', body))).toEqual([400, 'invalid_request'])
})

test('it is changed, an older version of it is not, and it is removed', async () => {
  const { id } = await make()
  const changed = await call('PUT', `/${id}`, { version: 1, events: ['payment.completed'], isOn: false })
  expect(changed.json).toMatchObject({
    version: 2,
    events: ['payment.completed'],
    isOn: false,
    offReason: 'BY_HAND',
  })
  expect(code(await call('PUT', `/${id}`, { version: 1, isOn: true }))).toEqual([409, 'changed_meanwhile'])
  expect(code(await call('POST', `/${id}/test`))).toEqual([400, 'webhook_is_off'])
  expect((await call('DELETE', `/${id}`)).status).toBe(204)
  expect(code(await call('GET', `/${id}`))).toEqual([404, 'not_found'])
  expect(await sql('select count(*)::int from kept_secret')).toEqual([{ count: 0 }])
})

test('an exchanged secret signs beside the new one, and not for ever', async () => {
  const made = await make()
  const { secret } = (await call('POST', `/${made.id}/rotate-secret`)).json as Made
  receiver.secrets.push(secret)
  await call('POST', `/${made.id}/test`)
  await server.product.sendEvents()
  expect(receiver.received.at(-1)?.signedBy).toEqual([made.secret, secret])
  await sql(`update webhook set former_until = now() - interval '1 second'`)
  await call('POST', `/${made.id}/test`)
  await server.product.sendEvents()
  expect(receiver.received.at(-1)?.signedBy).toEqual([secret])
})

test('there are twenty at most', async () => {
  for (let n = 0; n < 20; n++) await make(['invoice.closed'])
  expect(
    code(await call('POST', '', { address: `${receiver.origin}/x`, events: ['invoice.closed'] })),
  ).toEqual([400, 'too_many_webhooks'])
})

test('a clerk may not, a key with the scope may, and another creditor’s does not exist', async () => {
  expect(code(await call('POST', '/search', {}, clerk))).toEqual([403, 'not_allowed'])
  const { context } = server.product
  const key = await holdKey(context, { ...invoice, scopes: ['webhooks'] })
  const made = await make(['invoice.closed'], key)
  const other = await buildInvoice(server.test, server.instanceId, server.clock)
  const stranger = await signInStaff(context, { ...other, role: 'manager' })
  const unknown = '00000000-0000-4000-8000-000000000000'
  await call('POST', `/${made.id}/test`)
  const [{ id: delivery }] = (await call('POST', '/deliveries/search', {})).json as [{ id: string }]
  for (const [method, path, id] of [
    ['GET', '/ID', made.id],
    ['PUT', '/ID', made.id],
    ['DELETE', '/ID', made.id],
    ['POST', '/ID/rotate-secret', made.id],
    ['POST', '/ID/test', made.id],
    ['POST', '/ID/replay', made.id],
    ['GET', '/deliveries/ID', delivery],
    ['POST', '/deliveries/ID/replay', delivery],
  ] as const) {
    const [theirs, nobodys] = [id, unknown].map((one) =>
      call(method, path.replace('ID', one), undefined, stranger),
    )
    const [a, b] = [await theirs, await nobodys]
    const said = (text: string | undefined) => text?.replace(/[0-9a-f-]{36}/g, '')
    expect([a?.status, said(a?.text)], path).toEqual([404, said(b?.text)])
  }
  expect((await call('POST', '/search', {}, stranger)).json).toEqual([])
  expect((await call('POST', '/deliveries/search', {}, stranger)).json).toEqual([])
})

test('an invoice is told of from its sending to its end, without personal data', async () => {
  await make()
  const draft = {
    debtor: { type: 'PERSON', name: 'Elsa Hemlig', email: 'elsa@hemlig.example', address: 'Hemliga gatan 1', zip: '111 22', city: 'Stockholm', countryCode: 'SE' },
    invoiceDate: TODAY,
    expireDate: addDays(TODAY, 30),
    currency: 'SEK',
    rows: [{ description: 'El', quantity: 1, unitPrice: '800.00', vatPercent: 25 }],
  } // biome-ignore format: one debtor
  const post = (path: string, body?: unknown) =>
    server.call('POST', `/api/client${path}`, { headers: clerk, ...(body === undefined ? {} : { body }) })
  const { id } = (await post('/invoices', draft)).json as { id: string }
  expect(await told()).toEqual([])
  await post(`/invoices/${id}/approve`)
  await server.product.sendApproved()
  expect(await told()).toEqual(['invoice.activated'])
  const credited = await post(`/invoices/${id}/credit`, { amount: '42.50', reason: 'Prov' })
  expect(credited.status, credited.text).toBe(200)
  expect(await told()).toEqual(['invoice.activated', 'invoice.credited'])
  expect(receiver.received.at(-1)?.body.data).toMatchObject({
    id,
    credited: 42.5,
    total: 1000,
    balance: 957.5,
    sequence: 2,
  })
  await post(`/invoices/${id}/direct-payment`, { amount: 957.5, date: TODAY })
  await told()
  const last = receiver.received.slice(2).map(({ body }) => body)
  expect(last.map(({ type }) => type).toSorted()).toEqual(['invoice.closed', 'payment.completed'])
  const closed = last.find(({ type }) => type === 'invoice.closed')
  expect(closed?.data).toMatchObject({ id, status: 'CLOSED', balance: 0, currency: 'SEK', sequence: 3 })
  const paid = last.find(({ type }) => type === 'payment.completed')?.data
  expect(paid).toMatchObject({
    status: 'COMPLETED',
    amount: 957.5,
    currency: 'SEK',
    invoiceId: id,
    sequence: 1,
  })
  const known = await server.call('GET', `/api/client/payments/${String(paid?.id)}`, { headers: clerk })
  expect(known.json).toMatchObject({ amount: 957.5, status: 'COMPLETED' })
  await server.call('POST', `/api/client/payments/${String(paid?.id)}/reverse`, {
    headers: clerk,
    body: { reason: 'Fel' },
  })
  await told()
  const back = receiver.received.slice(4).map(({ body }) => body)
  expect(back.map(({ type }) => type)).toContain('payment.reversed')
  expect(back.find(({ type }) => type === 'payment.reversed')?.data).toMatchObject({
    id: paid?.id,
    status: 'REVERSED',
    amount: 957.5,
    sequence: 2,
  })
  const all = receiver.received.map(({ text }) => text).join('\n')
  expect(all).not.toMatch(/Elsa|hemlig|Hemlig|111 ?22|Stockholm/)
})

test('a transfer of a bank’s file, a dispute and what is decided, and a stop', async () => {
  await make()
  await transfer(server, invoice, 10_000)
  expect(await told()).toEqual(['payment.completed'])
  expect(receiver.received[0]?.body.data).toMatchObject({ amount: 100, invoiceId: invoice.id })
  const dispute = await buildDispute(server.test, server.clock, invoice)
  expect((await told()).slice(1)).toEqual(['invoice.disputed'])
  await server.call('POST', `/api/client/disputes/${dispute.id}/decide`, {
    headers: clerk,
    body: { decision: 'REJECT', answer: 'Fakturan stämmer.' },
  })
  expect((await told()).slice(2)).toEqual(['dispute.decided'])
  expect(receiver.received[2]?.body.data).toMatchObject({
    id: dispute.id,
    status: 'REJECTED',
    invoiceId: invoice.id,
    balance: 742,
  })
  await stopInvoice(
    server.product.context,
    { instanceId: server.instanceId, invoiceId: invoice.id },
    { reason: 'WITHDRAWN', on: TODAY },
  )
  expect((await told()).slice(3)).toEqual(['invoice.stopped'])
})

test('what is told is told in the transaction of the fact, or not at all', async () => {
  await make(['invoice.stopped'])
  const key = [server.instanceId, invoice.id]
  const stopped = `update invoice set status = 'STOPPED', stop_reason = 'OTHER' where instance_id = $1 and id = $2`
  const cut = server.test.db.transaction(async (tx) => {
    await tx.rows({ name: 'test.stop', text: stopped }, key)
    throw new Error('cut off')
  })
  await expect(cut).rejects.toThrow('cut off')
  expect(await told()).toEqual([])
  await stopInvoice(
    server.product.context,
    { instanceId: server.instanceId, invoiceId: invoice.id },
    { reason: 'WITHDRAWN', on: TODAY },
  )
  expect(await told()).toEqual(['invoice.stopped'])
})

test('who has not asked for it, and other creditors, are told nothing', async () => {
  await make(['invoice.closed'])
  const other = await buildInvoice(server.test, server.instanceId, server.clock)
  await transfer(server, other, 84_200)
  await transfer(server, invoice, 10_000)
  expect(await told()).toEqual([])
  expect(
    await sql('select count(*)::int from webhook_event where creditor_id <> $1', [invoice.creditorId]),
  ).toEqual([{ count: 0 }])
})

test('the day of a replay is a span, its end not before its beginning', async () => {
  const { id } = await make()
  const at = (day: string) => `${date(day)}T00:00:00Z`
  const span = { from: at('2026-02-02'), to: at('2026-02-01') }
  expect(code(await call('POST', `/${id}/replay`, span))).toEqual([400, 'invalid_span'])
})
