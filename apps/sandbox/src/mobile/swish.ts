import type { Faults } from '../faults.ts'
import { answerJson, readJsonObject } from '../serve.ts'
import type { Answer, Call } from '../serve.ts'
import { isUndecided } from './mobile-order.ts'
import type { Phone } from './phone.ts'
import type { Refunds } from './refunds.ts'
import {
  readAmount,
  readCallback,
  readCurrency,
  readSwishRequest,
  readText,
  SwishRefusal,
} from './swish-request.ts'

const BASE = '/swish-cpcapi/api/'
const INSTRUCTION_ID = /^[0-9A-F]{32}$/
const HANG_MS = 30_000

export interface SwishParts {
  phone: Phone
  refunds: Refunds
  faults: Pick<Faults, 'consume'>
}

/**
 * The Swish Commerce API v2 (Merchant Integration Guide 2.6): create in v2; retrieve and cancel still in v1;
 * refunds. Undefined when the path is not of this API. The message of a request can ask for an error, as with
 * Swish's own merchant simulator.
 */
export async function answerSwish(parts: SwishParts, call: Call): Promise<Answer | undefined> {
  if (!call.path.startsWith(BASE)) return undefined
  if (parts.faults.consume('timeout')) return { status: 0, hangMs: HANG_MS }
  if (parts.faults.consume('error500')) return { status: 500 }
  try {
    return route(parts, call)
  } catch (error) {
    if (!(error instanceof SwishRefusal)) throw error
    if (error.code === undefined) return { status: error.status }
    return answerJson(error.status, [
      { errorCode: error.code, errorMessage: error.message, additionalInformation: null },
    ])
  }
}

function route(parts: SwishParts, call: Call): Answer {
  const [version, resource, id = '', ...rest] = call.path.slice(BASE.length).split('/')
  if (rest.length > 0) return { status: 404 }
  const name = `${call.method} ${version}/${resource}`
  if (!INSTRUCTION_ID.test(id)) return { status: 400 }
  switch (name) {
    case 'PUT v2/paymentrequests':
      return create(parts, call, id)
    case 'GET v1/paymentrequests': {
      const order = parts.phone.find(id)
      if (order === undefined) return { status: 404 }
      return answerJson(200, parts.phone.describe(order))
    }
    case 'PATCH v1/paymentrequests':
      return cancel(parts, call, id)
    case 'PUT v2/refunds':
      return refund(parts, call, id)
    case 'GET v1/refunds': {
      const found = parts.refunds.find(id)
      return found === undefined ? { status: 404 } : answerJson(200, parts.refunds.describe(found))
    }
    default:
      return { status: 404 }
  }
}

function create({ phone, faults }: SwishParts, call: Call, id: string): Answer {
  const request = readSwishRequest(call.headers['content-type'], call.body)
  if (phone.find(id)) throw new SwishRefusal(422, 'RP09', 'The InstructionUUID is not available')
  const isBusy = phone
    .orders()
    .some(
      (other) =>
        request.payerAlias !== undefined && other.payerAlias === request.payerAlias && isUndecided(other),
    )
  if (isBusy) throw new SwishRefusal(422, 'RP06', 'Another active request exists for this payer')
  const order = phone.create(id, request)
  if (faults.consume('error-after-success')) return { status: 500 }
  return {
    status: 201,
    headers: {
      location: `${BASE}v1/paymentrequests/${id}`,
      ...(order.token === undefined ? {} : { PaymentRequestToken: order.token }),
    },
  }
}

function cancel({ phone }: SwishParts, call: Call, id: string): Answer {
  if (!/^application\/json-patch\+json\s*(;|$)/i.test(call.headers['content-type'] ?? '')) {
    throw new SwishRefusal(415)
  }
  const [patch] = readPatch(call.body)
  const isCancel =
    patch?.['op'] === 'replace' && patch['path'] === '/status' && patch['value'] === 'cancelled'
  if (!isCancel) throw new SwishRefusal(400)
  if (!phone.find(id)) return { status: 404 }
  if (!phone.cancel(id)) throw new SwishRefusal(422, 'RP07', 'Payment request is not cancellable')
  const cancelled = phone.find(id)
  return answerJson(200, cancelled ? phone.describe(cancelled) : {})
}

function readPatch(text: string): Record<string, unknown>[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.length === 1 ? (value as Record<string, unknown>[]) : []
  } catch {
    return []
  }
}

function refund({ phone, refunds, faults }: SwishParts, call: Call, id: string): Answer {
  const body = readJsonObject(call.body)
  if (body === undefined) throw new SwishRefusal(400)
  if (refunds.find(id)) throw new SwishRefusal(422, 'RP09', 'The InstructionUUID is not available')
  const reference = readText(body, 'originalPaymentReference') ?? ''
  const paid = phone.findPaid(reference)
  if (paid === undefined) throw new SwishRefusal(422, 'RF02', 'Original payment not found')
  if (readText(body, 'payerAlias') !== paid.payeeAlias) {
    throw new SwishRefusal(422, 'RF03', 'Payer alias in the refund does not match the payee of the payment')
  }
  const callbackUrl = readCallback(body)
  const amount = readAmount(body['amount'])
  const minor = (text: string) => BigInt(text.replace('.', ''))
  const refunded = refunds.of(reference).reduce((sum, one) => sum + minor(one.amount), 0n)
  if (refunded + minor(amount) > minor(paid.amount)) {
    throw new SwishRefusal(422, 'RF08', 'Amount value is too large')
  }
  refunds.create({
    id,
    originalPaymentReference: reference,
    amount,
    currency: readCurrency(body['currency']),
    payerAlias: paid.payeeAlias,
    message: readText(body, 'message') ?? '',
    callbackUrl,
  })
  if (faults.consume('error-after-success')) return { status: 500 }
  return { status: 201, headers: { location: `${BASE}v1/refunds/${id}` } }
}
