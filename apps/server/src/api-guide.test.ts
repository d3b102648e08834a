/** docs/api.md is true: each of its calls is made against a real server, in its order, with a key. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { buildDispute } from './testing/build-dispute.ts'
import { buildInvoice } from './testing/build.ts'
import { holdKey, type SignedIn } from './testing/staff.ts'
import { startTestServer, type TestServer } from './testing/start-test-server.ts'

const GUIDE = readFileSync(fileURLToPath(new URL('../../../docs/api.md', import.meta.url)), 'utf8')

type Example = {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
  readonly status: number
  /** The name by which later calls mean what was made. */
  readonly makes: string | undefined
}

function readExample(block: string): Example {
  const lines = block.trim().split('\n')
  const [method = '', path = ''] = (lines.shift() ?? '').split(' ')
  const [, status = '', makes] = /^=> (\d{3})(?: (\w+))?$/.exec(lines.pop() ?? '') ?? []
  const body = lines.find((line) => line.startsWith('{'))
  const headers = lines.filter((line) => line !== body).map((line) => line.split(': ', 2) as [string, string])
  return { method, path, headers: Object.fromEntries(headers), body, status: Number(status), makes }
}

const EXAMPLES = [...GUIDE.matchAll(/```http\n([\s\S]*?)```/g)].map(([, block = '']) => readExample(block))

let server: TestServer
let key: SignedIn
const names = new Map<string, string>()

beforeAll(async () => {
  server = await startTestServer()
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const beside = await buildInvoice(server.test, server.instanceId, server.clock, { beside: invoice })
  const dispute = await buildDispute(server.test, server.clock, beside)
  names.set('invoice', invoice.id).set('dispute', dispute.id)
  const { authorization } = await holdKey(server.product.context, {
    ...invoice,
    scopes: ['read', 'invoices', 'payments', 'webhooks'],
  })
  key = { authorization }
})

test('the guide has ten calls and more', () => {
  expect(EXAMPLES.length).toBeGreaterThanOrEqual(10)
})

test.each(EXAMPLES)('$method $path', async ({ method, path, headers, body, status, makes }) => {
  const named = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => names.get(name) ?? name)
  const address = named(path)
  const sent = body === undefined ? {} : { body: named(body) }
  const call = () => server.call(method, address, { ...sent, headers: { ...headers, ...key } })
  const answer = await call()
  expect(answer.status, answer.text).toBe(status)
  if (makes) names.set(makes, (answer.json as { id: string }).id)
  if (!headers['Idempotency-Key']) return
  const again = await call()
  expect([again.status, again.text]).toEqual([answer.status, answer.text])
})
