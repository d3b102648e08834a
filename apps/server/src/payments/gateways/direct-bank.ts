/**
 * Direct bank payment: Berlin Group NextGenPSD2 1.3 payment initiation with redirect. The return of the payer
 * proves nothing; the state is always read from the bank.
 */
import { randomUUID } from 'node:crypto'
import { parseDate } from '@kvitt/domain/calendar.ts'
import { amountText, isCurrency, parseAmount } from '@kvitt/domain/money.ts'
import { readBankStatus } from '@kvitt/domain/payments/bank-status.ts'
import { endToEndId, paymentIdOfEndToEnd } from '@kvitt/domain/payments/end-to-end.ts'
import type { BankConfig } from '../../../config/config.ts'
import { isPlainAddress } from '../starts/plain-address.ts'
import {
  GatewayRefused,
  GatewayUnavailable,
  type Gateway,
  type GatewayPayment,
  type PaymentOrder,
} from './gateway.ts'
import { openMutualTls, type TlsAnswer, type TlsCall } from './mutual-tls.ts'
import { openSeal } from './seal.ts'

/** The payer's strong authentication is over, or was not asked for. */
const SIGNED = new Set(['finalised', 'exempted'])

type BankMoney = { currency?: unknown; amount?: unknown }
type BankPayment = {
  endToEndIdentification?: unknown
  transactionStatus?: unknown
  instructedAmount?: BankMoney
  creditorAccount?: { iban?: unknown; bban?: unknown; other?: { identification?: unknown } }
  scaStatus?: unknown
  requestedExecutionDate?: unknown
}

export function openDirectBank(config: BankConfig, now: () => number): Gateway {
  const call = sealed(openMutualTls(config), config, now)
  const payments = `${config.baseUrl}/v1/payments/${config.payment.product}`
  const paymentUrl = (id: string): string => `${payments}/${encodeURIComponent(id)}`

  /** ACTC and PDNG come both before and after signing: the last authorisation tells which. */
  async function readIsSigned(id: string): Promise<boolean> {
    const url = `${paymentUrl(id)}/authorisations`
    const { authorisationIds } = parse(await send(call, { method: 'GET', url })) as {
      authorisationIds?: unknown
    }
    const last: unknown = Array.isArray(authorisationIds) ? authorisationIds.at(-1) : undefined
    if (typeof last !== 'string') return false
    const status = parse(await send(call, { method: 'GET', url: `${url}/${encodeURIComponent(last)}` }))
    return SIGNED.has(String((status as { scaStatus?: unknown }).scaStatus))
  }

  return {
    code: 'DIRECT_BANK',
    method: 'DIRECT_PAYMENT_BANK',
    isInstant: false,
    takes: () => true,
    payeeOf: () => 'theirs',
    async createPayment(order) {
      const answer = await send(call, {
        method: 'POST',
        url: payments,
        headers: initiationHeaders(order),
        body: JSON.stringify(initiation(order)),
      })
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 408 && answer.status !== 429) {
        throw new GatewayRefused(`the bank answered ${answer.status}: ${answer.body.slice(0, 300)}`)
      }
      const made = parse(answer, 201) as {
        paymentId?: unknown
        _links?: { scaRedirect?: { href?: unknown } }
      }
      const link = made._links?.scaRedirect?.href
      if (typeof made.paymentId !== 'string' || typeof link !== 'string') {
        throw new GatewayUnavailable('the bank gave no payment id or no link')
      }
      if (!isAllowedLink(link, config.linkHosts)) {
        throw new GatewayUnavailable('the bank gave a link to a host that is not on BANK_LINK_HOSTS')
      }
      return { gatewayPaymentId: made.paymentId, externalLink: link }
    },
    async readPayment({ gatewayPaymentId }) {
      const answer = await send(call, { method: 'GET', url: paymentUrl(gatewayPaymentId) })
      if (answer.status === 404) return undefined
      const payment = parse(answer) as BankPayment
      const reported = payment.transactionStatus
      if (typeof reported !== 'string') throw new GatewayUnavailable('the bank gave no transaction status')
      const isAmbiguous = reported === 'ACTC' || reported === 'PDNG'
      const isSigned = isAmbiguous && (await readIsSigned(gatewayPaymentId))
      // A code that the standard does not have changes nothing; the sweeper asks again.
      const status = readBankStatus(reported, isSigned) ?? 'IN_PROGRESS'
      return { ...readMoney(payment), status, reported, isAccepted: reported === 'ACCP' }
    },
    async cancelPayment({ gatewayPaymentId }) {
      const answer = await send(call, { method: 'DELETE', url: paymentUrl(gatewayPaymentId) })
      if (answer.status === 204) return 'cancelled'
      if (answer.status >= 400 && answer.status < 500) return 'too-late'
      throw new GatewayUnavailable(`the bank answered ${answer.status} to a cancellation`)
    },
  }
}

