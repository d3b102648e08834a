/**
 * Every call of staff, asked by a manager who is signed in: each answer is one that the written reference promises, and bad input
 * is refused with a code and changes nothing. A new call is in here by itself.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { BINDINGS } from './api.ts'
import type { OpenApi, Operation } from './platform/http/openapi.ts'
import { pathOf } from './platform/http/serve.ts'
import type { BuiltInvoice } from './testing/build.ts'
import { buildThings, type Things } from './testing/build-things.ts'
import { fingerprint, Fuzz, ODD, sampleBody } from './testing/calls/fuzz.ts'
import { expectPromised } from './testing/calls/promised.ts'
import { signInStaff, type SignedIn } from './testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from './testing/start-test-server.ts'
import { askForBooksAtEnd } from './testing/test-database.ts'

askForBooksAtEnd()

let server: TestServer
let document: OpenApi
let things: Things
let invoice: BuiltInvoice

beforeAll(async () => {
  server = await startTestServer()
  document = (await server.call('GET', '/api/openapi.json')).json
  const built = await buildThings(server, { instanceId: server.instanceId, zip: '11122' })
  things = built.things
  invoice = built.invoice
})

type StaffDoor = 'client' | 'admin'
const DOORS: readonly StaffDoor[] = ['client', 'admin']
const calls = BINDINGS.flatMap(({ contract }) =>
  DOORS.filter((door) => contract.doors.some((one) => one === door)).map((door) => {
    const pattern = pathOf(contract, door)
    return { name: `${contract.method} ${pattern}`, pattern, method: contract.method, door }
  }),
)
type Call = (typeof calls)[number]

function operationOf({ pattern, method, name }: Call): Operation {
  const path = pattern.replace(/^\/api/, '').replace(/:(\w+)/g, '{$1}')
  const operation = document.paths[path]?.[method.toLowerCase()]
  expect(operation, `${name} is described`).toBeDefined()
  return operation as Operation
}

/** The highest role of the door, signed in anew: some calls end the session with which they are asked. */
function signInManager(door: StaffDoor): Promise<SignedIn> {
  const { context } = server.product
  const { instanceId } = server
  if (door === 'admin') return signInStaff(context, { instanceId, creditorId: null, role: 'manager' })
  return signInStaff(context, { instanceId, creditorId: invoice.creditorId, role: 'manager' })
}

const ownId = ({ pattern }: Call): string => things[pattern.split('/')[3] ?? ''] ?? invoice.id

function addressOf({ pattern }: Call, id: string, query = ''): string {
  return `${pattern.replace(/:\w+/g, encodeURIComponent(id))}${query}`
}

/** Fields as a form; what is called a file is sent as one. */
function formOf(body: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    if (name === 'file') form.append(name, new Blob([String(value)]), 'fil.csv')
    else form.append(name, String(value))
  }
  return form
}

function send(call: Call, address: string, body: unknown, headers: SignedIn | undefined): Promise<Answer> {
  const takesForm = operationOf(call).requestBody?.content['multipart/form-data'] !== undefined
  const isObject = typeof body === 'object' && body !== null
  const sent = call.method === 'GET' ? undefined : takesForm && isObject ? formOf(body) : body
  return server.call(call.method, address, { body: sent, headers: { ...headers } })
}

describe('a live answer is one that was described', () => {
  test.each(calls)('$name', async (call) => {
    const asked = { operation: operationOf(call), name: call.name }
    const address = addressOf(call, ownId(call))
    const body = sampleBody(asked.operation)
    const stranger = await send(call, address, body, undefined)
    expectPromised(document, asked, stranger)
    expect(stranger.status).toBe(401)
    const headers = await signInManager(call.door)
    const answer = await send(call, address, body, headers)
    expect(answer.status, answer.text).not.toBe(401)
    expectPromised(document, asked, answer)
    expectPromised(document, asked, await send(call, `${address}?limit=x`, '{', headers))
  })
})

/** `npm run soak` asks for many more. */
const ROUNDS = process.env.SOAK ? 250 : 4
const SEED = Number(process.env.SOAK_SEED ?? 20261126)

describe('T-FUZZ: no failure of ours, a code with every refusal, and nothing changed by a refusal', () => {
  test.each(calls.map((call, index) => ({ ...call, index })))('$name', async ({ index, ...call }) => {
    const asked = { operation: operationOf(call), name: call.name }
    const fuzz = new Fuzz(SEED + index)
    let headers = await signInManager(call.door)
    for (let round = 0; round < ROUNDS; round++) {
      const id = fuzz.next() < 0.8 ? ownId(call) : String(fuzz.oneOf(ODD)) || 'x'
      const address = addressOf(call, id, fuzz.query(asked.operation))
      const body = fuzz.body(sampleBody(asked.operation))
      const before = await fingerprint(server.test)
      const answer = await send(call, address, body, headers)
      const hint = `seed ${SEED + index} round ${round}: ${address.slice(0, 300)} ${JSON.stringify(body)?.slice(0, 500)} ${answer.text.slice(0, 300)}`
      expect(answer.status, hint).toBeLessThan(500)
      // A path that became another one is answered by the neutral 404.
      if (answer.status !== 404) expectPromised(document, asked, answer)
      const isRefused = answer.status >= 400
      if (isRefused || call.method === 'GET') expect(await fingerprint(server.test), hint).toBe(before)
      if (answer.status === 401) headers = await signInManager(call.door)
    }
  })
})
