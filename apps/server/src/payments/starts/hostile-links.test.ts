/** No address of somebody else's gets through: neither back from the bank nor on to it (threats redirect.matrix, redirect.external). */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureCertificates } from '../../../../sandbox/src/certificates.ts'
import { buildInvoice } from '../../testing/build.ts'
import { HOSTILE_ADDRESSES, HOSTILE_LINKS } from '../../testing/hostile-addresses.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'
import { openDirectBank } from '../gateways/direct-bank.ts'
import { GatewayUnavailable, type PaymentOrder } from '../gateways/gateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'kvitt-links-'))
const file = (name: string): string => join(folder, name)
let bank: Server
let link = ''
let server: TestServer

beforeAll(async () => {
  await ensureCertificates(folder, Date.now())
  bank = createServer(
    { cert: readFileSync(file('server.pem')), key: readFileSync(file('server-key.pem')) },
    (_, answer) => {
      answer.writeHead(201, { 'content-type': 'application/json' })
      answer.end(JSON.stringify({ paymentId: 'x', _links: { scaRedirect: { href: link } } }))
    },
  )
  await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve))
  server = await startTestServer()
})
afterAll(() => {
  bank.close()
  bank.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

const ORDER: PaymentOrder = {
  instanceId: '0192f000-0000-7000-8000-00000000000a',
  paymentId: '01a20000-0000-7000-8000-000000000000',
  amountMinor: 84_200,
  currency: 'SEK',
  executionDate: '2026-11-20' as CalendarDate,
  isFutureDated: false,
  payee: { name: 'Fjällström Demo Energi AB', scheme: 'BANKGIRO', account: '9990-0227' },
  paymentReference: '26010',
  redirectUri: 'https://kvitt.example/',
  callbackUrl: 'https://kvitt.example/api/callbacks/direct-bank/x',
  callbackIdentifier: 'x',
  payerAddress: '127.0.0.1',
  payerPhone: undefined,
}

test('redirect.external: whatever link a bank gives, nobody is handed one to another host', async () => {
  const gateway = openDirectBank(
    {
      baseUrl: `https://localhost:${(bank.address() as AddressInfo).port}`,
      payment: { product: 'domestic-credit-transfers' },
      caFile: file('ca.pem'),
      certificateFile: file('client.pem'),
      keyFile: file('client-key.pem'),
      linkHosts: ['bank.example', 'localhost', '127.0.0.1'],
      seal: undefined,
    },
    Date.now,
  )
  link = 'https://bank.example/sign/1'
  expect(await gateway.createPayment(ORDER)).toMatchObject({ externalLink: link })
  for (link of HOSTILE_LINKS) {
    await expect(gateway.createPayment(ORDER), link).rejects.toThrow(GatewayUnavailable)
  }
})

test('redirect.matrix: whatever way back is asked for, the bank is not called with one to another host', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  for (const redirectUri of HOSTILE_ADDRESSES) {
    const answer = await server.call(
      'POST',
      `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`,
      { body: { paymentDate: '2026-11-20', amount: '842.00', redirectUri } },
    )
    const { code } = answer.json as { code: string }
    expect([answer.status, /^(redirect_uri_not_allowed|invalid_request)$/.test(code)], redirectUri).toEqual([
      400,
      true,
    ])
  }
  expect(await server.control('GET', '/control/orders?all=true')).toEqual([])
})