/** The same call, with the seal where the bank asks for one. */
function sealed(
  call: (c: TlsCall) => Promise<TlsAnswer>,
  config: BankConfig,
  now: () => number,
): (c: TlsCall) => Promise<TlsAnswer> {
  if (!config.seal) return call
  const seal = openSeal(config.seal, now)
  return async (request) => {
    let headers: TlsCall['headers']
    try {
      headers = await seal(request.headers, request.body ?? '')
    } catch (error) {
      throw new GatewayUnavailable(`the seal cannot be made: ${(error as Error).message}`)
    }
    return call({ ...request, headers })
  }
}

async function send(
  call: (c: TlsCall) => Promise<TlsAnswer>,
  request: Omit<TlsCall, 'headers'> & { headers?: Record<string, string> },
): Promise<TlsAnswer> {
  return call({
    ...request,
    headers: { 'X-Request-ID': randomUUID(), Accept: 'application/json', ...request.headers },
  })
}

function parse(answer: TlsAnswer, expected = 200): object {
  if (answer.status !== expected) {
    throw new GatewayUnavailable(`the bank answered ${answer.status} where ${expected} was expected`)
  }
  try {
    const value: unknown = JSON.parse(answer.body)
    if (value !== null && typeof value === 'object') return value
  } catch {
    // Said below.
  }
  throw new GatewayUnavailable('the bank did not answer with a JSON object')
}

function initiationHeaders(order: PaymentOrder): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'PSU-IP-Address': order.payerAddress,
    'TPP-Redirect-Preferred': 'true',
    'TPP-Redirect-URI': order.redirectUri,
    'TPP-Nok-Redirect-URI': order.redirectUri,
    'TPP-Notification-URI': order.callbackUrl,
  }
}

function initiation(order: PaymentOrder): object {
  const { payee } = order
  const account =
    payee.scheme === 'IBAN'
      ? { iban: payee.account }
      : payee.scheme === 'LOCAL'
        ? { bban: payee.account }
        : { other: { identification: payee.account, schemeName: payee.scheme } }
  return {
    endToEndIdentification: endToEndId(order.paymentId),
    instructedAmount: { currency: order.currency, amount: amountText(order.amountMinor) },
    creditorName: payee.name.slice(0, 70),
    creditorAccount: account,
    remittanceInformationStructured: { reference: order.paymentReference, referenceType: 'SCOR' },
    ...(order.isFutureDated ? { requestedExecutionDate: order.executionDate } : {}),
  }
}

function readMoney(payment: BankPayment): Omit<GatewayPayment, 'status' | 'reported'> {
  const { amount, currency } = payment.instructedAmount ?? {}
  const account = payment.creditorAccount
  const identification = account?.iban ?? account?.bban ?? account?.other?.identification
  const money =
    typeof amount === 'string' && typeof currency === 'string' && isCurrency(currency)
      ? parseAmount(amount, currency)
      : undefined
  return {
    amountMinor: money?.minor,
    currency: typeof currency === 'string' ? currency : undefined,
    payeeAccount: typeof identification === 'string' ? identification : undefined,
    paymentId: paymentIdOfEndToEnd(textOf(payment.endToEndIdentification)),
    // The bank moves the day of an order that was signed later.
    executedOn: parseDate(textOf(payment.requestedExecutionDate).slice(0, 10)),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Only https, or http to this machine, and only to a listed host: the payer's browser goes there (threat redirect.external). */
export function isAllowedLink(link: string, hosts: readonly string[]): boolean {
  if (!isPlainAddress(link)) return false
  const url = new URL(link)
  const isLocal = url.hostname === 'localhost' || url.hostname === '127.0.0.1'
  if (url.username !== '' || url.password !== '') return false
  return hosts.includes(url.hostname) && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal))
}
