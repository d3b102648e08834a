/** A creditor's manager makes a key, its program calls with it, and it ends. */
import type { FastifyReply } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { openCallBudget } from '../staff/staff.ts'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { signInStaff } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let invoice: BuiltInvoice
let manager: Record<string, string>

beforeAll(async () => {
  server = await startTestServer()
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  manager = { ...(await signInStaff(server.product.context, { ...invoice, role: 'manager' })) }
})

type Made = { id: string; key: string; lastFour: string }

const make = (body: object) => server.call('POST', '/api/client/api-keys', { body, headers: manager })
const read = (key: string) =>
  server.call('GET', `/api/client/invoices/${invoice.id}`, { headers: { authorization: `Bearer ${key}` } })
const code = (answer: { status: number; json: never }) => [
  answer.status,
  (answer.json as { code: string }).code,
]

test('a key is told once, calls within its scopes, and after its end proves nobody', async () => {
  const answer = await make({ name: ' Ekonomisystemet ', scopes: ['read', 'read'] })
  expect(answer.status, answer.text).toBe(201)
  const made = answer.json as Made
  expect(made).toMatchObject({
    name: 'Ekonomisystemet',
    scopes: ['read'],
    lastFour: made.key.slice(-4),
    usedAt: null,
  })
  expect((await read(made.key)).status).toBe(200)
  const listed = await server.call('POST', '/api/client/api-keys/search', { body: {}, headers: manager })
  expect(listed.text).not.toContain(made.key)
  expect(listed.json).toEqual([
    expect.objectContaining({ id: made.id, usedAt: expect.any(String), revokedAt: null }),
  ])
  const headers = { authorization: `Bearer ${made.key}` }
  const more = await server.call('POST', '/api/client/api-keys', {
    headers,
    body: { name: 'x', scopes: ['read'] },
  })
  expect(code(more)).toEqual([403, 'not_allowed'])
  const gone = () => server.call('DELETE', `/api/client/api-keys/${made.id}`, { headers: manager })
  expect([(await gone()).status, (await gone()).status]).toEqual([204, 204])
  expect(code(await read(made.key))).toEqual([401, 'not_signed_in'])
  const { rows } = await server.test.owner.query(
    `select kind, count(*)::int from audit_event where about = $1 and is_deed group by kind order by kind`,
    [`api-key:${made.id}`],
  )
  expect(rows).toEqual([
    { kind: 'api_key_made', count: 1 },
    { kind: 'api_key_revoked', count: 1 },
  ])
})

test('a key that has expired proves nobody, and none is made that has', async () => {
  const made = (await make({ name: 'Kort', scopes: ['read'], expiresAt: '2099-01-01T00:00:00Z' }))
    .json as Made
  expect((await read(made.key)).status).toBe(200)
  await server.test.owner.query(`update api_key set expires_at = now() - interval '1 second' where id = $1`, [
    made.id,
  ])
  expect(code(await read(made.key))).toEqual([401, 'not_signed_in'])
  expect(code(await make({ name: 'x', scopes: ['read'], expiresAt: '2020-01-01T00:00:00Z' }))).toEqual([
    400,
    'date_in_the_past',
  ])
})

test.each([
  {},
  { name: '', scopes: ['read'] },
  { name: 'x', scopes: [] },
  { name: 'x', scopes: ['everything'] },
  { name: 'x'.repeat(101), scopes: ['read'] },
  { name: 'x', scopes: ['read'], expiresAt: 'tomorrow' },
])('%j makes none', async (body) => {
  expect(code(await make(body))).toEqual([400, 'invalid_request'])
})

test('a key calls 600 times in a minute, and every answer says how often still', async () => {
  const made = (await make({ name: 'Ofta', scopes: ['read'] })).json as Made
  const { headers } = await fetch(`${server.origin}/api/client/invoices/${invoice.id}`, {
    headers: { authorization: `Bearer ${made.key}` },
  })
  expect(headers.get('ratelimit-policy')).toBe('"minute";q=600;w=60')
  expect(headers.get('ratelimit')).toMatch(/^"minute";r=599;t=\d+$/)
  let now = 60_000_000
  const take = openCallBudget({ now: () => now })
  const told: Record<string, string> = {}
  const reply = { header: (name: string, value: string) => (told[name] = value) } as unknown as FastifyReply
  for (let n = 0; n < 600; n++) take('one', reply)
  expect(told.ratelimit).toBe('"minute";r=0;t=60')
  expect(() => take('one', reply)).toThrow('calls_throttled')
  expect(told['retry-after']).toBe('60')
  take('another', reply)
  now += 60_000
  take('one', reply)
  expect(told.ratelimit).toBe('"minute";r=599;t=60')
})

test('who has shown who they are more than ten minutes ago shows it again', async () => {
  await server.test.owner.query(`update staff_session set signed_in_at = now() - interval '11 minutes'`)
  expect(code(await make({ name: 'x', scopes: ['read'] }))).toEqual([403, 'sign_in_again'])
})
