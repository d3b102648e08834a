/** A peek from the press to its end: who may, what its ticket and token are worth, and for how long. */
import { beforeEach, expect, test } from 'vitest'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { askPeek, headersOf, lookAs, openView, ticketOf } from '../testing/calls/peek.ts'
import { signIn } from '../testing/sign-in.ts'
import { holdKey, signInStaff, told, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { endAllSessions } from './let-go.ts'
import { forgetEndedSessions } from './sessions.ts'

let aheadMs: number
let server: TestServer
let staff: SignedIn
let own: BuiltInvoice

const MINUTE = 60_000
const NO_SESSION = [401, 'not_signed_in']
const OVER = [404, 'view_link_over']

beforeEach(async () => {
  aheadMs = 0
  server = await startTestServer({
    clock: { now: () => Date.now() + aheadMs, today: () => '2026-11-20' as never },
  })
  own = await buildInvoice(server.test, server.instanceId, server.clock)
  staff = await enter('support')
})

const enter = (role: 'support' | 'approver' | 'auditor' | 'handler' | 'finance' | 'manager') =>
  signInStaff(server.product.context, { instanceId: server.instanceId, creditorId: null, role })
const owned = async (sql: string, ...values: unknown[]) => (await server.test.owner.query(sql, values)).rows
const get = (path: string, headers: Record<string, string>) =>
  server.call('GET', `/api/debtor${path}`, { headers })
const atInvoice = () => `/invoices?paymentReference=${own.reference}&zip=${own.zip}`
const look = () => lookAs(server, staff, own.debtorId)

test('the address holds the ticket in its fragment, and the view says who looks, as whom and until when', async () => {
  const asked = await askPeek(server, staff, own.debtorId)
  expect(asked.status).toBe(201)
  const { address, openUntil, endsAt } = asked.json as { address: string; openUntil: string; endsAt: string }
  expect(address).toMatch(/^https?:\/\/[^#]+#\/view\/[\w-]{43}$/)
  expect(Date.parse(endsAt) - Date.parse(openUntil)).toBe(9 * MINUTE)
  const opened = await openView(server, ticketOf(asked))
  expect([opened.status, opened.json]).toEqual([
    201,
    {
      id_token: expect.stringMatching(/^peek-[\w-]{43}$/),
      token_type: 'Bearer',
      staff: 'Prov support',
      debtor: 'Alva Provlund',
      endsAt,
    },
  ])
  expect(opened.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^kvitt_peek=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
  ])
  expect((await get('/session', headersOf(opened))).json).toMatchObject({
    debtor: { name: 'Alva Provlund', email: 'alva.provlund@example.com' },
    endsAt,
  })
  // Nothing secret is kept as it was sent.
  const [row] = await owned('select p::text as text from peek p')
  for (const secret of [ticketOf(asked), headersOf(opened).authorization.slice(7)])
    expect(row.text).not.toContain(Buffer.from(secret).toString('hex'))
})

test('each press is a deed with the person, the reason and the debtor', async () => {
  await askPeek(server, staff, own.debtorId, 'Ringer om faktura 12')
  expect(
    await owned(`select e.kind, e.about, e.reason, p.name from audit_event e
      join person p on p.id::text = split_part(e.actor, ':', 2) where e.kind = 'viewed_as_debtor'`),
  ).toEqual([
    {
      kind: 'viewed_as_debtor',
      about: `debtor:${own.debtorId}`,
      reason: 'Ringer om faktura 12',
      name: 'Prov support',
    },
  ])
})

test('without a reason nothing is opened, and nothing is written', async () => {
  for (const reason of ['', '   ']) {
    expect(told(await askPeek(server, staff, own.debtorId, reason))).toEqual([
      400,
      'invalid_request',
      'reason',
    ])
  }
  expect(await owned('select 1 from peek')).toEqual([])
  expect(await owned(`select 1 from audit_event where kind = 'viewed_as_debtor'`)).toEqual([])
})

test('who may: the operator’s staff but the approver; no creditor’s person and no program', async () => {
  for (const role of ['support', 'handler', 'finance', 'manager', 'auditor'] as const) {
    expect((await askPeek(server, await enter(role), own.debtorId)).status, role).toBe(201)
  }
  expect(told(await askPeek(server, await enter('approver'), own.debtorId))).toEqual([403, 'not_allowed'])
  const creditor = { instanceId: server.instanceId, creditorId: own.creditorId }
  const { context } = server.product
  const manager = await signInStaff(context, { ...creditor, role: 'manager' })
  const key = await holdKey(context, { ...creditor, scopes: ['read', 'invoices', 'payments', 'webhooks'] })
  for (const headers of [manager, { authorization: key.authorization }]) {
    expect(told(await askPeek(server, headers, own.debtorId))).toEqual([403, 'not_allowed'])
    const atClient = await server.call('POST', `/api/client/debtors/${own.debtorId}/view`, {
      body: { reason: 'x' },
      headers: { ...headers },
    })
    // There is no such call at the creditors' door.
    expect(atClient.status).toBe(404)
  }
})

test('another provider’s debtor does not exist, and another provider’s ticket and token are worth nothing', async () => {
  const second = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  const foreign = await buildInvoice(server.test, second.id, server.clock)
  expect(told(await askPeek(server, staff, foreign.debtorId))).toEqual([404, 'not_found'])
  const ticket = ticketOf(await askPeek(server, staff, own.debtorId))
  const at = (host: string) =>
    server.product.app.inject({
      method: 'POST',
      url: '/api/public/views',
      payload: { ticket },
      headers: { host },
    })
  expect((await at(second.host)).json()).toMatchObject({ code: OVER[1] })
  const headers = headersOf(await openView(server, ticket))
  const there = (host: string) =>
    server.product.app.inject({ url: '/api/debtor/session', headers: { ...headers, host } })
  expect((await there('localhost')).statusCode).toBe(200)
  expect((await there(second.host)).statusCode).toBe(401)
})

test('peek.ticket: a ticket opens once, also of two at the same time, and a wrong one never', async () => {
  const ticket = ticketOf(await askPeek(server, staff, own.debtorId))
  const both = await Promise.all([openView(server, ticket), openView(server, ticket)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404])
  expect(told(await openView(server, ticket))).toEqual(OVER)
  for (const wrong of ['', 'x', `${ticket}x`, ticket.slice(1)])
    expect(told(await openView(server, wrong))).toEqual(OVER)
})

test('peek.ticket: a ticket is over after a minute, and the view ten minutes after it was asked for', async () => {
  const late = ticketOf(await askPeek(server, staff, own.debtorId))
  const proof = await look()
  aheadMs = MINUTE + 1000
  expect(told(await openView(server, late))).toEqual(OVER)
  aheadMs = 10 * MINUTE - 5000
  expect((await get('/session', proof)).status).toBe(200)
  aheadMs = 10 * MINUTE + 1000
  expect(told(await get('/session', proof))).toEqual(NO_SESSION)
  await forgetEndedSessions(server.product.context)
  expect(await owned('select 1 from peek')).toEqual([])
})

test('peek.ticket: it does not outlive the session of staff that asked for it', async () => {
  const ticket = ticketOf(await askPeek(server, staff, own.debtorId))
  const proof = await look()
  const left = await server.call('DELETE', '/api/admin/session', { headers: { ...staff } })
  expect(left.status).toBe(204)
  expect(told(await get('/session', proof))).toEqual(NO_SESSION)
  expect(told(await openView(server, ticket))).toEqual(OVER)
})

test.each([
  ['an ended membership', 'update membership set ended_at = now()'],
  ['a role that may not look', `update membership set role = 'approver'`],
  [
    'a session of staff that was not used for half an hour',
    `update staff_session set used_at = now() - interval '31 minutes'`,
  ],
])('it does not outlive %s', async (_what, change) => {
  const ticket = ticketOf(await askPeek(server, staff, own.debtorId))
  const proof = await look()
  expect((await get(atInvoice(), proof)).status).toBe(200)
  await owned(change)
  expect(told(await get(atInvoice(), proof))).toEqual(NO_SESSION)
  expect(told(await openView(server, ticket))).toEqual(OVER)
})

test('peek.ticket: token and cookie count together, and each behind the debtor’s door alone', async () => {
  const [first, second] = [await look(), await look()]
  for (const mixed of [
    { authorization: first.authorization },
    { cookie: first.cookie },
    { authorization: first.authorization, cookie: second.cookie },
    { authorization: first.authorization, cookie: first.cookie.replace('kvitt_peek', 'kvitt_session') },
    { authorization: first.authorization.replace('peek-', ''), cookie: first.cookie },
  ])
    expect(told(await get('/session', mixed as Record<string, string>))).toEqual(NO_SESSION)
  expect((await get('/session', first)).status).toBe(200)
  for (const door of ['client', 'admin']) {
    expect(told(await server.call('GET', `/api/${door}/session`, { headers: first }))).toEqual(NO_SESSION)
  }
})

test('no pair is guessed with it: no budget is touched', async () => {
  const proof = await look()
  const pair = await server.call('GET', `/api/public/invoices/${own.reference}/99999`, { headers: proof })
  expect(told(pair)).toEqual([403, 'view_is_read_only'])
  expect(await owned('select 1 from guess_budget')).toEqual([])
})

test('the debtor’s own session in the same browser goes on, and its cookie is not written', async () => {
  const debtor = await signIn(server.product.context, server.instanceId, [own.debtorId])
  const asked = await askPeek(server, staff, own.debtorId)
  const opened = await server.call('POST', '/api/public/views', {
    body: { ticket: ticketOf(asked) },
    headers: { cookie: debtor.cookie },
  })
  const peek = headersOf(opened)
  expect(peek.cookie).not.toContain('kvitt_session')
  const jar = `${debtor.cookie}; ${peek.cookie}`
  const left = await server.call('POST', '/api/debtor/logout', { headers: { ...peek, cookie: jar } })
  expect([left.status, left.headers.getSetCookie()]).toEqual([
    204,
    [expect.stringMatching(/^kvitt_peek=; .*Max-Age=0$/)],
  ])
  expect(told(await get('/session', { ...peek, cookie: jar }))).toEqual(NO_SESSION)
  expect((await get('/session', { ...debtor, cookie: jar })).status).toBe(200)
  expect(await owned(`select 1 from audit_event where kind = 'signed_out'`)).toEqual([])
})

test('a file that it names opens while it is open, and the log says which person opened it', async () => {
  const proof = await look()
  const { json } = await get(atInvoice(), proof)
  const { document } = json as { document: { invoiceWithAttachments: string } }
  const at = `/api/storage/${document.invoiceWithAttachments}`
  expect((await server.call('GET', at)).status).toBe(200)
  expect(
    await owned(`select p.name from audit_event e join person p on p.id::text = split_part(e.actor, ':', 2)
    where e.kind = 'staff_opened' and e.about like 'file:%'`),
  ).toEqual([{ name: 'Prov support' }])
  expect(await owned(`select 1 from audit_event where kind = 'document_opened'`)).toEqual([])
  await server.call('POST', '/api/debtor/logout', { headers: proof })
  expect((await server.call('GET', at)).status).toBe(404)
})

test('a file that a call answers itself is written down with the person too, and the debtor’s own is not', async () => {
  const proof = await look()
  const debtor = await signIn(server.product.context, server.instanceId, [own.debtorId])
  const exported = () =>
    owned(`select p.name, e.about, e.after from audit_event e join person p on p.id::text = split_part(e.actor, ':', 2)
      where e.kind = 'staff_exported' order by e.seq`)
  const list = (headers: Record<string, string>) =>
    server.call('POST', '/api/debtor/invoices/ledger/download?format=csv', { body: {}, headers })
  const receipt = (headers: Record<string, string>) =>
    server.call('PUT', `/api/debtor/invoices/payment-receipt${atInvoice().slice('/invoices'.length)}`, {
      headers,
    })
  expect((await list(debtor)).status).toBe(200)
  // What is refused gives nothing: there is no receipt yet.
  expect((await receipt(proof)).status).toBe(400)
  expect(await exported()).toEqual([])
  expect((await list(proof)).status).toBe(200)
  const seen = { name: 'Prov support', about: `debtors:${own.debtorId}` }
  const csv = { ...seen, after: { call: 'downloadInvoices', file: expect.stringContaining('text/csv') } }
  expect(await exported()).toEqual([csv])
})

test('what is not the debtor’s is not there, and the log names the person who asked for it', async () => {
  const other = await buildInvoice(server.test, server.instanceId, server.clock, {
    debtorName: 'Berit Annansson',
  })
  const proof = await look()
  const asked = await get(`/invoices?paymentReference=${other.reference}&zip=${other.zip}`, proof)
  expect(told(asked)).toEqual([404, 'not_found'])
  expect(
    await owned(`select p.name from audit_event e join person p on p.id::text = split_part(e.actor, ':', 2)
    where e.kind = 'not_theirs'`),
  ).toEqual([{ name: 'Prov support' }])
})

test('logging everybody out ends it too', async () => {
  const proof = await look()
  await endAllSessions(server.product.context, { instanceId: server.instanceId, by: 'person:prov' })
  expect(told(await get('/session', proof))).toEqual(NO_SESSION)
})

test('all rows of the debtor’s number are seen, as a login would find them, and no others', async () => {
  const build = async (zip: string, kept: string | null) => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { zip })
    await owned(
      `update debtor set identification_number = $2::text, identity = case when $2::text is null then identity
         else 'SE:' || regexp_replace($2::text, '[^0-9]', '', 'g') end where id = $1`,
      invoice.debtorId,
      kept,
    )
    return invoice
  }
  const [long, short] = [await build('11111', '19850101-1234'), await build('22222', '850101-1234')]
  const [hundred, none] = [await build('33333', '850101+1235'), await build('44444', null)]
  const seenBy = async ({ debtorId }: BuiltInvoice) => {
    const proof = await lookAs(server, staff, debtorId)
    const [{ debtor_ids: ids }] = await owned('select debtor_ids from peek order by started_at desc limit 1')
    expect((await get('/session', proof)).status).toBe(200)
    return new Set(ids)
  }
  const both = new Set([long.debtorId, short.debtorId])
  // What is kept about either row shows that it was seen.
  const deeds = async () =>
    (await owned(`select about from audit_event where kind = 'viewed_as_debtor'`)).map(({ about }) => about)
  await askPeek(server, staff, long.debtorId)
  expect(new Set(await deeds())).toEqual(new Set([...both].map((id) => `debtor:${id}`)))
  expect(await seenBy(long)).toEqual(both)
  expect(await seenBy(short)).toEqual(both)
  expect(await seenBy(hundred)).toEqual(new Set([hundred.debtorId]))
  expect(await seenBy(none)).toEqual(new Set([none.debtorId]))
})
