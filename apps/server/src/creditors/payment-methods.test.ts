import { beforeAll, describe, expect, test } from 'vitest'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { choosePaymentMethods } from './creditors.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const path = (invoice: BuiltInvoice, rest: string) =>
  `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`
const methods = async (invoice: BuiltInvoice) =>
  ((await server.call('GET', path(invoice, '/payment-methods'))).json as { code: string }[]).map(
    (m) => m.code,
  )
const pay = async (invoice: BuiltInvoice) => {
  const body = { paymentDate: '2026-11-20', amount: '842.00', redirectUri: `${server.origin}/` }
  const answer = await server.call('POST', path(invoice, '/payment-requests'), { body })
  return [answer.status, (answer.json as { code?: string }).code]
}

describe('the payment methods that a creditor takes', () => {
  test('all, unless it chose; the invoice’s own choice wins', async () => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    const all = await methods(invoice)
    expect(all).toEqual(expect.arrayContaining(['DIRECT_PAYMENT_BANK', 'BANK_TRANSFER']))
    const of = { instanceId: server.instanceId, creditorId: invoice.creditorId }
    await choosePaymentMethods(server.test.db, of, ['BANK_TRANSFER'])
    expect(await methods(invoice)).toEqual(['BANK_TRANSFER'])
    expect(await pay(invoice)).toEqual([400, 'service_provider_unavailable'])
    const one = { instanceId: server.instanceId, invoiceId: invoice.id }
    await choosePaymentMethods(server.test.db, one, [])
    expect(await methods(invoice)).toEqual([])
    await choosePaymentMethods(server.test.db, one, ['DIRECT_PAYMENT_BANK'])
    expect(await methods(invoice)).toEqual(['DIRECT_PAYMENT_BANK'])
    expect(await pay(invoice)).toEqual([201, undefined])
    await choosePaymentMethods(server.test.db, of, null)
    await choosePaymentMethods(server.test.db, one, null)
    expect(await methods(invoice)).toEqual(all)
  })
})
