/**
 * Whoever looks as a debtor would reads what the debtor reads and changes nothing: every call that exists, behind each of its doors
 * and paths, with a peek's headers. A new call is in here by itself.
 */
import { beforeAll, expect, test } from 'vitest'
import type { Door } from '@kvitt/domain/contract.ts'
import { isReading } from '@kvitt/domain/sign-in/peek.contract.ts'
import { describeSchema } from '@kvitt/domain/schema.contract.ts'
import { BINDINGS } from './api.ts'
import { pathsOf } from './platform/http/serve.ts'
import { buildInvoice, type BuiltInvoice } from './testing/build.ts'
import { buildClaim, buildInstanceAccount, type BuiltClaim } from './testing/build-claim.ts'
import { askPeek, headersOf, openView, ticketOf } from './testing/calls/peek.ts'
import { signIn } from './testing/sign-in.ts'
import { signInStaff, type SignedIn } from './testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from './testing/start-test-server.ts'

type Headers = { authorization: string; cookie: string }

let server: TestServer
let staff: SignedIn
let invoice: BuiltInvoice
let claim: BuiltClaim
let other: BuiltInvoice
/** One person with an invoice and a claim: the peek, and the debtor's own session. */
let peek: Headers
let debtor: Headers

beforeAll(async () => {
  server = await startTestServer()
  const { context } = server.product
  await buildInstanceAccount(server.test, server.instanceId)
  claim = await buildClaim(server.test, server.instanceId, server.clock, {
    invoices: [{ totalMinor: 100_000 }],
  })
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  other = await buildInvoice(server.test, server.instanceId, server.clock, {
    debtorName: 'Berit Annansson',
    zip: '41105',
  })
  const ids = [invoice.debtorId, claim.invoices[0]?.debtorId ?? '']
  await server.test.owner.query(
    `update debtor set identification_number = '19850101-1234', identity = 'SE:198501011234' where id = $1`,
    [ids[0]],
  )
  await server.test.owner.query(
    `update debtor set identification_number = '850101-1234', identity = 'SE:8501011234' where id = $1`,
    [ids[1]],
  )
  staff = await signInStaff(context, { instanceId: server.instanceId, creditorId: null, role: 'support' })
  peek = headersOf(await openView(server, ticketOf(await askPeek(server, staff, invoice.debtorId))))
  debtor = await signIn(context, server.instanceId, ids)
})

const routes = BINDINGS.flatMap(({ contract }) =>
  contract.doors.flatMap((door: Door) =>
    pathsOf(contract, door).map((path) => ({ name: `${contract.method} ${path}`, contract, door, path })),
  ),
)
type Route = (typeof routes)[number]

function addressOf({ contract, door, path }: Route): string {
  const isClaim = contract.subject === 'collection-batches'
  const { reference, zip, id, number } = isClaim ? claim : invoice
  const address = path
    .replace(':paymentReference', reference)
    .replace(':zip', zip)
    .replace(':id', id)
    .replace(':collectionBatchNumber', number)
  const schema = describeSchema(contract.query, 'input')
  const query = new URLSearchParams()
  for (const name of schema?.required ?? []) {
    const { enum: choices } = schema?.properties?.[name] ?? {}
    query.set(name, Array.isArray(choices) ? String(choices[0]) : '1')
  }
  if (door === 'debtor' && contract.subject) query.set('paymentReference', reference)
  if (door === 'debtor' && isClaim) query.set('collectionBatchNumber', number)
  return `${address}?${query.toString()}`
}

function send(route: Route, headers: Headers): Promise<Answer> {
  const body = route.contract.method === 'GET' ? undefined : {}
  return server.call(route.contract.method, addressOf(route), { body, headers })
}

/** Who has looked is written down, whatever the call. */
const NOTED = ['audit_event']

