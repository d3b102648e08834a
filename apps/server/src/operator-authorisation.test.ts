/**
 * Which of an operator's staff may do what: every call behind the admin's door, by every role, about rows of each creditor of the
 * instance and of another provider. A new call is in here by itself.
 */
import { beforeAll, expect, test } from 'vitest'
import {
  MANDATED,
  OPERATOR_ROLES,
  RIGHTS_AT_DEFAULT,
  RIGHTS_OF_OPERATOR,
  type OperatorRole,
} from '@kvitt/domain/staff/roles.ts'
import { BINDINGS } from './api.ts'
import { pathOf } from './platform/http/serve.ts'
import { buildInstance, type BuiltInvoice } from './testing/build.ts'
import { buildThings, type Things } from './testing/build-things.ts'
import { holdKey, signInStaff, type SignedIn } from './testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from './testing/start-test-server.ts'
import { askForBooksAtEnd } from './testing/test-database.ts'

askForBooksAtEnd()

let server: TestServer
let invoice: BuiltInvoice
let things: Record<'one creditor' | 'other creditor' | 'other provider', Things>
const staff = new Map<OperatorRole, SignedIn>()
const strangers: { readonly name: string; readonly headers: SignedIn }[] = []
let foreigner: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  const foreign = (await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })).id
  const { instanceId } = server
  const one = await buildThings(server, { instanceId, zip: '11122' })
  invoice = one.invoice
  things = {
    'one creditor': one.things,
    'other creditor': (await buildThings(server, { instanceId, zip: '41105' })).things,
    'other provider': (await buildThings(server, { instanceId: foreign, zip: '0150' })).things,
  }
  const { context } = server.product
  for (const role of OPERATOR_ROLES)
    staff.set(role, await signInStaff(context, { instanceId, creditorId: null, role }))
  const at = { instanceId, creditorId: invoice.creditorId }
  strangers.push(
    { name: 'a creditor’s manager', headers: await signInStaff(context, { ...at, role: 'manager' }) },
    {
      name: 'a creditor’s program',
      headers: await holdKey(context, { ...at, scopes: ['read', 'invoices'] }),
    },
  )
  foreigner = await signInStaff(context, { instanceId: foreign, creditorId: null, role: 'manager' })
})

const calls = BINDINGS.map(({ contract }) => contract)
  .filter(({ doors }) => doors.includes('admin'))
  .map((contract) => ({ name: `${contract.method} ${pathOf(contract, 'admin')}`, contract }))
const aboutRows = calls.filter(({ contract }) => contract.path.includes(':id'))
type Call = (typeof calls)[number]

const resourceOf = ({ contract }: Call): string => contract.path.split('/')[1] ?? ''
/** Rows that are not a debt, a part of one or a task: they stand in tests of their own. */
const isBuilt = (call: Call): boolean =>
  resourceOf(call) !== 'users' && things['one creditor'][resourceOf(call)] !== undefined

function send({ contract }: Call, id: string, headers: SignedIn | undefined): Promise<Answer> {
  return server.call(contract.method, pathOf(contract, 'admin').replace(':id', id), {
    body: contract.method === 'GET' ? undefined : { __unknown: 1 },
    headers: { ...headers },
  })
}

const told = ({ status, json }: Answer) =>
  [status, status < 400 ? undefined : (json as { code: string }).code] as const

test('each call names the right that it needs', () => {
  expect(calls.length).toBeGreaterThan(30)
  for (const { contract } of calls) expect(contract.right, contract.name).toBeDefined()
})

test.each(calls)('authz.operator: $name is nobody’s without a session of the operator’s', async (call) => {
  const id = things['one creditor'][resourceOf(call)] ?? 'x'
  expect(told(await send(call, id, undefined))).toEqual([401, 'not_signed_in'])
  expect(told(await send(call, id, foreigner)), 'another provider’s').toEqual([401, 'not_signed_in'])
  for (const { name, headers } of strangers)
    expect(told(await send(call, id, headers)), name).toEqual([403, 'not_allowed'])
})

