/**
 * Who makes a call, and what each kind of them may use. A new kind is one member of `Principal`, one authenticator (bind.ts),
 * one row of RIGHTS and, when it sees debts, one visibility in the queries: the compiler names each place.
 */
import type { Power } from '@kvitt/domain/contract.ts'
import type { Instance } from '../instances/instances.ts'
import type { OfficePrincipal } from '../staff/staff.ts'
import type { DebtorViewer, PublicViewer, UnprovenPair } from './viewer.ts'

/** Someone whom no session stands behind, on a tenant's host. */
export type Visitor = { readonly kind: 'visitor'; readonly instance: Instance }

/** Everybody whom a contract's doors let in. */
export type Principal = Visitor | PublicViewer | UnprovenPair | DebtorViewer | OfficePrincipal

/** What a kind may use: a kind is not its rights, so two kinds may have the same, and one may depend on the instance. */
export type Rights<P extends { readonly kind: string }> = {
  readonly [Kind in P['kind']]: (principal: Extract<P, { readonly kind: Kind }>, power: Power) => boolean
}

export const RIGHTS: Rights<Principal> = {
  visitor: () => false,
  // Until it has proven right: a stranger does not learn what the instance keeps.
  unproven: () => false,
  public: ({ instance }, power) => !instance.row.public_session_policy.includes(power),
  debtor: () => true,
  // What an instance keeps from debtors' sessions is no matter of staff: they have rights (staff/roles.ts).
  staff: () => false,
  api_key: () => false,
  operator: () => false,
}

/** May this principal use a power? A call without one is for whoever its doors let in (D-07). */
export function hasPower(principal: Principal, power: Power | undefined): boolean {
  if (power === undefined) return true
  switch (principal.kind) {
    case 'visitor':
      return RIGHTS.visitor(principal, power)
    case 'unproven':
      return RIGHTS.unproven(principal, power)
    case 'public':
      return RIGHTS.public(principal, power)
    case 'debtor':
      return RIGHTS.debtor(principal, power)
    case 'staff':
      return RIGHTS.staff(principal, power)
    case 'api_key':
      return RIGHTS.api_key(principal, power)
    case 'operator':
      return RIGHTS.operator(principal, power)
  }
}
