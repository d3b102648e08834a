import type { X509Certificate } from 'node:crypto'
import type { Faults } from '../faults.ts'
import { answerJson } from '../serve.ts'
import type { Answer, Call } from '../serve.ts'
import type { Bank } from './bank.ts'
import { readInitiation, Xs2aRefusal } from './initiation.ts'
import { PAYMENT_PRODUCTS } from './payment.ts'
import type { Payment, PaymentProduct } from './payment.ts'
import { openSealCheck } from './seal.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const HANG_MS = 30_000

export interface Xs2aParts {
  bank: Bank
  /** Whose seals are believed. */
  authority: X509Certificate
  faults: Pick<Faults, 'consume'>
  today(): Promise<string>
  /** The address of the signing page of a token. */
  signUrl(token: string): string
}

/**
 * The bank's payment initiation API: Berlin Group NextGenPSD2 1.3, redirect approach, single payments.
 * As in the standard, X-Request-ID does not make a call repeatable.
 */
export function openXs2a(parts: Xs2aParts): (call: Call) => Promise<Answer> {
  const checkSeal = openSealCheck(parts.authority)
  return async (call) => {
    const requestId = call.headers['x-request-id']
    const echo: Record<string, string> = typeof requestId === 'string' ? { 'x-request-id': requestId } : {}
    if (parts.faults.consume('timeout')) return { status: 0, hangMs: HANG_MS }
    if (parts.faults.consume('error500')) return internalError(echo)
    try {
      if (!UUID.test(echo['x-request-id'] ?? '')) {
        throw new Xs2aRefusal(400, 'FORMAT_ERROR', 'X-Request-ID is required and must be a UUID')
      }
      checkSeal(call)
      const answer = await answerCall(parts, call)
      return { ...answer, headers: { ...answer.headers, ...echo } }
    } catch (error) {
      if (!(error instanceof Xs2aRefusal)) throw error
      return answerMessage(error.status, error.code, error.message, echo)
    }
  }
}

async function answerCall(parts: Xs2aParts, call: Call): Promise<Answer> {
  const [version, service, productName, paymentId, part, partId, ...rest] = call.path.slice(1).split('/')
  if (version !== 'v1' || service !== 'payments' || rest.length > 0) {
    throw new Xs2aRefusal(404, 'RESOURCE_UNKNOWN', 'There is nothing at this address')
  }
  const product = PAYMENT_PRODUCTS.find((name) => name === productName)
  if (product === undefined) throw new Xs2aRefusal(404, 'PRODUCT_UNKNOWN', 'Unknown payment product')
  if (paymentId === undefined) {
    if (call.method !== 'POST') throw notAllowed()
    return initiate(parts, call, product)
  }
  const payment = parts.bank.find(paymentId)
  if (payment?.product !== product) throw new Xs2aRefusal(404, 'RESOURCE_UNKNOWN', 'Unknown payment')
  parts.bank.setUntold(payment.paymentId, false)
  if (part === undefined && call.method === 'DELETE') return cancel(parts, payment)
  if (call.method !== 'GET') throw notAllowed()
  return readPayment(payment, part, partId)
}

async function initiate(parts: Xs2aParts, call: Call, product: PaymentProduct): Promise<Answer> {
  const payment = parts.bank.initiate(readInitiation(call, product, await parts.today()))
  if (parts.faults.consume('error-after-success')) {
    parts.bank.setUntold(payment.paymentId, true)
    return internalError({})
  }
  const self = `/v1/payments/${product}/${payment.paymentId}`
  const body = {
    transactionStatus: payment.status,
    paymentId: payment.paymentId,
    _links: {
      scaRedirect: { href: parts.signUrl(payment.token) },
      self: { href: self },
      status: { href: `${self}/status` },
      scaStatus: { href: `${self}/authorisations/${payment.authorisationId}` },
    },
  }
  return answerJson(201, body, { location: self, 'aspsp-sca-approach': 'REDIRECT' })
}

function readPayment(payment: Payment, part: string | undefined, partId: string | undefined): Answer {
  if (part === undefined) return answerJson(200, describe(payment))
  if (part === 'status' && partId === undefined) {
    const isSigned = ['ACSP', 'ACCP', 'ACSC'].includes(payment.status)
    return answerJson(200, {
      transactionStatus: payment.status,
      ...(isSigned ? { fundsAvailable: true } : {}),
    })
  }
  if (part === 'authorisations') {
    const { authorisationId, scaStatus } = payment
    if (partId === undefined) return answerJson(200, { authorisationIds: [authorisationId], scaStatus })
    if (partId === authorisationId) return answerJson(200, { scaStatus })
  }
  throw new Xs2aRefusal(404, 'RESOURCE_UNKNOWN', 'There is nothing at this address')
}

function describe(payment: Payment) {
  const { endToEndIdentification, remittanceInformationUnstructured, remittanceInformationStructured } =
    payment
  const executionDate = payment.executionDate ?? payment.requestedExecutionDate
  return {
    paymentId: payment.paymentId,
    transactionStatus: payment.status,
    instructedAmount: { ...payment.instructedAmount, ...payment.misreported },
    creditorName: payment.creditorName,
    creditorAccount: payment.creditorAccount,
    endToEndIdentification,
    remittanceInformationUnstructured,
    remittanceInformationStructured,
    requestedExecutionDate: executionDate,
  }
}

function cancel({ bank }: Xs2aParts, payment: Payment): Answer {
  if (bank.cancel(payment.paymentId)) return { status: 204 }
  throw new Xs2aRefusal(405, 'CANCELLATION_INVALID', `A payment in ${payment.status} cannot be cancelled`)
}

const notAllowed = () => new Xs2aRefusal(405, 'SERVICE_INVALID', 'This method is not offered here')

function internalError(headers: Record<string, string>): Answer {
  return answerMessage(500, 'INTERNAL_SERVER_ERROR', 'Something went wrong at the bank', headers)
}

function answerMessage(status: number, code: string, text: string, headers: Record<string, string>): Answer {
  return answerJson(status, { tppMessages: [{ category: 'ERROR', code, text }] }, headers)
}