test.each(calls)('authz.operator: $name is refused to each role without its right', async (call) => {
  for (const [role, headers] of staff) {
    const rights = [...RIGHTS_OF_OPERATOR[role], ...(RIGHTS_AT_DEFAULT[role] ?? [])]
    if (call.contract.right !== undefined && rights.includes(call.contract.right)) continue
    const answer = await send(call, things['one creditor'][resourceOf(call)] ?? 'x', headers)
    expect(told(answer), role).toEqual([403, 'not_allowed'])
  }
})

test.each(aboutRows)(
  'authz.operator: $name finds the rows of each creditor, and none of another provider’s',
  async (call) => {
    for (const [role, headers] of staff) {
      const { right } = call.contract
      if (right === undefined || !RIGHTS_OF_OPERATOR[role].includes(right)) continue
      const none = await send(call, '00000000-0000-4000-8000-000000000000', headers)
      expect(told(none), role).toEqual([404, 'not_found'])
      if (!isBuilt(call)) continue
      const foreign = await send(call, things['other provider'][resourceOf(call)] ?? '', headers)
      expect(told(foreign), role).toEqual([404, 'not_found'])
      const isInvoice = ['invoices', 'disputes', 'conversations'].includes(resourceOf(call))
      const wantsMandate = isInvoice && MANDATED.includes(right)
      for (const whose of ['one creditor', 'other creditor'] as const) {
        const { status } = await send(call, things[whose][resourceOf(call)] ?? '', headers)
        // A creditor's task is the creditor's to give to somebody and to put aside.
        const isCreditors = /^\/tasks\/:id\/(assign|snooze)$/.test(call.contract.path)
        if (isCreditors) expect([400, 403], role).toContain(status)
        else if (wantsMandate) expect(status, `${role} with ${whose}`).toBe(403)
        else expect([401, 403, 404, 500], `${role} with ${whose}`).not.toContain(status)
      }
    }
  },
)

test.each(calls.filter(({ contract }) => contract.path.endsWith('/search')))(
  'authz.operator: $name finds what each creditor has, and nothing of another provider’s',
  async (call) => {
    const { right } = call.contract
    // Only managers see who works here.
    const role = right !== undefined && RIGHTS_OF_OPERATOR.auditor.includes(right) ? 'auditor' : 'manager'
    const answer = await server.call('POST', pathOf(call.contract, 'admin'), {
      body: {},
      headers: { ...staff.get(role) },
    })
    expect(answer.status, answer.text.slice(0, 200)).toBe(200)
    for (const id of Object.values(things['other provider'])) expect(answer.text).not.toContain(id)
    const resource = resourceOf(call)
    if (!isBuilt(call)) return
    for (const whose of ['one creditor', 'other creditor'] as const)
      expect(answer.text, whose).toContain(things[whose][resource])
  },
)

test('a row says whose it is, and a list is narrowed to one creditor', async () => {
  const search = (body: object) =>
    server.call('POST', '/api/admin/invoices/search', { body, headers: { ...staff.get('support') } })
  const all = (await search({})).json as { creditor: { id: string } }[]
  expect(new Set(all.map(({ creditor }) => creditor.id)).size).toBeGreaterThan(1)
  const own = (await search({ filters: { 'creditor.id': invoice.creditorId } })).json as typeof all
  expect(own.length).toBeGreaterThan(0)
  for (const { creditor } of own) expect(creditor.id).toBe(invoice.creditorId)
})

test('what an operator’s person does to an invoice is written down with who they are', async () => {
  const headers = { ...staff.get('manager') }
  const path = `/api/admin/invoices/${invoice.id}/pause`
  const answer = await server.call('POST', path, { body: { until: '2026-12-20', reason: 'dödsbo' }, headers })
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  const { rows } = await server.test.owner.query(
    `select actor from audit_event where about = $1 and actor like 'person:%' order by at desc limit 1`,
    [`invoice:${invoice.id}`],
  )
  expect(rows).toHaveLength(1)
})
