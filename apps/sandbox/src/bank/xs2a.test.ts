import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { INITIATION, startTestSandbox } from '../testing/start-test-sandbox.ts'
import type { TestSandbox } from '../testing/start-test-sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.stop())

const HEADERS = {
  'psu-ip-address': '127.0.0.1',
  'tpp-redirect-uri': 'https://kvitt.example/back',
}

test('without a client certificate the bank does not talk', async () => {
  const ca = readFileSync(join(sandbox.certificates, 'ca.pem'))
  const call = new Promise((resolve, reject) => {
    request(`https://localhost:${sandbox.apiPort}/v1/payments/swedish-giro`, { ca, agent: false }, resolve)
      .on('error', reject)
      .end()
  })
  await expect(call).rejects.toThrow(/certificate required|ECONNRESET|socket hang up/)
})

test('a payment is created with the links of the redirect approach', async () => {
  const answer = await sandbox.callBank('POST', '/v1/payments/swedish-giro', {
    headers: { ...HEADERS, 'x-request-id': '2b2de4e0-9f37-4d50-8a3e-6e4b9d1b3a55' },
    body: INITIATION,
  })
  expect(answer.status).toBe(201)
  expect(answer.headers['aspsp-sca-approach']).toBe('REDIRECT')
  expect(answer.headers['x-request-id']).toBe('2b2de4e0-9f37-4d50-8a3e-6e4b9d1b3a55')
  const { transactionStatus, paymentId, _links } = answer.body
  expect(transactionStatus).toBe('RCVD')
  expect(_links.scaRedirect.href).toMatch(
    new RegExp(`^http://localhost:${sandbox.port}/bank/sign/[A-Za-z0-9_-]{32}$`),
  )
  expect(_links.scaRedirect.href).not.toContain(paymentId)
  const self = await sandbox.callBank('GET', _links.self.href)
  expect(self.body).toMatchObject({ ...INITIATION, paymentId, transactionStatus: 'RCVD' })
  expect((await sandbox.callBank('GET', _links.status.href)).body).toEqual({ transactionStatus: 'RCVD' })
  expect((await sandbox.callBank('GET', _links.scaStatus.href)).body).toEqual({ scaStatus: 'received' })
  const list = await sandbox.callBank('GET', `${_links.self.href}/authorisations`)
  expect(list.body.authorisationIds).toEqual([_links.scaStatus.href.split('/').at(-1)])
})

test('the same X-Request-ID twice makes two payments, as the standard has it', async () => {
  const headers = { ...HEADERS, 'x-request-id': '2b2de4e0-9f37-4d50-8a3e-6e4b9d1b3a56' }
  const create = () => sandbox.callBank('POST', '/v1/payments/swedish-giro', { headers, body: INITIATION })
  const [first, second] = [await create(), await create()]
  expect(first.body.paymentId).not.toBe(second.body.paymentId)
})

