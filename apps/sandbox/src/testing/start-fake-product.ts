import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LedgerReport } from '../verdict.ts'

/** A notification as the product got it. */
export interface Received {
  path: string
  requestId: string
  paymentId: string
  transactionStatus: string
  eventId: string
  /** Of Swish: what it was to echo, and its own words. */
  identifier?: string
  id?: string
  status?: string
}

export interface FakeProduct {
  port: number
  today: string
  received: Received[]
  /** Statuses to answer notifications with, first come first served; then 200. */
  answers: number[]
  guessesCleared: number
  /** The bank's files that it was handed. */
  files: { name: string; text: string }[]
  /** What it says became of the lines of each file. */
  taken: object
  /** How its books stand; undefined: it does not offer the call. */
  ledger: LedgerReport | undefined
  /** How far its firm is; undefined: it has none. */
  firm: { days: number; of: number; isMade: boolean } | undefined
  stop(): Promise<void>
}

/** The product as far as the sandbox knows it: demo clock, guesses, and an ear for notifications. */
export async function startFakeProduct(): Promise<FakeProduct> {
  const server = createServer((request, response) => void answerCall(request, response))
  async function answerCall(request: IncomingMessage, response: ServerResponse) {
    let text = ''
    for await (const part of request) text += String(part)
    const body = text === '' ? {} : JSON.parse(text)
    const answer = (status: number, value: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (request.url === '/api/demo/clock') {
      if (request.method === 'POST') product.today = addDays(product.today, body.advanceDays)
      return answer(200, {
        today: product.today,
        timeZone: 'Europe/Stockholm',
        ...(product.firm ? { firm: product.firm } : {}),
      })
    }
    if (request.url === '/api/demo/firm' && request.method === 'POST') {
      product.firm ??= { days: 0, of: 120, isMade: false }
      return answer(200, product.firm)
    }
    if (request.url === '/api/demo/guesses' && request.method === 'DELETE') {
      product.guessesCleared += 1
      return answer(200, {})
    }
    if (request.url === '/api/demo/bank-files') {
      product.files.push({ name: body.name, text: Buffer.from(body.content, 'base64').toString('utf8') })
      return answer(200, product.taken)
    }
    if (request.url === '/api/demo/ledger') {
      return product.ledger ? answer(200, product.ledger) : answer(404, {})
    }
    if (!request.url?.startsWith('/hear')) return answer(404, {})
    const identifier = request.headers['callbackidentifier']
    product.received.push({
      path: request.url,
      requestId: String(request.headers['x-request-id']),
      ...(typeof identifier === 'string' ? { identifier } : {}),
      ...body,
    })
    answer(product.answers.shift() ?? 200, {})
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const product: FakeProduct = {
    port: (server.address() as AddressInfo).port,
    today: '2026-11-20',
    received: [],
    answers: [],
    guessesCleared: 0,
    files: [],
    taken: {},
    ledger: undefined,
    firm: undefined,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return product
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}
