import { isLoopbackName, readJsonObject } from '../serve.ts'
import type { SwishRequest } from './mobile-order.ts'

/** Why the service refuses a call. Codes stand in the body, as `[{errorCode, errorMessage}]`. */
export class SwishRefusal extends Error {
  readonly status: number
  readonly code: string | undefined

  constructor(status: number, code?: string, text = '') {
    super(text)
    this.status = status
    this.code = code
  }
}

const unprocessable = (code: string, text: string) => new SwishRefusal(422, code, text)

/** Errors that the merchant simulator answers a create with when the message names them. */
const REFUSED_BY_MESSAGE = [
  'FF08', 'BE18', 'RP03', 'PA02', 'AM06', 'AM02', 'AM03', 'RP01', 'RP06', 'ACMT03', 'ACMT01', 'ACMT07',
] // biome-ignore format: a list of codes

const MESSAGE = /^[A-Za-zÅÄÖåäöÀ-ÿ0-9 :;.,?!()"-]{0,50}$/

/** Where the outcome is to be told. Throws SwishRefusal when nobody can be told there. */
export function readCallback(body: Record<string, unknown>): string {
  const callbackUrl = readText(body, 'callbackUrl') ?? ''
  if (!isAllowedCallback(callbackUrl)) throw unprocessable('RP03', 'Callback URL is missing or not https')
  return callbackUrl
}

/**
 * Checks the body of a payment request (Commerce API v2). Throws SwishRefusal with the service's own code for
 * the first thing that is wrong, or with the code that the message asks for.
 */
export function readSwishRequest(contentType: string | undefined, text: string): SwishRequest {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) throw new SwishRefusal(415)
  const body = readJsonObject(text)
  if (body === undefined || text.trim() === '') throw new SwishRefusal(400)
  const payeeAlias = readText(body, 'payeeAlias')
  if (payeeAlias === undefined) throw unprocessable('RP01', 'Missing merchant Swish number')
  if (!/^\d{8,15}$/.test(payeeAlias)) throw new SwishRefusal(403, 'PA01', 'The Swish number is not yours')
  const callbackUrl = readCallback(body)
  const reference = readText(body, 'payeePaymentReference') ?? ''
  if (!/^[A-Za-z0-9-]{1,35}$/.test(reference)) throw unprocessable('FF08', 'PaymentReference is invalid')
  const message = readText(body, 'message') ?? ''
  if (!MESSAGE.test(message)) throw unprocessable('RP02', 'Wrong formatted message')
  if (REFUSED_BY_MESSAGE.includes(message)) throw unprocessable(message, 'Asked for by the message')
  const payerAlias = readText(body, 'payerAlias')
  if (payerAlias !== undefined && !/^[1-9]\d{7,14}$/.test(payerAlias)) {
    throw unprocessable('BE18', 'Payer alias is invalid')
  }
  const identifier = readText(body, 'callbackIdentifier')
  if (identifier !== undefined && !/^[0-9A-Za-z-]{32,36}$/.test(identifier)) throw new SwishRefusal(400)
  return {
    payeePaymentReference: reference,
    callbackUrl,
    payeeAlias,
    amount: readAmount(body['amount']),
    currency: readCurrency(body['currency']),
    message,
    ...(identifier === undefined ? {} : { callbackIdentifier: identifier }),
    ...(payerAlias === undefined ? {} : { payerAlias }),
  }
}

/** Amount text with exactly two decimals. */
export function readAmount(value: unknown): string {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? []
  if (whole === undefined) throw unprocessable('PA02', 'Amount value is missing or not a valid number')
  if (whole.length > 12) throw unprocessable('AM02', 'Amount value is too large')
  const amount = `${BigInt(whole)}.${decimals.padEnd(2, '0')}`
  if (amount === '0.00') throw unprocessable('AM06', 'Amount value is too low')
  return amount
}

export function readCurrency(value: unknown): string {
  if (value !== 'SEK') throw unprocessable('AM03', 'Invalid or missing currency')
  return value
}

export function readText(from: Record<string, unknown>, name: string): string | undefined {
  const value = from[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** https anywhere, plain http on this machine only. */
function isAllowedCallback(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname))
}
