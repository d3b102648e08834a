/** Which refusals leave a trace, and what of them. */
import type { AuditKind } from '@kvitt/domain/audit/audit-kind.ts'
import type { ErrorCode } from '@kvitt/domain/errors.ts'
import type { AuditEvent } from './audit-kinds.ts'

/** A call that was refused. */
export type RefusedCall = {
  readonly code: ErrorCode
  readonly instanceId: string | null
  /** `GET /api/debtor/invoices/:id`: the pattern, which names nobody. */
  readonly route: string
  /** Who is signed in behind the debtor's door: `session:{id}`, or the person who looks as the debtor. */
  readonly signedIn: string | undefined
  /** Who calls, when no session says so. */
  readonly network: string
  /** Did the call bring a token along? Whoever brings none has only not signed in. */
  readonly hasToken: boolean
}

/** Refusals whose trace is the network that they went to. */
const BY_NETWORK: Partial<Record<ErrorCode, AuditKind>> = {
  login_throttled: 'guesses_locked',
  eid_order_unknown: 'eid_order_refused',
  eid_rate_limited: 'eid_starts_locked',
  eid_nothing_here: 'eid_stranger',
}

/** The event of a refusal; undefined when it is nothing out of the ordinary. */
export function eventOfRefusal(call: RefusedCall): AuditEvent | undefined {
  const { code, instanceId, route, signedIn, network, hasToken } = call
  const event = (kind: AuditKind, actor: string): AuditEvent => ({ instanceId, kind, actor, about: route })
  if (route.includes('/api/callbacks/')) {
    return code === 'not_found' ? event('callback_forged', network) : undefined
  }
  if (code === 'not_signed_in') return hasToken ? event('token_refused', network) : undefined
  const isHidden = code === 'not_found' || code === 'document_not_found'
  if (isHidden && signedIn !== undefined) return event('not_theirs', signedIn)
  const kind = BY_NETWORK[code]
  return kind && event(kind, network)
}
