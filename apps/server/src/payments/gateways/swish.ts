/**
 * Swish Commerce API v2 over mutual TLS (Merchant Integration Guide 2.6): payment request, status, cancellation,
 * refund. The callback is only a hint; the state is always read from Swish.
 */
import { randomUUID } from 'node:crypto'
import { dayOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { amountText, isCurrency, parseAmount } from '@kvitt/domain/money.ts'
import {
  isSwishOutcomeUnknown,
  paymentIdOfSwish,
  readSwishRefund,
  readSwishStatus,
  swishAppLink,
  swishBlame,
  swishInstructionId,
  swishMessage,
  swishPayerAlias,
} from '@kvitt/domain/payments/swish.ts'
import type { ErrorCode } from '@kvitt/domain/errors.ts'
import type { SwishConfig, SwishNumber } from '../../../config/config-swish.ts'
import { NO_CREDENTIALS, openCallers, type Credentials } from '../../credentials/credentials.ts'
import { tryOut } from '../../platform/counterparties/tried.ts'
import {
  GatewayRefused,
  GatewayUnavailable,
  type Gateway,
  type GatewayPayment,
  type GatewayReference,
  type GatewayRefund,
  type GatewayRefunds,
  type PaymentOrder,
  type Provider,
} from './gateway.ts'
import { openMutualTls, type TlsAnswer, type TlsCall } from './mutual-tls.ts'

/** What a payer can mend: another number, or the request that is still open in the app. */
const FOR_THE_PAYER: Readonly<Record<string, ErrorCode>> = {
  BE18: 'payer_phone_invalid',
  ACMT03: 'payer_not_enrolled',
  RP06: 'payer_has_open_request',
}

export function openSwish(
  config: SwishConfig,
  credentials: Credentials = NO_CREDENTIALS,
): Gateway & { readonly refunds: GatewayRefunds } {
  const { baseUrl, numbers } = config
  const callAs = openCallAs(config, credentials)
  const requests = (version: 'v1' | 'v2', id: string): string =>
    `${baseUrl}/api/${version}/paymentrequests/${id}`
  const ask = (of: GatewayReference): Promise<TlsAnswer> =>
    callAs(of, { method: 'GET', url: requests('v1', of.gatewayPaymentId), headers: ACCEPT })

  return {
    code: 'SWISH',
    method: 'DIRECT_PAYMENT_MOBILE',
    isInstant: true,
    takesPhone: (phone) => swishPayerAlias(phone) !== undefined,
    takes: (currency) => currency === 'SEK',
    payeeOf(provider) {
      // To another number its money would go to somebody else.
      if (credentials.isUnreadable('SWISH', provider.row.url_alias)) return undefined
      const account =
        credentials.of('SWISH', provider.row.url_alias)?.credential.number ??
        numbers.find(({ providers }) => isOf(provider, providers))?.payeeAlias
      return account === undefined ? undefined : { scheme: 'SWISH', account }
    },
    idOf: swishInstructionId,
    async createPayment(order) {
      const id = swishInstructionId(order.paymentId)
      const body = JSON.stringify(paymentRequest(order))
      const answer = await callAs(
        { instanceId: order.instanceId, payeeAccount: order.payee.account },
        jsonCall('PUT', requests('v2', id), body),
      )
      throwIfRefused(answer)
      if (order.payerPhone !== undefined) return { gatewayPaymentId: id, externalLink: null }
      const token = [answer.headers['paymentrequesttoken']].flat()[0]
      if (!token || !/^[A-Za-z0-9-]{8,100}$/.test(token)) {
        throw new GatewayUnavailable('Swish gave no payment request token')
      }
      return { gatewayPaymentId: id, externalLink: swishAppLink(token, order.redirectUri) }
    },
    async readPayment(reference) {
      const answer = await ask(reference)
      if (answer.status === 404) return undefined
      return paymentOf(parse(answer))
    },
    async cancelPayment(reference) {
      const answer = await callAs(reference, {
        method: 'PATCH',
        url: requests('v1', reference.gatewayPaymentId),
        headers: { ...ACCEPT, 'Content-Type': 'application/json-patch+json' },
        body: JSON.stringify([{ op: 'replace', path: '/status', value: 'cancelled' }]),
      })
      if (answer.status === 200 || answer.status === 204) return 'cancelled'
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) return 'too-late'
      throw new GatewayUnavailable(`Swish answered ${answer.status} to a cancellation`)
    },
    refunds: openRefunds(callAs, baseUrl),
    async tryOut(provider) {
      // What has just been entered is what is tried.
      await credentials.refresh()
      const payee = this.payeeOf(provider)
      if (payee === undefined || payee === 'theirs') return { outcome: 'NOT_OFFERED', detail: null }
      const of = { instanceId: provider.id, payeeAccount: payee.account }
      const nothing = { ...of, gatewayPaymentId: swishInstructionId(randomUUID()) }
      return tryOut(
        () => ask(nothing),
        ({ status }) => status === 404,
      )
    },
  }
}

