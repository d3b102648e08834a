/** A creditor's list of invoices. */
import { beforeAll, expect, test } from 'vitest'
import { buildClaim } from '../../testing/build-claim.ts'
import { buildInvoice } from '../../testing/build.ts'
import { signInStaff, type SignedIn } from '../../testing/staff.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'

let server: TestServer
let viewer: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  const { invoices } = await buildClaim(server.test, server.instanceId, server.clock, {
    daysAgo: 40,
    invoices: [{ number: 'M-1', totalMinor: 100_000 }],
  })
  const [member] = invoices
  if (!member) throw new Error('a claim without invoices')
  await buildInvoice(server.test, server.instanceId, server.clock, { beside: member, number: 'M-2' })
  const { creditorId } = member
  viewer = await signInStaff(server.product.context, {
    instanceId: server.instanceId,
    creditorId,
    role: 'viewer',
  })
})

test.each([
  ['false', ['M-2']],
  ['true', ['M-1']],
])('what a claim has taken over is told apart: %s', async (isInCollectionBatch, numbers) => {
  const answer = await server.call('POST', '/api/client/invoices/search', {
    body: { filters: { isInCollectionBatch } },
    headers: { authorization: viewer.authorization },
  })
  const found = answer.json as { invoiceNumber: string }[]
  expect(
    found.map(({ invoiceNumber }) => invoiceNumber),
    answer.text,
  ).toEqual(numbers)
})
