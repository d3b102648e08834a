/**
 * Whoever is let in with what is their own, and names somebody else's beside it: in the query, in the body, twice, or as the
 * name of a file. Every call that exists, behind each of its doors.
 */
import { beforeAll, expect, test } from 'vitest'
import { describeSchema } from '@kvitt/domain/schema.contract.ts'
import { BINDINGS } from './api.ts'
import { pathsOf } from './platform/http/serve.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from './testing/build.ts'
import { buildClaim, buildInstanceAccount } from './testing/build-claim.ts'
import { formWith, PDF } from './testing/files/sample-files.ts'
import { signIn } from './testing/sign-in.ts'
import { startTestServer, type Answer, type TestServer } from './testing/start-test-server.ts'
import { askForBooksAtEnd } from './testing/test-database.ts'

askForBooksAtEnd()

type Thing = Pick<BuiltInvoice, 'id' | 'reference' | 'zip' | 'number' | 'debtorId'>
type Person = {
  readonly name: string
  readonly invoice: Thing
  readonly claim: Thing
  readonly member: Thing
}

let server: TestServer
let mine: Person
let others: readonly Person[]

async function build(instanceId: string, name: string, zip: string): Promise<Person> {
  const wish = { debtorName: name, zip, totalMinor: 100_000 }
  const claim = await buildClaim(server.test, instanceId, server.clock, { invoices: [wish] })
  const member = claim.invoices[0]
  if (!member) throw new Error('a claim has an invoice')
  const beside = await buildInvoice(server.test, instanceId, server.clock, wish)
  return { name, invoice: beside, claim: { ...claim, debtorId: member.debtorId }, member }
}

beforeAll(async () => {
  server = await startTestServer()
  const tenant = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  for (const id of [server.instanceId, tenant.id]) await buildInstanceAccount(server.test, id)
  mine = await build(server.instanceId, 'Alva Provlund', '11122')
  others = [
    await build(server.instanceId, 'Berit Annansson', '41105'),
    await build(tenant.id, 'Clas Utlandström', '0150'),
  ]
  for (const person of [mine, others[0] as Person]) {
    for (const [subject, thing] of [
      ['invoices', person.invoice],
      ['collection-batches', person.claim],
    ] as const) {
      const at = `/api/public/${subject}/${thing.reference}/${thing.zip}/dispute`
      const body = { debtorEmail: 'a@example.com', reason: `Fel antal, ${person.name}.` }
      expect((await server.call('POST', at, { body })).status).toBe(201)
      expect((await server.call('PUT', `${at}/files`, { body: formWith(PDF) })).status).toBe(201)
    }
  }
})

/** Everything that is kept of the others. */
async function kept(): Promise<string> {
  const debts = others.flatMap((o) => [o.invoice.id, o.claim.id, o.member.id])
  const read = async (text: string) => (await server.test.owner.query(text, [debts])).rows
  return JSON.stringify([
    await read('select * from invoice where id = any($1) order by id'),
    await read('select * from claim where id = any($1) order by id'),
    await read('select * from payment where debt_id = any($1) order by id'),
    await read('select * from dispute where debt_id = any($1) order by id'),
    await read('select * from collection_step where debt_id = any($1) order by id'),
    await read(`select f.* from dispute_file f join dispute d on d.instance_id = f.instance_id and d.id = f.dispute_id
      where d.debt_id = any($1) order by f.id`),
  ])
}

function expectNothingOfOthers({ text, status }: Answer, asked: string, hint: string): void {
  const traces = others.flatMap(({ name, ...things }) => [
    name,
    ...[things.invoice, things.claim, things.member].flatMap((t) => [t.id, t.reference, t.debtorId]),
  ])
  // A problem may repeat what was asked; an answer may not know it.
  const found = traces.filter((trace) => text.includes(trace) && !(status >= 400 && asked.includes(trace)))
  // One expectation for all: an own one for each trace took half of the time of the whole file.
  const isAnswered = status < 500
  expect({ isAnswered, found }, isAnswered ? hint : `${hint}: ${text.slice(0, 200)}`).toEqual({
    isAnswered: true,
    found: [],
  })
}

const routes = BINDINGS.flatMap(({ contract }) =>
  contract.doors.flatMap((door) =>
    pathsOf(contract, door).map((path) => ({ name: `${contract.method} ${path}`, contract, door, path })),
  ),
)
type Route = (typeof routes)[number]

const isClaimRoute = ({ contract }: Route): boolean => contract.subject === 'collection-batches'

function needed({ contract }: Route): [string, string][] {
  const schema = describeSchema(contract.query, 'input')
  return (schema?.required ?? []).map((name) => {
    const { enum: choices } = schema?.properties?.[name] ?? {}
    return [name, Array.isArray(choices) ? String(choices[0]) : '1']
  })
}