type CallAs = (
  owner: Pick<GatewayReference, 'instanceId' | 'payeeAccount'>,
  wanted: TlsCall,
) => Promise<TlsAnswer>

/** Swish knows a number's payments by its certificate alone: that of the provider whose payment it is, or of the settings. */
function openCallAs({ caFile, numbers }: SwishConfig, credentials: Credentials): CallAs {
  const calls = new Map(
    numbers.map(({ payeeAlias, ...files }) => [payeeAlias, openMutualTls({ caFile, ...files })]),
  )
  const callerOf = openCallers((texts) => openMutualTls({ caFile, ...texts }))
  return ({ instanceId, payeeAccount }, wanted) => {
    const own = credentials
      .all('SWISH')
      .find((one) => one.instanceId === instanceId && one.credential.number === payeeAccount)
    const call = own ? callerOf(own) : calls.get(payeeAccount)
    if (!call) throw new GatewayUnavailable(`there are no settings of the Swish number ${payeeAccount}`)
    return call(wanted)
  }
}

function openRefunds(callAs: CallAs, baseUrl: string): GatewayRefunds {
  const refunds = (version: 'v1' | 'v2', id: string): string => `${baseUrl}/api/${version}/refunds/${id}`
  return {
    async create(refund) {
      const { payeeAccount } = refund
      const original = await callAs(refund, {
        method: 'GET',
        url: `${baseUrl}/api/v1/paymentrequests/${refund.gatewayPaymentId}`,
        headers: ACCEPT,
      })
      const originalReference = original.status === 404 ? undefined : textOf(parse(original).paymentReference)
      if (originalReference === undefined) throw new GatewayRefused('Swish has no such payment that was paid')
      const body = JSON.stringify({
        originalPaymentReference: originalReference,
        callbackUrl: refund.callbackUrl,
        payerAlias: payeeAccount,
        amount: amountText(refund.amountMinor),
        currency: refund.currency,
        message: swishMessage(refund.paymentReference),
      })
      const url = refunds('v2', swishInstructionId(refund.refundId))
      const answer = await callAs(refund, jsonCall('PUT', url, body))
      const codes = errorCodesOf(answer.body)
      // RP09: an earlier try has arrived. RF09: another of this payment is not through. Reading tells which.
      if (!codes.includes('RP09') && !codes.includes('RF09')) throwIfRefused(answer)
    },
    async read(refund) {
      const url = refunds('v1', swishInstructionId(refund.refundId))
      const answer = await callAs(refund, { method: 'GET', url, headers: ACCEPT })
      return answer.status === 404 ? undefined : refundOf(parse(answer))
    },
  }
}

function isOf({ row, isDefault }: Provider, providers: SwishNumber['providers']): boolean {
  if (typeof providers === 'string') return providers === 'all' || isDefault
  return providers.includes(row.url_alias.toLowerCase())
}

const ACCEPT = { Accept: 'application/json' }

function jsonCall(method: 'PUT', url: string, body: string): TlsCall {
  return { method, url, headers: { ...ACCEPT, 'Content-Type': 'application/json' }, body }
}

