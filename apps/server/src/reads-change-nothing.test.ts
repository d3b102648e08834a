/**
 * Whatever a page of somebody else's makes a browser fetch, and however often: what is read changes nothing, asks no gateway
 * and decides about no money. Every call that reads, behind each of its doors.
 */
import { beforeAll, expect, test } from 'vitest'
import type { Door } from '@kvitt/domain/contract.ts'
import { describeSchema } from '@kvitt/domain/schema.contract.ts'
import { BINDINGS } from './api.ts'
import { pathsOf } from './platform/http/serve.ts'
import { buildInvoice, type BuiltInvoice } from './testing/build.ts'
import { buildClaim, buildInstanceAccount, type BuiltClaim } from './testing/build-claim.ts'
import { signIn } from './testing/sign-in.ts'
import { signInStaff, type SignedIn } from './testing/staff.ts'
import { startTestServer, type TestServer } from './testing/start-test-server.ts'
import { askForBooksAtEnd } from './testing/test-database.ts'

askForBooksAtEnd()

let server: TestServer
let invoice: BuiltInvoice
let claim: BuiltClaim
/** What proves who calls, by the door. */
const signedIn: Partial<Record<Door, Record<string, string> | SignedIn>> = {}
/** What gateways have been asked about. */
const asked: string[] = []

/** A payment that the payer has signed and that we have not heard of: whoever asked the bank now would change it. */
async function signUnheard(subject: string, { reference, zip }: { reference: string; zip: string }) {
  const at = `/api/public/${subject}/${reference}/${zip}`
  const read = await server.call('GET', at)
  const told = read.json as { balances?: { total: number }; balanceTotal?: number }
  const amount = (told.balances?.total ?? told.balanceTotal ?? 0).toFixed(2)
  const body = { paymentDate: '2026-11-20', amount, redirectUri: `${server.origin}/` }
  expect((await server.call('POST', `${at}/payment-requests`, { body })).status).toBe(201)
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.find((one) => one.reference === reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
}

beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  claim = await buildClaim(server.test, server.instanceId, server.clock, {
    invoices: [{ totalMinor: 100_000 }],
  })
  await server.control('POST', '/control/faults', { target: 'bank', fault: 'drop-callback', times: 1_000 })
  await signUnheard('invoices', invoice)
  await signUnheard('collection-batches', claim)
  signedIn.debtor = await signIn(server.product.context, server.instanceId, [
    invoice.debtorId,
    claim.invoices[0]?.debtorId ?? '',
  ])
  const { instanceId } = server
  for (const [door, creditorId] of [
    ['client', invoice.creditorId],
    ['admin', null],
  ] as const) {
    signedIn[door] = await signInStaff(server.product.context, { instanceId, creditorId, role: 'manager' })
  }
  const gateways = server.product.context.gateways.map((gateway) => ({
    ...gateway,
    readPayment: (reference: Parameters<typeof gateway.readPayment>[0]) => {
      asked.push(reference.gatewayPaymentId)
      return gateway.readPayment(reference)
    },
  }))
  Object.assign(server.product.context, { gateways })
})

/** Who has tried and who has looked is counted and written down, whatever the call. */
const COUNTED = ['guess_budget', 'audit_event']

/** A digest of each other table. */
async function everything(): Promise<unknown[]> {
  const { rows } = await server.test.owner.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname <> all($1) order by 1`,
    [COUNTED],
  )
  const sums = rows.map(
    ({ name }) =>
      `select '${name}' as name, count(*), md5(coalesce(string_agg(x::text, ',' order by x::text), '')) from "${name}" x`,
  )
  return (await server.test.owner.query(sums.join(' union all '))).rows
}

const reads = BINDINGS.filter(({ contract }) => contract.method === 'GET').flatMap(({ contract }) =>
  contract.doors.flatMap((door) =>
    pathsOf(contract, door).map((path) => ({ name: `GET ${path}`, contract, door, path })),
  ),
)

function addressOf({ contract, door, path }: (typeof reads)[number]): string {
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

/** How a browser fetches it for a page of another site: as a picture, ahead of a click, and to look at. */
const WAYS: readonly Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-purpose': 'prefetch;prerender' },
  {},
]

test('get.safe: there are reads behind every door, and a payment that looking at the bank would change', async () => {
  for (const door of ['open', 'public', 'debtor', 'client', 'admin'] as const) {
    expect(reads.filter((read) => read.door === door).length).toBeGreaterThan(2)
  }
  const { rows } = await server.test.owner.query('select status from payment')
  expect(rows).toEqual([{ status: 'IN_PROGRESS' }, { status: 'IN_PROGRESS' }])
})

test.each(reads)('get.safe: $name', async (read) => {
  const before = await everything()
  const times = read.path.endsWith('/payment-requests/status') ? 34 : 1
  const answers = await Promise.all(
    WAYS.flatMap((headers) =>
      Array.from({ length: times }, () =>
        server.call('GET', addressOf(read), {
          headers: {
            ...headers,
            ...signedIn[read.door],
          },
        }),
      ),
    ),
  )
  // A refused call would prove nothing. Some calls of staff are about a row that this test does not build: they say 404.
  const known = read.door === 'client' || read.door === 'admin' ? [200, 204, 404] : [200, 204, 400]
  for (const { status, text } of answers) expect(known, text.slice(0, 200)).toContain(status)
  for (const { json } of answers) {
    const { code } = (json ?? {}) as { code?: string }
    expect(code ?? '', addressOf(read)).not.toMatch(/login|not_signed_in|invalid_request/)
  }
  expect(await everything()).toEqual(before)
  expect(asked).toEqual([])
})

test('get.safe: asked with PUT, the same payments are settled at once', async () => {
  const at = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests/status`
  expect((await server.call('PUT', at)).json).toMatchObject([
    { status: expect.stringMatching(/^(AUTHORIZED|COMPLETED)$/) },
  ])
  expect(asked).toHaveLength(1)
})
