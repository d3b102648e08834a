import { isIP } from 'node:net'
import type { Faults } from '../faults.ts'
import { answerJson, readJsonObject } from '../serve.ts'
import type { Answer, Call } from '../serve.ts'
import type { Eid, EidOrder, EidState } from './eid.ts'

const HANG_MS = 30_000
const BASE = '/rp/v6.0'

export interface RpParts {
  eid: Eid
  faults: Pick<Faults, 'consume'>
}

type Told = Record<string, unknown>

/** The provider says no, by its own code. */
class RpRefusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, details: string) {
    super(details)
    this.status = status
    this.code = code
  }
}

/** The BankID Relying Party API v6.0: auth, collect and cancel; undefined for other paths. */
export function answerRp(parts: RpParts, call: Call): Answer | undefined {
  if (!call.path.startsWith(`${BASE}/`)) return undefined
  if (parts.faults.consume('timeout')) return { status: 0, hangMs: HANG_MS }
  try {
    if (parts.faults.consume('error500'))
      throw new RpRefusal(500, 'internalError', 'Internal technical error')
    if (parts.faults.consume('maintenance')) throw new RpRefusal(503, 'Maintenance', 'The service is down')
    const told = answerCall(parts, call)
    if (parts.faults.consume('error-after-success')) {
      throw new RpRefusal(500, 'internalError', 'Internal technical error')
    }
    return answerJson(200, told)
  } catch (error) {
    if (!(error instanceof RpRefusal)) throw error
    return answerJson(error.status, { errorCode: error.code, details: error.message })
  }
}

const ACTS: Record<string, (parts: RpParts, body: Told) => Told> = { auth, collect, cancel }

function answerCall(parts: RpParts, call: Call): Told {
  const name = call.path.slice(BASE.length + 1)
  const act = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined
  if (!act) throw new RpRefusal(404, 'notFound', 'An erroneous URL path was used')
  if (call.method !== 'POST') throw new RpRefusal(405, 'methodNotAllowed', 'Only http method POST is allowed')
  // As the real one: a charset beside the type is another type.
  if (call.headers['content-type'] !== 'application/json') {
    throw new RpRefusal(415, 'unsupportedMediaType', 'The Content-Type must be application/json')
  }
  const body = readJsonObject(call.body)
  if (!body) throw invalid('The body is not a JSON object')
  return act(parts, body)
}

function auth({ eid, faults }: RpParts, body: Told): Told {
  const { endUserIp, userVisibleData = '', web, app } = body
  if (typeof endUserIp !== 'string' || !isIP(endUserIp)) throw invalid('endUserIp is missing or no address')
  if (typeof userVisibleData !== 'string' || !isBase64(userVisibleData) || userVisibleData.length > 1_500) {
    throw invalid('userVisibleData must be base64 and at most 1500 characters')
  }
  if (web !== undefined && app !== undefined) throw invalid('web and app exclude each other')
  if (faults.consume('already-in-progress')) {
    throw new RpRefusal(400, 'alreadyInProgress', 'An order for this user is already in progress')
  }
  const intent = Buffer.from(userVisibleData, 'base64').toString('utf8')
  const { orderRef, autoStartToken, qrStartToken, qrStartSecret } = eid.start({ endUserIp, intent })
  return { orderRef, autoStartToken, qrStartToken, qrStartSecret }
}

function collect({ eid }: RpParts, body: Told): Told {
  const found = eid.collect(readOrderRef(body))
  if (!found) throw invalid('No such order')
  return describe(found.order, found.state)
}

function describe(order: EidOrder, state: EidState): Told {
  const { orderRef } = order
  if (state.status !== 'complete') return { orderRef, ...state }
  const { personalNumber, name } = state.person
  const [givenName = name, ...rest] = name.split(' ')
  return {
    orderRef,
    status: 'complete',
    completionData: {
      user: { personalNumber, name, givenName, surname: rest.join(' ') },
      device: { ipAddress: order.appIp ?? order.endUserIp, uhi: 'sandbox' },
      bankIdIssueDate: '2025-01-15',
      signature: '',
      ocspResponse: '',
      risk: 'low',
    },
  }
}

function cancel({ eid }: RpParts, body: Told): Told {
  if (!eid.cancel(readOrderRef(body))) throw invalid('No such order')
  return {}
}

function readOrderRef(body: Told): string {
  if (typeof body['orderRef'] !== 'string') throw invalid('orderRef is missing')
  return body['orderRef']
}

function isBase64(text: string): boolean {
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
}

function invalid(details: string): RpRefusal {
  return new RpRefusal(400, 'invalidParameters', details)
}
