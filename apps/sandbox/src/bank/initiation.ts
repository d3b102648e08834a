import { isIP } from 'node:net'
import { isCalendarDay } from '../clock.ts'
import { isLoopbackName, isRecord, readJsonObject } from '../serve.ts'
import type { Call } from '../serve.ts'
import type { Amount, CreditorAccount, Initiation, PaymentProduct, StructuredRemittance } from './payment.ts'

/** Why the bank refuses a call, as it will stand in `tppMessages`. */
export class Xs2aRefusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, text: string) {
    super(text)
    this.status = status
    this.code = code
  }
}

const formatError = (text: string) => new Xs2aRefusal(400, 'FORMAT_ERROR', text)

/**
 * Checks headers and body of a payment initiation (Berlin Group NextGenPSD2 1.3, section "Payment Initiation").
 * `today` is the bank's day. Throws Xs2aRefusal for the first thing that is wrong.
 */
export function readInitiation(call: Call, product: PaymentProduct, today: string): Initiation {
  const { headers } = call
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw formatError('Content-Type must be application/json')
  }
  if (isIP(headerOf(call, 'psu-ip-address') ?? '') === 0) {
    throw formatError('PSU-IP-Address is required and must be an IP address')
  }
  const redirectUri = readUri(call, 'TPP-Redirect-URI')
  if (redirectUri === undefined) throw formatError('TPP-Redirect-URI is required')
  const nokRedirectUri = readUri(call, 'TPP-Nok-Redirect-URI')
  const notificationUri = readUri(call, 'TPP-Notification-URI')
  const body = readJsonObject(call.body)
  if (body === undefined || call.body.trim() === '') throw formatError('The body must be a JSON object')
  return {
    product,
    ...readBody(body, today),
    redirectUri,
    ...(nokRedirectUri === undefined ? {} : { nokRedirectUri }),
    ...(notificationUri === undefined ? {} : { notificationUri }),
  }
}

/** https anywhere, plain http on this machine only. */
function isAllowedUri(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  if (protocol === 'https:') return true
  return protocol === 'http:' && isLoopbackName(hostname)
}

function headerOf(call: Call, name: string): string | undefined {
  const value = call.headers[name.toLowerCase()]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function readUri(call: Call, name: string): string | undefined {
  const text = headerOf(call, name)
  if (text !== undefined && !isAllowedUri(text)) {
    throw formatError(`${name} must be an https address, or http on this machine`)
  }
  return text
}

function readBody(body: Record<string, unknown>, today: string) {
  const endToEndIdentification = readText(body, 'endToEndIdentification', 35)
  const unstructured = readText(body, 'remittanceInformationUnstructured', 140)
  const structured = readStructured(body['remittanceInformationStructured'])
  const creditorName = readText(body, 'creditorName', 70)
  if (creditorName === undefined) throw formatError('creditorName is required')
  const requestedExecutionDate = readExecutionDate(body['requestedExecutionDate'], today)
  return {
    instructedAmount: readAmount(body['instructedAmount']),
    creditorName,
    creditorAccount: readAccount(body['creditorAccount']),
    ...(endToEndIdentification === undefined ? {} : { endToEndIdentification }),
    ...(unstructured === undefined ? {} : { remittanceInformationUnstructured: unstructured }),
    ...(structured === undefined ? {} : { remittanceInformationStructured: structured }),
    ...(requestedExecutionDate === undefined ? {} : { requestedExecutionDate }),
  }
}

function readText(from: Record<string, unknown>, name: string, maxLength: number): string | undefined {
  const value = from[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || value.trim() === '') throw formatError(`${name} must be a text`)
  if ([...value].length > maxLength) throw formatError(`${name} is longer than ${maxLength} characters`)
  return value
}

function readAmount(value: unknown): Amount {
  if (!isRecord(value)) throw formatError('instructedAmount is required')
  const { currency, amount } = value
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
    throw formatError('instructedAmount.currency must be a three-letter currency code')
  }
  if (typeof amount !== 'string' || !/^\d{1,14}(\.\d{1,2})?$/.test(amount) || /^[0.]+$/.test(amount)) {
    throw formatError('instructedAmount.amount must be a text like "123.45", larger than zero')
  }
  return { currency, amount }
}

function readAccount(value: unknown): CreditorAccount {
  const sentence = 'creditorAccount must hold one of iban, bban, or other with identification and schemeName'
  if (!isRecord(value)) throw formatError(sentence)
  const { iban, bban, other } = value
  if ([iban, bban, other].filter((one) => one !== undefined).length !== 1) throw formatError(sentence)
  if (iban !== undefined) {
    if (typeof iban === 'string' && /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return { iban }
    throw formatError('creditorAccount.iban is not an IBAN')
  }
  if (bban !== undefined) {
    if (typeof bban === 'string' && /^[A-Za-z0-9 ./-]{1,30}$/.test(bban)) return { bban }
    throw formatError('creditorAccount.bban must be 1 to 30 letters and digits')
  }
  if (!isRecord(other)) throw formatError(sentence)
  const identification = readText(other, 'identification', 35)
  const schemeName = readText(other, 'schemeName', 35)
  if (identification === undefined || schemeName === undefined) throw formatError(sentence)
  return { other: { identification, schemeName } }
}

function readStructured(value: unknown): StructuredRemittance | undefined {
  if (value === undefined || value === null) return undefined
  if (!isRecord(value)) throw formatError('remittanceInformationStructured must be an object')
  const reference = readText(value, 'reference', 35)
  const referenceType = readText(value, 'referenceType', 35)
  if (reference === undefined) throw formatError('remittanceInformationStructured.reference is required')
  return { reference, ...(referenceType === undefined ? {} : { referenceType }) }
}

function readExecutionDate(value: unknown, today: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (!isCalendarDay(value)) throw formatError('requestedExecutionDate must be a day like 2026-11-20')
  if (value < today) {
    throw new Xs2aRefusal(400, 'EXECUTION_DATE_INVALID', `requestedExecutionDate is before today, ${today}`)
  }
  return value
}