/** What is somebody else's, named in the query, after or instead of one's own. */
function queries(route: Route, own: Thing, other: Person): [string, string][][] {
  const named: [string, string][] =
    route.door === 'debtor' && route.contract.subject !== undefined
      ? [
          ['paymentReference', own.reference],
          ['zip', own.zip],
        ]
      : []
  return [other.invoice, other.claim, other.member].flatMap((theirs): [string, string][][] => [
    [...named, ['invoiceNumber', theirs.number], ['collectionBatchNumber', theirs.number]],
    [...named, ['paymentReference', theirs.reference], ['zip', theirs.zip], ['id', theirs.id]],
    [
      ...named.map(([k, v]): [string, string] => [k, k === 'paymentReference' ? theirs.reference : v]),
      ['debtorId', theirs.debtorId],
      ['instanceId', '00000000-0000-0000-0000-000000000000'],
    ],
  ])
}

/** Bodies that a call would take, with somebody else's things in them. */
function bodies(theirs: Thing): unknown[] {
  const names = { id: theirs.id, invoiceNumber: theirs.number, paymentReference: theirs.reference }
  const act = {
    paymentDate: '2026-11-20',
    amount: '1000.00',
    redirectUri: `${server.origin}/`,
    debtorEmail: 'a@example.com',
    reason: 'Fel antal.',
  }
  const searched = ['paymentReference', 'invoiceNumber', 'collectionBatchNumber', 'clientName', 'name', 'id']
  return [
    { ...act, ...names, zip: theirs.zip, debtorId: theirs.debtorId, collectionBatchNumber: theirs.number },
    { type: 'PLAN_3', annuity: 3, ...names },
    ...searched.map((queryTarget) => ({ query: theirs.reference.slice(0, 8), queryTarget })),
    { filters: { ...names, 'debtor.name': 'Berit', zip: theirs.zip } },
    { paymentReference: theirs.reference },
    { paymentReference: `${theirs.reference}[OR]${mine.claim.reference}` },
  ]
}

test.each(routes.filter(({ door }) => door !== 'open'))('authz.matrix: $name', async (route) => {
  const session = await signIn(server.product.context, server.instanceId, [
    mine.invoice.debtorId,
    mine.claim.debtorId,
  ])
  const headers = route.door === 'debtor' ? session : {}
  const before = await kept()
  const own = isClaimRoute(route) ? mine.claim : mine.invoice
  const path = route.path
    .replace(':paymentReference', own.reference)
    .replace(':zip', own.zip)
    .replace(':id', own.id)
    .replace(':collectionBatchNumber', own.number)
  const isForm = route.contract.largestFile !== undefined
  for (const other of others) {
    // Staff's doors open to nobody here, whatever is named: once is enough. What staff may see is swept elsewhere.
    const isStaffs = route.door === 'client' || route.door === 'admin'
    for (const query of queries(route, own, other).slice(0, isStaffs ? 1 : undefined)) {
      const text = new URLSearchParams([...needed(route), ...query]).toString()
      const body =
        route.contract.method === 'GET' ? undefined : isForm ? formWith(PDF) : bodies(other.invoice)[0]
      const answer = await server.call(route.contract.method, `${path}?${text}`, { headers, body })
      expectNothingOfOthers(answer, decodeURIComponent(text), `${text} ${JSON.stringify(body)}`)
    }
    if (route.contract.method === 'GET' || isForm || isStaffs) continue
    for (const body of [other.invoice, other.claim].flatMap(bodies)) {
      const named = route.door === 'debtor' ? `paymentReference=${own.reference}&zip=${own.zip}` : ''
      const text = new URLSearchParams(needed(route)).toString()
      const answer = await server.call(route.contract.method, `${path}?${text}&${named}`, { headers, body })
      expectNothingOfOthers(answer, JSON.stringify(body), `${named} ${JSON.stringify(body)}`)
    }
  }
  expect(await kept()).toBe(before)
})

/** Every name of a file in what a person is told. */
async function fileNames(person: Person): Promise<string[]> {
  const names = new Set<string>()
  for (const [subject, thing] of [
    ['invoices', person.invoice],
    ['invoices', person.member],
    ['collection-batches', person.claim],
  ] as const) {
    for (const tail of ['', '/documents', '/dispute/files', '/part-payment/options']) {
      const at = `/api/public/${subject}/${thing.reference}/${thing.zip}${tail}`
      const { text } = await server.call('GET', at)
      for (const [name] of text.matchAll(/[cdfkts][A-Za-z0-9_-]{40,80}\.[a-z]{2,5}/g)) names.add(name)
    }
  }
  return [...names]
}

test('idor.storage: the name of a file opens it here alone, and cannot be turned into that of another', async () => {
  const names = await fileNames(mine)
  const theirs = await fileNames(others[0] as Person)
  expect(new Set(names.map((name) => name[0]))).toEqual(new Set(['c', 'f']))
  for (const name of names) {
    const open = (host: string, asked = name) =>
      server.product.app.inject({ method: 'GET', url: `/api/storage/${asked}`, headers: { host } })
    expect((await open('localhost')).statusCode, name).toBe(200)
    expect((await open('fjellklar.portal.test')).statusCode, name).toBe(404)
    for (const other of theirs.filter((one) => one[0] === name[0])) {
      const mixed = `${other.slice(0, 23)}${name.slice(23)}`
      if (mixed !== other) expect((await open('localhost', mixed)).statusCode, mixed).toBe(404)
    }
  }
})
