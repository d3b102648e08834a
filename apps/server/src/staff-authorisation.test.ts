/**
 * Which of a creditor's staff may do what with whose things: every call behind the client's door, by every role and every scope
 * of a key, about the creditor's own, another creditor's and another provider's row. A new call is in here by itself.
 */
import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { CREDITOR_ROLES, KEY_SCOPES, RIGHTS_OF_CREDITOR, RIGHTS_OF_SCOPE } from '@kvitt/domain/staff/roles.ts'
import { BINDINGS } from './api.ts'
import { pathOf } from './platform/http/serve.ts'
import { buildInstance, type BuiltInvoice } from './testing/build.ts'
import { buildThings, buildWebhook, type Things } from './testing/build-things.ts'
import { holdKey, signInStaff, type SignedIn } from './testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from './testing/start-test-server.ts'
import { askForBooksAtEnd } from './testing/test-database.ts'

askForBooksAtEnd()

type Whose = 'own' | 'other creditor' | 'other provider'

let server: TestServer
let foreignId: string
let things: Record<Whose, Things>
let invoice: BuiltInvoice
const staff: { name: string; rights: readonly string[]; headers: SignedIn }[] = []

/** What each resource's row is, by the first part of its path. One that is new says here what somebody has of it. */
const RESOURCES = [
  'invoices',
  'collection-batches',
  'api-keys',
  'tasks',
  'disputes',
  'conversations',
  'debtors',
  'payments',
  'plans',
  'settlements',
  'users',
  'imports',
  'webhooks',
  'acts',
  'bulk',
  'passkeys',
]

beforeAll(async () => {
  server = await startTestServer()
  foreignId = (await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })).id
  const build = async (instanceId: string, zip: string): Promise<Things> => {
    const built = await buildThings(server, { instanceId, zip })
    if (zip === '11122') invoice = built.invoice
    const passkeys = await buildPasskey(built.invoice)
    const [acts, bulk] = [await buildAct(built.invoice), await buildBulk(built.invoice)]
    return { ...built.things, acts, bulk, passkeys }
  }
  things = {
    own: await build(server.instanceId, '11122'),
    'other creditor': await build(server.instanceId, '41105'),
    'other provider': await build(foreignId, '0150'),
  }
  const { context } = server.product
  const at = { instanceId: server.instanceId, creditorId: invoice.creditorId }
  for (const role of CREDITOR_ROLES) {
    staff.push({
      name: role,
      rights: RIGHTS_OF_CREDITOR[role],
      headers: await signInStaff(context, { ...at, role }),
    })
  }
  for (const scope of KEY_SCOPES) {
    staff.push({
      name: `key: ${scope}`,
      rights: RIGHTS_OF_SCOPE[scope],
      headers: await holdKey(context, { ...at, scopes: [scope] }),
    })
  }
})

/** An act that nobody here asked for. */
async function buildAct({ instanceId, creditorId, id }: BuiltInvoice): Promise<string> {
  const { rows } = await server.test.owner.query(
    `insert into waiting_act (instance_id, id, creditor_id, key_id, call, subject_id, due_at, next_try_at)
     values ($1, gen_random_uuid(), $2, gen_random_uuid(), 'pauseOfficeInvoice', $3, now() + interval '1 hour', now() + interval '1 hour')
     returning id`,
    [instanceId, creditorId, id],
  )
  return rows[0].id
}

/** An act for many rows that nobody here asked for. */
async function buildBulk({ instanceId, creditorId }: BuiltInvoice): Promise<string> {
  const { rows } = await server.test.owner.query(
    `insert into bulk_act (instance_id, id, creditor_id, key_id, call) values ($1, gen_random_uuid(), $2, gen_random_uuid(), 'x')
     returning id`,
    [instanceId, creditorId],
  )
  return rows[0].id
}

/** A passkey of somebody who is not here. */
async function buildPasskey({ instanceId }: BuiltInvoice): Promise<string> {
  const { rows } = await server.test.owner.query(
    `with somebody as (
       insert into person (id, email, name) values (gen_random_uuid(), gen_random_uuid() || '@example.com', 'Nora Borta') returning id)
     insert into passkey (id, person_id, instance_id, rp_id, credential_id, public_key, counter, is_multi_device, is_backed_up,
       transports, name, made_at)
     select gen_random_uuid(), id, $1, 'localhost', gen_random_uuid(), '', 0, false, false, '{}', 'Telefon', now() from somebody
     returning id`,
    [instanceId],
  )
  return rows[0].id
}

/** One's own passkey is the person's. It stays: it is their only way to sign in. */
async function heldBy(id: string, { authorization }: SignedIn): Promise<void> {
  const hash = createHash('sha256').update(authorization.replace('Bearer ', '')).digest()
  await server.test.owner.query(
    `update passkey set person_id = (select m.person_id from staff_session s
       join membership m on m.instance_id = s.instance_id and m.id = s.membership_id where s.token_hash = $2) where id = $1`,
    [id, hash],
  )
}

/** What somebody follows is what they asked for themselves. */
async function askedByWho(
  table: 'waiting_act' | 'bulk_act',
  id: string,
  { authorization }: SignedIn,
): Promise<void> {
  const hash = createHash('sha256').update(authorization.replace('Bearer ', '')).digest()
  await server.test.owner.query(
    `update ${table} set membership_id = (select membership_id from staff_session where token_hash = $2),
       key_id = (select id from api_key where key_hash = $2) where id = $1`,
    [id, hash],
  )
}

