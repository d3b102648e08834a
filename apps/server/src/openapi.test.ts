/** The written reference against the running API: what is described is answered, and nothing else. */
import { beforeAll, describe, expect, test } from 'vitest'
import { BINDINGS } from './api.ts'
import type { OpenApi, Operation } from './platform/http/openapi.ts'
import { pathsOf } from './platform/http/serve.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from './testing/build.ts'
import { buildClaim, buildInstanceAccount } from './testing/build-claim.ts'
import { PDF } from './testing/files/sample-files.ts'
import { fingerprint, Fuzz, ODD, sampleBody, sampleOf } from './testing/calls/fuzz.ts'
import { expectPromised, validatorOf } from './testing/calls/promised.ts'
import { signIn } from './testing/sign-in.ts'
import { startTestServer, type Answer, type TestServer } from './testing/start-test-server.ts'
import { askForBooksAtEnd } from './testing/test-database.ts'

askForBooksAtEnd()

let server: TestServer
let document: OpenApi
let invoice: BuiltInvoice
let pairs: readonly (readonly [string, string])[]

beforeAll(async () => {
  server = await startTestServer()
  document = (await server.call('GET', '/api/openapi.json')).json
  await buildInstanceAccount(server.test, server.instanceId)
  const claim = await buildClaim(server.test, server.instanceId, server.clock)
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const stranger = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
  const other = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  const foreign = await buildInvoice(server.test, other.id, server.clock, { zip: '0150' })
  pairs = [
    [invoice.reference, invoice.zip],
    [claim.reference, claim.zip],
    [invoice.reference, stranger.zip],
    [stranger.reference, invoice.zip],
    [foreign.reference, foreign.zip],
    ['00000000000000', invoice.zip],
  ]
})

type Call = {
  readonly path: string
  readonly method: string
  readonly operation: Operation
  readonly name: string
}

/** By the bindings, so that the names of the tests are known before the server runs. */
const calls = BINDINGS.flatMap(({ contract }) =>
  contract.doors.flatMap((door) =>
    pathsOf(contract, door).map((pattern) => {
      const path = pattern.replace(/^\/api/, '').replace(/:(\w+)/g, '{$1}')
      const refusals = contract.refusals.filter((code) => code !== 'login_error::invalid_data')
      return {
        name: `${contract.method} ${path}`,
        path,
        method: contract.method.toLowerCase(),
        door,
        refusals,
      }
    }),
  ),
)

/** Those of staff are asked by signed-in staff: `staff-calls.test.ts`. */
const debtorsCalls = calls.filter(({ door }) => door !== 'client' && door !== 'admin')

function described({ path, method }: { path: string; method: string }): Operation {
  const operation = document.paths[path]?.[method]
  expect(operation, `${method} ${path} is described`).toBeDefined()
  return operation as Operation
}

