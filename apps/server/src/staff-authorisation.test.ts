/**
 * Which of a creditor's staff may do what with whose things: every call behind the client's door, by every role and every scope
 * of a key, about the creditor's own, another creditor's and another provider's row. A new call is in here by itself.
 */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { CREDITOR_ROLES, KEY_SCOPES, RIGHTS_OF_CREDITOR, RIGHTS_OF_SCOPE } from '@kvitt/domain/staff/roles.ts'
import { BINDINGS } from './api.ts'
import { keepSecret } from './credentials/credentials.ts'
import { pathOf } from './platform/http/serve.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from './testing/build.ts'
import { buildClaim } from './testing/build-claim.ts'
import { buildConversation } from './testing/build-conversation.ts'
import { buildDispute } from './testing/build-dispute.ts'
import { holdKey, signInStaff, type SignedIn } from './testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from './testing/start-test-server.ts'

type Whose = 'own' | 'other creditor' | 'other provider'
type Things = Readonly<Record<string, string>>

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
  'settlements',
  'users',
  'imports',
  'webhooks',
]

/** A period of the invoice's creditor that is being counted. */
async function buildSettlement({ instanceId, creditorId }: BuiltInvoice): Promise<string> {
  const { rows } = await server.test.owner.query<{ id: string }>(
    `insert into settlement (instance_id, id, creditor_id, currency, number, period_from, period_to, status)
     values ($1, gen_random_uuid(), $2, 'SEK', 1, '2026-10-01', '2026-10-31', 'COUNTING') returning id`,
    [instanceId, creditorId],
  )
  return rows[0]?.id ?? ''
}

beforeAll(async () => {
  server = await startTestServer()
  foreignId = (await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })).id
  const build = async (instanceId: string, zip: string): Promise<Things> => {
    const claim = await buildClaim(server.test, instanceId, server.clock, { invoices: [{ zip }] })
    const [beside] = claim.invoices
    if (!beside) throw new Error('the claim has no invoice')
    const built = await buildInvoice(server.test, instanceId, server.clock, { beside })
    if (zip === '11122') invoice = built
    const { creditorId } = built
    const key = await holdKey(server.product.context, { instanceId, creditorId, scopes: ['read'] })
    const disputed = await buildInvoice(server.test, instanceId, server.clock, { beside })
    const settlements = await buildSettlement(built)
    const others = { debtors: built.debtorId, payments: await buildFailed(built), settlements }
    const { id: disputes, taskId: tasks } = await buildDispute(server.test, server.clock, disputed)
    const { id: conversations } = await buildConversation(server.test, server.clock, built)
    const email = `prov-${zip}@example.com`
    await signInStaff(server.product.context, { instanceId, creditorId, role: 'viewer', email })
    const { rows } = await server.test.owner.query<{ id: string }>(
      'select m.id from membership m join person p on p.id = m.person_id where p.email = $1',
      [email],
    )
    const users = rows[0]?.id ?? ''
    const imports = await buildImport(built)
    const webhooks = await buildWebhook(built)
    return {
      invoices: built.id,
      'collection-batches': claim.id,
      'api-keys': key.id,
      tasks,
      disputes,
      conversations,
      users,
      imports,
      webhooks,
      ...others,
    }
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

/** A payment that its gateway gave up. */
async function buildFailed({ instanceId, id, reference }: BuiltInvoice): Promise<string> {
  const { rows } = await server.test.owner.query(
    `insert into payment (instance_id, id, invoice_id, gateway, option, amount_minor, currency, execution_date, payee_name,
       payee_account, payee_scheme, payment_reference, status, redirect_uri, callback_secret, idempotency_key, request_hash)
     values ($1, gen_random_uuid(), $2, 'DIRECT_BANK', 'pay-now', 100, 'SEK', '2026-11-20', 'x', 'x', 'BANKGIRO', $3, 'FAILED',
       'http://localhost/', gen_random_uuid(), 'x', 'x') returning id`,
    [instanceId, id, reference],
  )
  return rows[0].id
}

/** A file that was read, and has nothing in it. */
async function buildImport({ instanceId, creditorId }: BuiltInvoice): Promise<string> {
  const { rows } = await server.test.owner.query(
    `insert into import (instance_id, id, creditor_id, file_name, file_hash, byte_count, format, status, made_by)
     values ($1, gen_random_uuid(), $2, 'x.csv', 'x', 1, 'CSV', 'READY', 'person:x') returning id`,
    [instanceId, creditorId],
  )
  return rows[0].id
}

/** A webhook with a delivery of the same id, so that both kinds of path find one; made anew where it was removed. */
async function buildWebhook(
  { instanceId, creditorId }: BuiltInvoice,
  id: string = randomUUID(),
): Promise<string> {
  const { db, config } = server.product.context
  await server.test.owner.query('delete from webhook_event where id = $1', [id])
  await server.test.owner.query('delete from webhook where id = $1', [id])
  const secretId = randomUUID()
  await db.transaction((tx) =>
    keepSecret(tx, config.settingsKeyFile, { instanceId, id: secretId, text: 'whsec_AAAA' }),
  )
  await server.test.owner.query(
    `with w as (insert into webhook (instance_id, id, creditor_id, address, events, secret_id, off_since, off_reason)
       values ($1, $2, $3, 'https://hooks.example.com/', '{invoice.closed}', $4, now(), 'BY_HAND')),
     e as (insert into webhook_event (instance_id, id, creditor_id, type, subject_id, cause, body)
       values ($1, $2, $3, 'webhook.test', $2, $2::text, '{}') on conflict do nothing)
     insert into webhook_delivery (instance_id, id, webhook_id, event_id) values ($1, $2, $2, $2)`,
    [instanceId, id, creditorId, secretId],
  )
  return id
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
      if (resourceOf(call) === 'webhooks') await buildWebhook(invoice, own)
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