const calls = BINDINGS.map(({ contract }) => contract)
  .filter(({ doors }) => doors.includes('client'))
  .map((contract) => ({ name: `${contract.method} ${pathOf(contract, 'client')}`, contract }))
const aboutRows = calls.filter(({ contract }) => contract.path.includes(':id'))

type Call = (typeof calls)[number]

function send({ contract }: Call, id: string, headers: Partial<SignedIn>, body?: unknown): Promise<Answer> {
  const path = pathOf(contract, 'client').replace(':id', id)
  const sent = contract.method === 'GET' ? undefined : (body ?? {})
  return server.call(contract.method, path, {
    body: sent,
    headers: headers.authorization ? { authorization: headers.authorization } : {},
  })
}

const told = ({ status, json }: Answer) =>
  [status, status < 400 ? undefined : (json as { code: string }).code] as const

const resourceOf = ({ contract }: Call): string => contract.path.split('/')[1] ?? ''

test('each call names the right that it needs, and each resource with rows is built here', () => {
  expect(calls.length).toBeGreaterThan(1)
  for (const { contract } of calls) expect(contract.right, contract.name).toBeDefined()
  for (const call of aboutRows) expect(RESOURCES, call.name).toContain(resourceOf(call))
})

test.each(calls)('authz.staff: $name without a session is 401, whatever is sent', async (call) => {
  const wrong: Partial<SignedIn>[] = [
    {},
    { authorization: 'Bearer kvitt-nobody-has-this' },
    { authorization: `Bearer ${'x'.repeat(43)}` },
  ]
  for (const headers of wrong) {
    expect(told(await send(call, things.own[resourceOf(call)] ?? 'x', headers))).toEqual([
      401,
      'not_signed_in',
    ])
  }
  const foreign = await signInStaff(server.product.context, {
    instanceId: foreignId,
    creditorId: null,
    role: 'manager',
  })
  expect(told(await send(call, 'x', foreign)), 'another provider’s session').toEqual([401, 'not_signed_in'])
  const operator = await signInStaff(server.product.context, {
    instanceId: server.instanceId,
    creditorId: null,
    role: 'manager',
  })
  expect(told(await send(call, 'x', operator)), 'an operator at the client’s door').toEqual([
    403,
    'not_allowed',
  ])
})

test.each(calls)(
  'authz.staff: $name is refused to whoever has not the right, before anything else',
  async (call) => {
    for (const { name, rights, headers } of staff) {
      if (call.contract.right !== undefined && rights.includes(call.contract.right)) continue
      for (const whose of ['own', 'other creditor', 'other provider'] as const) {
        const answer = await send(call, things[whose][resourceOf(call)] ?? 'x', headers, { __unknown: 1 })
        expect(told(answer), `${name} with ${whose}`).toEqual([403, 'not_allowed'])
      }
    }
  },
)

test.each(aboutRows)(
  'authz.staff: $name of another’s row is the row that does not exist, byte for byte',
  async (call) => {
    const own = things.own[resourceOf(call)] ?? ''
    for (const { name, rights, headers } of staff) {
      if (call.contract.right === undefined || !rights.includes(call.contract.right)) continue
      const none = await send(call, own.replace(/^.{8}/, '00000000'), headers, { __unknown: 1 })
      expect(told(none), name).toEqual([404, 'not_found'])
      for (const whose of ['other creditor', 'other provider'] as const) {
        const answer = await send(call, things[whose][resourceOf(call)] ?? '', headers, { __unknown: 1 })
        expect(told(answer), `${name} with ${whose}`).toEqual([404, 'not_found'])
        const plain = (text: string) => text.replace(/"(traceId|instance)":"[^"]*"/g, '')
        expect(plain(answer.text)).toBe(plain(none.text))
      }
      if (resourceOf(call) === 'webhooks') await buildWebhook(server, invoice, own)
      if (resourceOf(call) === 'acts') await askedByWho('waiting_act', own, headers)
      if (resourceOf(call) === 'passkeys') await heldBy(own, headers)
      if (resourceOf(call) === 'bulk') await askedByWho('bulk_act', own, headers)
      expect([401, 403, 404, 500], name).not.toContain((await send(call, own, headers)).status)
    }
  },
)

test.each(calls.filter(({ contract }) => contract.path.endsWith('/search')))(
  'authz.staff: $name finds nothing of another’s',
  async (call) => {
    const headers = staff[2]?.headers as SignedIn
    const answer = await send(call, 'x', headers, {})
    expect(answer.status, answer.text.slice(0, 200)).toBe(200)
    for (const whose of ['other creditor', 'other provider'] as const) {
      for (const id of Object.values(things[whose])) expect(answer.text).not.toContain(id)
    }
  },
)

test('a list has the creditor’s own, and says how many', async () => {
  const answer = await server.call('POST', '/api/client/invoices/search?limit=10', {
    body: { query: invoice.number, queryTarget: 'invoiceNumber' },
    headers: { ...(staff[0]?.headers as SignedIn) },
  })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.headers.get('x-total-count')).toBe('1')
  expect(answer.json).toEqual([expect.objectContaining({ id: invoice.id, statuses: { main: 'ACTIVATED' } })])
})