async function everything(): Promise<unknown[]> {
  const { rows } = await server.test.owner.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname <> all($1) order by 1`,
    [NOTED],
  )
  const sums = rows.map(
    ({ name }) =>
      `select '${name}' as name, count(*), md5(coalesce(string_agg(x::text, ',' order by x::text), '')) from "${name}" x`,
  )
  return (await server.test.owner.query(sums.join(' union all '))).rows
}

const told = ({ status, json }: Answer) => [status, (json as { code?: string } | undefined)?.code]
/** The one write that a peek makes: it ends itself. */
const isWrite = ({ contract, door }: Route): boolean =>
  !isReading(contract) && !(door === 'debtor' && contract.name === 'logout')

const writes = routes.filter(isWrite)
const reads = routes.filter(({ contract, door }) => isReading(contract) && door === 'debtor')

test('there is something to refuse and something to read', () => {
  expect(writes.filter(({ door }) => door === 'debtor').length).toBeGreaterThan(20)
  expect(reads.length).toBeGreaterThan(40)
})

test('peek.write: every write behind every door is refused, and changes nothing in the database', async () => {
  const before = await everything()
  const answers: unknown[] = []
  for (const route of writes) answers.push([route.name, ...told(await send(route, peek))])
  expect(answers).toEqual(
    writes.map(({ name, door }) =>
      // A token of a peek is nobody's behind the doors of staff.
      door === 'client' || door === 'admin' ? [name, 401, 'not_signed_in'] : [name, 403, 'view_is_read_only'],
    ),
  )
  expect(await everything()).toEqual(before)
}, 120_000)

test('behind the public door it reads nothing either: no pair is proven with it', async () => {
  const before = await everything()
  for (const route of routes.filter(({ door }) => door === 'public'))
    expect(told(await send(route, peek)), route.name).toEqual([403, 'view_is_read_only'])
  expect(await everything()).toEqual(before)
})

/** Names of files are made for whom they are given to. */
function withoutNames(text: string): string {
  return text.replace(/[cdfkpts][\w-]{22,}\.[a-z0-9]{2,5}/g, '(file)')
}

test.each(reads)('it reads what the debtor reads, and nothing is changed by it: $name', async (route) => {
  const before = await everything()
  const seen = await send(route, peek)
  expect(await everything()).toEqual(before)
  const own = await send(route, debtor)
  expect(told(seen)).toEqual(told(own))
  if (route.contract.name === 'session') {
    const [one, two] = [seen.json, own.json] as { debtor: object }[]
    expect(one?.debtor).toEqual(two?.debtor)
  } else if (route.contract.answers === 'json' && seen.status < 400) {
    expect(withoutNames(seen.text)).toBe(withoutNames(own.text))
  }
  expect(seen.headers.get('x-session-token')).toBeNull()
  for (const trace of [other.id, other.reference, other.debtorId, 'Berit Annansson'])
    expect(seen.text).not.toContain(trace)
})

test('the lists and the pages of an invoice and of a claim are among what was read', async () => {
  const at = (subject: string, { reference, zip }: { reference: string; zip: string }, tail = '') =>
    `/api/debtor/${subject}${tail}?paymentReference=${reference}&zip=${zip}`
  const ask = (path: string, method = 'GET') =>
    server.call(method, path, { headers: peek, ...(method === 'GET' ? {} : { body: {} }) })
  expect((await ask(at('invoices', invoice))).json).toMatchObject({ id: invoice.id })
  expect((await ask(at('collection-batches', claim))).json).toMatchObject({ id: claim.id })
  const list = await ask('/api/debtor/invoices/ledger', 'POST')
  expect(list.status).toBe(200)
  expect(list.text).toContain(invoice.id)
})

test('the one write ends the peek alone', async () => {
  const second = headersOf(await openView(server, ticketOf(await askPeek(server, staff, invoice.debtorId))))
  const left = await server.call('POST', '/api/debtor/logout', { headers: second })
  expect(left.status).toBe(204)
  expect(told(await server.call('GET', '/api/debtor/session', { headers: second }))).toEqual([
    401,
    'not_signed_in',
  ])
  for (const headers of [peek, debtor])
    expect((await server.call('GET', '/api/debtor/session', { headers })).status).toBe(200)
})
