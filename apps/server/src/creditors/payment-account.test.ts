import { beforeAll, expect, test } from 'vitest'
import { newId } from '../platform/identity.ts'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const get = async (invoice: BuiltInvoice, rest: string) =>
  (await server.call('GET', `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`))
    .json as unknown
const codes = async (invoice: BuiltInvoice) =>
  ((await get(invoice, '/payment-methods')) as { code: string }[]).map(({ code }) => code)

test('money that is not kronor goes to an account of its currency, with IBAN and BIC, or is not transferred', async () => {
  const build = (currency: 'SEK' | 'EUR') =>
    buildInvoice(server.test, server.instanceId, server.clock, { currency })
  const [inKronor, inEuro] = [await build('SEK'), await build('EUR')]
  expect(await codes(inKronor)).toContain('BANK_TRANSFER')
  expect(await codes(inEuro)).not.toContain('BANK_TRANSFER')
  await server.test.owner.query(
    `insert into payment_account (instance_id, id, scheme, account_number, receiver_name, bank_name, iban, bic,
       is_usable, number_key, currency)
     values ($1, $2, 'IBAN', '999900-00000111', 'Nordklar AB', 'Demopankki', 'FI0599990000000111', 'DEMOFIHHXXX',
       true, 'FI0599990000000111', 'EUR')`,
    [server.instanceId, newId(server.clock.now())],
  )
  expect(await codes(inEuro)).toContain('BANK_TRANSFER')
  expect(await get(inEuro, '/payment-account')).toMatchObject({
    receiverName: 'Nordklar AB',
    bankName: 'Demopankki',
    iban: 'FI0599990000000111',
    bic: 'DEMOFIHHXXX',
  })
  expect(await get(inKronor, '/payment-account')).toMatchObject({ accountNumber: '9990-0227', iban: null })
})