describe('the document', () => {
  test('describes every call behind every door, and storage', () => {
    const paths = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(paths.toSorted()).toEqual([...calls.map((c) => c.name), 'GET /storage/{name}'].toSorted())
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((operation) => operation.operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('is OpenAPI 3.1: its schemas compile, its references lead somewhere, its paths name their parameters', () => {
    expect(document.openapi).toBe('3.1.0')
    const schemas = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? []
    expect(new Set(schemas)).toEqual(new Set(['"$ref":"#/components/schemas/Problem"']))
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const operation of Object.values(methods)) {
        const named = operation.parameters.filter((p) => p.in === 'path').map((p) => p.name)
        expect([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(named)
        const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
          Object.values(part?.content ?? {}),
        )
        for (const { schema } of contents) {
          if (schema) validatorOf(document, schema)
        }
      }
    }
  })

  test('is a page to read that loads nothing and runs nothing', async () => {
    const page = await server.call('GET', '/api/docs')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'nonce-/)
    expect(page.text).not.toMatch(/<script|<link|<img|https?:/)
    for (const { path } of calls) expect(page.text).toContain(path)
    expect(page.text).toContain('balances.total')
  })

  test('belongs to a tenant', async () => {
    const elsewhere = { host: 'unknown.example' }
    const answers = await Promise.all(
      ['/api/openapi.json', '/api/docs'].map((url) =>
        server.product.app.inject({ method: 'GET', url, headers: elsewhere }),
      ),
    )
    expect(answers.map((a) => a.statusCode)).toEqual([404, 404])
  })
})

const objection = () => ({ debtorEmail: 'alva@example.com', reason: 'Fel antal.' })

/** Bodies with which a call succeeds, where the schema alone cannot know one. */
const GOOD: Readonly<Record<string, () => unknown>> = {
  startPayment: () => ({ paymentDate: '2026-11-20', amount: '842.00', redirectUri: `${server.origin}/` }),
  disputeInvoice: objection,
  disputeClaim: objection,
  addInvoiceDisputeFile: () => ({ file: PDF, description: 'Kvitto' }),
  addClaimDisputeFile: () => ({ file: PDF, description: 'Kvitto' }),
}

function goodBody({ operation }: Pick<Call, 'operation'>): unknown {
  const name = operation.operationId.split('_', 1)[0] ?? ''
  return GOOD[name]?.() ?? sampleBody(operation)
}

function addressOf({ path }: Pick<Call, 'path'>, pair: readonly [string, string], query = ''): string {
  const filled = path
    .replace('{paymentReference}', encodeURIComponent(pair[0]))
    .replace('{zip}', encodeURIComponent(pair[1]))
    .replace(/\{\w+\}/g, invoice.id)
  return `/api${filled}${query}`
}

/** The same fields as a form; a value that is no file becomes a file of its text where one is expected. */
function formOf(body: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    const content = Buffer.isBuffer(value) ? new Uint8Array(value) : String(value)
    if (name === 'file') form.append(name, new Blob([content]), 'kvitto.pdf')
    else form.append(name, String(value))
  }
  return form
}

function send(call: Call, address: string, body: unknown, headers = {}): Promise<Answer> {
  const takesForm = call.operation.requestBody?.content['multipart/form-data'] !== undefined
  const isObject = typeof body === 'object' && body !== null
  const sent = call.method === 'get' ? undefined : takesForm && isObject ? formOf(body) : body
  return server.call(call.method.toUpperCase(), address, { body: sent, headers })
}

/** Something to read, or a refusal of the call's own, such as of an invoice that has no plan. */
function expectRead(answer: Answer, refusals: readonly string[]): void {
  const { code } = (answer.json ?? {}) as { code?: string }
  if (answer.status === 400 && refusals.includes(code ?? '')) return
  expect(answer.status, answer.text).toBe(200)
}

/** The query that a call cannot do without, as "a=b". */
function neededQuery({ operation }: Call): string {
  const needed = operation.parameters.filter((p) => p.in === 'query' && p.required)
  return new URLSearchParams(
    Object.fromEntries(needed.map((p) => [p.name, String(sampleOf(p.schema))])),
  ).toString()
}

type Debt = { id: string; reference: string; zip: string; debtorId: string; number: string }

async function ownDebt(path: string): Promise<Debt> {
  if (!path.includes('/collection-batches')) {
    return buildInvoice(server.test, server.instanceId, server.clock)
  }
  const claim = await buildClaim(server.test, server.instanceId, server.clock)
  return { ...claim, debtorId: claim.invoices[0]?.debtorId ?? '' }
}

const shared = new Map<boolean, Debt>()

/** A call that changes something, or reads what must be sent first, gets an invoice or claim of its own; the others share one. */
async function debtFor({ method, path }: Pick<Call, 'method' | 'path'>): Promise<Debt> {
  if (method !== 'get' || path.endsWith('/dispute/files')) return ownDebt(path)
  const isClaim = path.includes('/collection-batches')
  const debt = shared.get(isClaim) ?? (await ownDebt(path))
  shared.set(isClaim, debt)
  return debt
}

/** What a call needs to have happened before it can succeed. */
async function prepare(path: string, { reference, zip }: Debt): Promise<void> {
  if (!path.endsWith('/dispute/files')) return
  const subject = path.includes('/collection-batches') ? 'collection-batches' : 'invoices'
  const at = `/api/public/${subject}/${reference}/${zip}/dispute`
  expect((await server.call('POST', at, { body: objection() })).status).toBe(201)
}

describe('a live answer is one that was described', () => {
  test.each(debtorsCalls)('$name', async (key) => {
    const call = { ...key, operation: described(key) }
    const own = await debtFor(key)
    await prepare(key.path, own)
    const right = await send(
      call,
      addressOf(call, [own.reference, own.zip], `?${neededQuery(call)}`),
      goodBody(call),
    )
    expectPromised(document, call, right)
    if (key.door === 'debtor') expect(right.status).toBe(401)
    if (key.door === 'open' && key.method === 'get') expect(right.status).toBe(200)
    if (/^\/public\/invoices\/[^/]+\/[^/]+(\/|$)/.test(key.path) && key.method === 'get') {
      expectRead(right, key.refusals)
    }
    if (key.door === 'public' && GOOD[call.operation.operationId.split('_', 1)[0] ?? '']) {
      expect(right.status, right.text).toBe(201)
    }
    if (key.door === 'debtor') {
      const headers = await signIn(server.product.context, server.instanceId, [own.debtorId])
      const path = key.path.replace('{id}', own.id).replace('{collectionBatchNumber}', own.number)
      const query = path.includes('/collection-batches') ? `collectionBatchNumber=${own.number}` : ''
      const signedIn = await send(
        call,
        `${addressOf({ path }, ['', ''])}?paymentReference=${own.reference}&${query}&${neededQuery(call)}`,
        goodBody(call),
        headers,
      )
      expectPromised(document, call, signedIn)
      if (key.method === 'get') expectRead(signedIn, key.refusals)
    }
    expectPromised(document, call, await send(call, addressOf(call, ['123', '1']), goodBody(call)))
    expectPromised(
      document,
      call,
      await send(call, addressOf(call, [own.reference, own.zip], '?limit=x'), '{'),
    )
  })
})

/** A fiftieth in every run of the tests; `npm run soak` asks for all of it. */
const ROUNDS = process.env.SOAK ? 250 : 5
const SEED = Number(process.env.SOAK_SEED ?? 20261121)

describe('T-FUZZ: no failure of ours, a code with every refusal, and nothing changed by a refusal', () => {
  test.each(debtorsCalls.map((call, index) => ({ ...call, index })))('$name', async ({ index, ...key }) => {
    const call = { ...key, operation: described(key) }
    // Files need a dispute, which would close the way to other calls.
    const own = key.path.endsWith('/dispute/files') ? await ownDebt(key.path) : undefined
    if (own) await prepare(key.path, own)
    const fuzz = new Fuzz(SEED + index, own ? [[own.reference, own.zip], ...pairs.slice(2)] : pairs)
    let before = await fingerprint(server.test)
    const headers =
      key.door === 'debtor'
        ? await signIn(server.product.context, server.instanceId, [(own ?? invoice).debtorId])
        : {}
    for (let round = 0; round < ROUNDS; round++) {
      const pair =
        fuzz.next() < 0.8
          ? fuzz.oneOf(fuzz.pairs)
          : ([String(fuzz.oneOf(ODD)) || 'x', String(fuzz.oneOf(ODD)) || 'x'] as const)
      const address = addressOf(call, pair, fuzz.query(call.operation))
      const answer = await send(call, address, fuzz.body(goodBody(call)), headers)
      expect(answer.status, `seed ${SEED + index} round ${round}: ${address.slice(0, 300)}`).toBeLessThan(500)
      // A path that became another one is answered by the neutral 404.
      if (answer.status !== 404) expectPromised(document, call, answer)
      if (answer.status < 400) before = key.method === 'get' ? before : await fingerprint(server.test)
      else if (key.method !== 'get') expect(await fingerprint(server.test)).toBe(before)
    }
    expect(await fingerprint(server.test)).toBe(before)
  })
})