test.each([
  ['no request id', { 'x-request-id': '' }, {}],
  ['a request id that is no UUID', { 'x-request-id': '17' }, {}],
  ['no address of the payer', { 'psu-ip-address': '' }, {}],
  ['a payer address that is none', { 'psu-ip-address': 'home' }, {}],
  ['no way back', { 'tpp-redirect-uri': '' }, {}],
  ['a way back over http to another host', { 'tpp-redirect-uri': 'http://kvitt.example/back' }, {}],
  ['a way back that is a script', { 'tpp-redirect-uri': 'javascript:alert(1)' }, {}],
  ['an http notification to another host', { 'tpp-notification-uri': 'http://10.0.0.1/hear' }, {}],
  ['a host that only looks local', { 'tpp-notification-uri': 'http://127.0.0.1.example/hear' }, {}],
  ['another content type', { 'content-type': 'text/plain' }, {}],
  ['no amount', {}, { instructedAmount: undefined }],
  ['an amount that is a number', {}, { instructedAmount: { currency: 'SEK', amount: 842 } }],
  ['a negative amount', {}, { instructedAmount: { currency: 'SEK', amount: '-1.00' } }],
  ['an amount of nothing', {}, { instructedAmount: { currency: 'SEK', amount: '0.00' } }],
  ['a decimal comma', {}, { instructedAmount: { currency: 'SEK', amount: '8,42' } }],
  ['a currency of two letters', {}, { instructedAmount: { currency: 'kr', amount: '842.00' } }],
  ['no payee', {}, { creditorName: undefined }],
  ['no account', {}, { creditorAccount: undefined }],
  ['two accounts', {}, { creditorAccount: { bban: '1', iban: 'SE4550000000058398257466' } }],
  ['a broken IBAN', {}, { creditorAccount: { iban: 'SE45' } }],
  ['a giro without its scheme', {}, { creditorAccount: { other: { identification: '123-4567' } } }],
  ['an end-to-end id of 36', {}, { endToEndIdentification: 'x'.repeat(36) }],
  ['a text of 141', {}, { remittanceInformationUnstructured: 'x'.repeat(141) }],
  ['a structured reference without one', {}, { remittanceInformationStructured: {} }],
  ['a day that does not exist', {}, { requestedExecutionDate: '2026-02-30' }],
])('refused as FORMAT_ERROR: %s', async (_, headers, body) => {
  const before = await sandbox.control('GET', 'orders')
  const answer = await sandbox.callBank('POST', '/v1/payments/swedish-giro', {
    headers: { ...HEADERS, ...headers },
    body: { ...INITIATION, ...body },
  })
  expect(answer.status).toBe(400)
  expect(answer.body.tppMessages).toEqual([
    { category: 'ERROR', code: 'FORMAT_ERROR', text: expect.stringMatching(/.{10,}/) },
  ])
  expect(await sandbox.control('GET', 'orders')).toEqual(before)
})

test.each(['{', '[]', '', '7'])('refused as FORMAT_ERROR: the body %j', async (body) => {
  const answer = await sandbox.callBank('POST', '/v1/payments/swedish-giro', { headers: HEADERS, body })
  expect(answer.status).toBe(400)
  expect(answer.body.tppMessages[0].code).toBe('FORMAT_ERROR')
})

test('an execution date before the bank’s today is refused; today is fine', async () => {
  const create = (requestedExecutionDate: string) =>
    sandbox.callBank('POST', '/v1/payments/sepa-credit-transfers', {
      headers: HEADERS,
      body: { ...INITIATION, requestedExecutionDate },
    })
  const late = await create('2026-11-19')
  expect(late.status).toBe(400)
  expect(late.body.tppMessages[0].code).toBe('EXECUTION_DATE_INVALID')
  expect((await create('2026-11-20')).status).toBe(201)
})

test.each([
  [{ iban: 'SE4550000000058398257466' }],
  [{ bban: '1234.56.78901' }],
  [{ other: { identification: '123-4567', schemeName: 'BGNR' } }],
])('takes the account %j and gives it back', async (creditorAccount) => {
  const { _links } = await sandbox.createPayment({ creditorAccount })
  expect((await sandbox.callBank('GET', _links.self.href)).body.creditorAccount).toEqual(creditorAccount)
})

test.each([
  ['POST', '/v1/payments/gold-bars', 404, 'PRODUCT_UNKNOWN'],
  ['GET', '/v1/payments/swedish-giro/nothing/status', 404, 'RESOURCE_UNKNOWN'],
  ['GET', '/v1/consents', 404, 'RESOURCE_UNKNOWN'],
  ['GET', '/v1/payments/swedish-giro', 405, 'SERVICE_INVALID'],
])('%s %s answers %i %s', async (method, path, status, code) => {
  const answer = await sandbox.callBank(method, path)
  expect(answer.status).toBe(status)
  expect(answer.body.tppMessages[0].code).toBe(code)
})

test('a payment is not found under another product', async () => {
  const { paymentId } = await sandbox.createPayment()
  const answer = await sandbox.callBank('GET', `/v1/payments/sepa-credit-transfers/${paymentId}`)
  expect(answer.status).toBe(404)
})