function paymentRequest(order: PaymentOrder): object {
  const payerAlias = order.payerPhone === undefined ? undefined : swishPayerAlias(order.payerPhone)
  if (order.payerPhone !== undefined && payerAlias === undefined) {
    throw new GatewayRefused('the phone number is not one', 'payer_phone_invalid')
  }
  return {
    payeePaymentReference: swishInstructionId(order.paymentId),
    callbackUrl: order.callbackUrl,
    callbackIdentifier: order.callbackIdentifier,
    payeeAlias: order.payee.account,
    amount: amountText(order.amountMinor),
    currency: order.currency,
    message: swishMessage(order.paymentReference),
    ...(payerAlias === undefined ? {} : { payerAlias }),
  }
}

/** 201 is the only yes. 4xx is a no, with codes in the body when it is 422; everything else is silence. */
function throwIfRefused(answer: TlsAnswer): void {
  if (answer.status === 201) return
  const { status } = answer
  const isRefusal = status >= 400 && status < 500 && status !== 408 && status !== 429
  if (!isRefusal) throw new GatewayUnavailable(`Swish answered ${status}`)
  const codes = errorCodesOf(answer.body)
  // In use already: an earlier try of ours arrived after all, and its token is lost.
  if (codes.includes('RP09')) throw new GatewayUnavailable('Swish has this instruction already')
  const named = codes.map((code) => `${code} (${swishBlame(code)})`).join(', ')
  throw new GatewayRefused(
    `Swish answered ${status} ${named}`,
    codes.map((code) => FOR_THE_PAYER[code]).find((code) => code !== undefined),
  )
}

function errorCodesOf(body: string): string[] {
  try {
    const errors: unknown = JSON.parse(body)
    return [errors].flat().flatMap((error) => {
      const code = (error as { errorCode?: unknown } | null)?.errorCode
      return typeof code === 'string' && /^[A-Z0-9]{2,20}$/.test(code) ? [code] : []
    })
  } catch {
    return []
  }
}

type SwishObject = Readonly<Record<string, unknown>>

function parse(answer: TlsAnswer): SwishObject {
  if (answer.status !== 200) throw new GatewayUnavailable(`Swish answered ${answer.status}`)
  try {
    const value: unknown = JSON.parse(answer.body)
    if (value !== null && typeof value === 'object') return value as SwishObject
  } catch {
    // Said below.
  }
  throw new GatewayUnavailable('Swish did not answer with a JSON object')
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** What payments and refunds say alike. */
function readObject(request: SwishObject) {
  const word = textOf(request.status)
  if (word === undefined) throw new GatewayUnavailable('Swish gave no status')
  const errorCode = textOf(request.errorCode)
  const currency = textOf(request.currency)
  const { amount } = request
  const isAmount = typeof amount === 'number' || typeof amount === 'string'
  const parsed =
    isAmount && currency && isCurrency(currency) ? parseAmount(String(amount), currency) : undefined
  const said = {
    amountMinor: parsed?.minor,
    currency,
    reported: errorCode ? `${word} ${errorCode}` : word,
  }
  return { word, errorCode, said }
}

/** Swish tells an instant; its days are Sweden's. */
function dayPaid(instant: string | undefined): CalendarDate | undefined {
  const at = Date.parse(instant ?? '')
  return Number.isNaN(at) ? undefined : dayOf(at, 'Europe/Stockholm')
}

function refundOf(request: SwishObject): GatewayRefund {
  const { word, errorCode, said } = readObject(request)
  return { ...said, status: readSwishRefund(word, errorCode) }
}

function paymentOf(request: SwishObject): GatewayPayment {
  const { word, errorCode, said } = readObject(request)
  return {
    ...said,
    // A word that the guide does not have changes nothing; the sweeper asks again.
    status: readSwishStatus(word, errorCode) ?? 'IN_PROGRESS',
    payeeAccount: textOf(request.payeeAlias),
    paymentId: paymentIdOfSwish(textOf(request.payeePaymentReference) ?? ''),
    executedOn: dayPaid(textOf(request.datePaid)),
    isOutcomeUnknown: isSwishOutcomeUnknown(word, errorCode),
  }
}
