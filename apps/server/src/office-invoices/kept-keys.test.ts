/** A key that comes again is answered as it was, whatever the day is by then; rows of an invoice are credited once. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildClaim } from '../testing/build-claim.ts'
import { buildDispute } from '../testing/build-dispute.ts'
import { buildInvoice, TODAY } from '../testing/build.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let by: SignedIn
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(() => server.clock.moveTo(TODAY))

const days = (n: number) => addDays(TODAY, n)
async function build() {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  await signIn(invoice.creditorId)
  return invoice
}
async function signIn(creditorId: string): Promise<void> {
  const at = { instanceId: server.instanceId, creditorId, role: 'manager' } as const
  by = await signInStaff(server.product.context, at)
}
const call = (path: string, body: object, key?: string): Promise<Answer> =>
  server.call('POST', `/api/client/${path}`, {
    body,
    headers: { authorization: by.authorization, ...(key ? { 'idempotency-key': key } : {}) },
  })
const told = ({ status, json }: Answer): unknown[] =>
  status >= 400 ? [status, (json as { code: string }).code] : [status]

/** Asked today, and again when its day has passed. */
async function expectKept(path: string, body: object): Promise<void> {
  const first = await call(path, body, path)
  expect(first.status, first.text).toBeLessThan(300)
  server.clock.moveTo(days(2))
  const again = await call(path, body, path)
  expect([again.status, again.headers.get('idempotency-hit')], again.text).toEqual([first.status, 'true'])
  expect(told(await call(path, { ...body, reason: 'Another' }, path))).toEqual([
    400,
    'idempotency_key_reused',
  ])
  server.clock.moveTo(TODAY)
}

test('a pause and more time until tomorrow, of an invoice and of a claim', async () => {
  await expectKept(`invoices/${(await build()).id}/pause`, { until: days(1), reason: 'Sjuk' })
  await expectKept(`invoices/${(await build()).id}/more-time`, { until: days(15), reason: 'Sjuk' })
  const claim = await buildClaim(server.test, server.instanceId, server.clock)
  await signIn(claim.invoices[0]?.creditorId ?? '')
  await expectKept(`collection-batches/${claim.id}/pause`, { until: days(1), reason: 'Sjuk' })
})

test('a draft that was due on its day', async () => {
  await build()
  const debtor = {
    type: 'PERSON',
    name: 'Alva Provlund',
    address: 'Provgatan 1',
    zip: '111 22',
    city: 'Stockholm',
    countryCode: 'SE',
  }
  const rows = [{ description: 'El', quantity: 1, unitPrice: 100, vatPercent: 25 }]
  const draft = { debtor, invoiceDate: TODAY, expireDate: TODAY, currency: 'SEK', rows }
  const first = await call('invoices', draft, 'draft')
  expect(first.status, first.text).toBe(201)
  server.clock.moveTo(days(1))
  const again = await call('invoices', draft, 'draft')
  expect([again.status, again.headers.get('idempotency-hit')]).toEqual([201, 'true'])
})

test('an answer to a dispute is kept under its key, and its key is of it alone', async () => {
  const invoice = await build()
  const { id } = await buildDispute(server.test, server.clock, invoice)
  const body = { decision: 'REJECT', answer: 'Fakturan gäller.' }
  const both = await Promise.all([1, 2].map(() => call(`disputes/${id}/decide`, body, 'answer')))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  const other = { ...body, answer: 'Nej.' }
  expect(told(await call(`disputes/${id}/decide`, other, 'answer'))).toEqual([400, 'idempotency_key_reused'])
  expect(told(await call(`invoices/${invoice.id}/credit`, { reason: 'Fel' }, 'answer'))).toEqual([
    400,
    'idempotency_key_reused',
  ])
  expect(told(await call(`disputes/${id}/decide`, body, 'other'))).toEqual([400, 'dispute_answered'])
})

test('a row is credited once, in parts or at the same time', async () => {
  const { id } = await build()
  const row = (of: object) => call(`invoices/${id}/credit`, { rows: [{ line: '1', ...of }], reason: 'Fel' })
  expect(told(await row({ amount: '500.00' }))).toEqual([200])
  expect((await row({ amount: '342.01' })).json).toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'rows.0.amount' }],
  })
  const both = await Promise.all([1, 2].map(() => row({ quantity: 1 })))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
})
