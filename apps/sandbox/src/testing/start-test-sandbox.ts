import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { startSandbox } from '../sandbox.ts'
import type { RunningSandbox } from '../sandbox.ts'
import { makeManualClock } from './manual-clock.ts'
import type { ManualClock } from './manual-clock.ts'
import { startFakeProduct } from './start-fake-product.ts'
import type { FakeProduct } from './start-fake-product.ts'

/** Any JSON: the shapes of the answers are what the tests look at. */
export type Json = ReturnType<typeof JSON.parse>

export interface BankAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Json
}

export interface TestSandbox extends RunningSandbox {
  clock: ManualClock
  product: FakeProduct
  dataDir: string
  /** A call to the bank's API with the client certificate. */
  callBank(method: string, path: string, options?: { headers?: object; body?: unknown }): Promise<BankAnswer>
  /** Makes a payment and answers the 201 body. */
  createPayment(body?: object, headers?: object): Promise<Json>
  statusOf(paymentId: string): Promise<string>
  /** Makes a Swish request and answers its id. */
  createSwish(body?: object): Promise<string>
  /** Hands an e-mail to the mail server, as the product does. */
  sendMail(mail: { to: string; subject: string; text: string; html?: string }): Promise<void>
  control(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }>
  /** Another sandbox on what is on disk right now, as after a kill. */
  startAgainAfterKill(): Promise<TestSandbox>
}

export const INITIATION = {
  instructedAmount: { currency: 'SEK', amount: '842.00' },
  creditorName: 'Fjällström Demo Energi',
  creditorAccount: { bban: '123-4567' },
  endToEndIdentification: 'a-payment-of-ours',
  remittanceInformationStructured: { reference: '261185' },
}

export const SWISH_REQUEST = {
  payeePaymentReference: 'a-payment-of-ours',
  callbackIdentifier: '0123456789abcdef0123456789abcdef',
  payeeAlias: '1234679304',
  amount: '842.00',
  currency: 'SEK',
  message: '261185',
}

/** An instruction id as merchants make them. */
export const newInstructionId = () => randomUUID().replaceAll('-', '').toUpperCase()

export async function startTestSandbox(fromFolder?: string): Promise<TestSandbox> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kvitt-sandbox-'))
  if (fromFolder) cpSync(fromFolder, dataDir, { recursive: true })
  const product = await startFakeProduct()
  const clock = makeManualClock(Date.parse('2026-11-20T09:00:00Z'))
  const config = { port: 0, host: '127.0.0.1', dataDir, productPort: product.port }
  const cleanUp = async () => {
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const running = await startSandbox(config, clock).catch(async (error: unknown) => {
    await cleanUp()
    throw error
  })
  const read = (name: string) => readFileSync(join(running.certificates, name), 'utf8')
  const tls = { ca: read('ca.pem'), cert: read('client.pem'), key: read('client-key.pem') }

  const callBank: TestSandbox['callBank'] = (method, path, { headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const options = {
        ...tls,
        agent: false,
        method,
        headers: { 'x-request-id': randomUUID(), 'content-type': 'application/json', ...headers },
      }
      const call = httpsRequest(`https://localhost:${running.apiPort}${path}`, options, (response) => {
        let text = ''
        response.on('data', (part) => {
          text += part
        })
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text === '' ? undefined : JSON.parse(text),
          }),
        )
      })
      call.on('error', reject)
      call.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body))
    })

  return {
    ...running,
    clock,
    product,
    dataDir,
    callBank,
    async createPayment(body = {}, headers = {}) {
      const answer = await callBank('POST', '/v1/payments/swedish-giro', {
        headers: {
          'psu-ip-address': '127.0.0.1',
          'tpp-redirect-uri': `http://localhost:${product.port}/back`,
          'tpp-notification-uri': `http://127.0.0.1:${product.port}/hear/secret`,
          ...headers,
        },
        body: { ...INITIATION, ...body },
      })
      if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    async statusOf(paymentId) {
      const answer = await callBank('GET', `/v1/payments/swedish-giro/${paymentId}/status`)
      return answer.body.transactionStatus
    },
    async createSwish(body = {}) {
      const id = newInstructionId()
      const callbackUrl = `http://127.0.0.1:${product.port}/hear/swish`
      const answer = await callBank('PUT', `/swish-cpcapi/api/v2/paymentrequests/${id}`, {
        body: { ...SWISH_REQUEST, callbackUrl, ...body },
      })
      if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
      return id
    },
    async sendMail(mail) {
      const transport = createTransport({
        host: 'localhost',
        port: running.mailPort,
        requireTLS: true,
        tls: { ca: tls.ca },
      })
      await transport.sendMail({ from: '"Nordklar" <no-reply@kvitt.example>', ...mail })
    },
    async control(method, path, body) {
      const response = await fetch(`http://127.0.0.1:${running.port}/control/${path}`, {
        method,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      return { status: response.status, body: await response.json() }
    },
    startAgainAfterKill: () => startTestSandbox(dataDir),
    async stop() {
      await running.stop()
      await cleanUp()
    },
  }
}
