/** A creditor's manager makes a key, its program calls with it, and it ends. */
import { beforeAll, expect, test } from 'vitest'
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

test('who has shown who they are more than ten minutes ago shows it again', async () => {
  await server.test.owner.query(`update staff_session set signed_in_at = now() - interval '11 minutes'`)
  expect(code(await make({ name: 'x', scopes: ['read'] }))).toEqual([403, 'sign_in_again'])
})
