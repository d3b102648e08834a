/** Who calls as staff: a person in one of their memberships, or a creditor's program with a key. */
import {
  MANDATED,
  RIGHTS_AT_DEFAULT,
  RIGHTS_OF_CREDITOR,
  RIGHTS_OF_OPERATOR,
  RIGHTS_OF_SCOPE,
  type CreditorRole,
  type KeyScope,
  type OperatorRole,
  type StaffRight,
} from '@kvitt/domain/staff/roles.ts'
import type { Instance } from '../instances/instances.ts'

/** A person who has signed in, in the membership that they have chosen. `creditorId` is null for an operator's staff. */
export type StaffMember = {
  readonly kind: 'staff'
  readonly instance: Instance
  readonly sessionId: string
  readonly membershipId: string
  readonly personId: string
  readonly email: string
  readonly name: string
  /** ISO, real time: some acts need that somebody has proven who they are a short while ago. */
  readonly signedInAt: string
  /** When it ends however much it is used, ISO. */
  readonly endsAt: string
  /** The provider's own issuer that has said who it is; null where they have shown it here. */
  readonly byIssuer: string | null
} & (
  | { readonly creditorId: string; readonly role: CreditorRole }
  | { readonly creditorId: null; readonly role: OperatorRole }
)

/** A creditor's program, by the key that it sends. */
export type KeyHolder = {
  readonly kind: 'api_key'
  readonly instance: Instance
  readonly keyId: string
  readonly creditorId: string
  readonly name: string
  readonly scopes: readonly KeyScope[]
}

export type CreditorMember = Extract<StaffMember, { readonly creditorId: string }>
/** Who stands behind the admin's door: of an instance, and of no creditor. */
export type OperatorMember = Extract<StaffMember, { readonly creditorId: null }>

/** One of an operator's staff at a row of one creditor: what they do there concerns this creditor alone. */
export type OperatorAtRow = Omit<OperatorMember, 'kind' | 'creditorId'> & {
  readonly kind: 'operator'
  readonly creditorId: string
  /** The row is an invoice or about one. */
  readonly isInvoice: boolean
}

/** Who asks about things of one creditor: whoever stands behind the client's door, and an operator's staff at a row. */
export type ClientPrincipal = CreditorMember | KeyHolder | OperatorAtRow
/** Who asks about things of one creditor, or of all of an instance. */
export type OfficePrincipal = ClientPrincipal | OperatorMember

/** A private person's account as this person may read it: whole for whoever pays money out, else its end. */
export function numberFor(principal: OfficePrincipal): (number: string) => string {
  const isWhole = rightsOf(principal).includes('payouts')
  return (number) => (isWhole ? number : `…${number.slice(-4)}`)
}

/** Everything that a principal may do, from the tables of the domain. */
export function rightsOf(principal: OfficePrincipal): readonly StaffRight[] {
  switch (principal.kind) {
    case 'staff':
      return principal.creditorId === null ? rightsOfOperator(principal) : RIGHTS_OF_CREDITOR[principal.role]
    case 'operator': {
      const rights = RIGHTS_OF_OPERATOR[principal.role]
      // No agreement gives mandates yet: where one is needed, nobody has it.
      return principal.isInvoice ? rights.filter((right) => !MANDATED.includes(right)) : rights
    }
    case 'api_key':
      return principal.scopes.flatMap((scope) => RIGHTS_OF_SCOPE[scope])
  }
}

function rightsOfOperator({ instance, role }: OperatorMember): readonly StaffRight[] {
  const rights = RIGHTS_OF_OPERATOR[role]
  return instance.isDefault ? [...rights, ...(RIGHTS_AT_DEFAULT[role] ?? [])] : rights
}

/** What their links to files are good for: the session, or the key, that they were made for. */
export function sessionOf(principal: OfficePrincipal): string {
  return principal.kind === 'api_key' ? principal.keyId : principal.sessionId
}

/** Who did it, for the audit log: identifiers alone, so that erasing a person breaks no chain. */
export function actorOf(principal: OfficePrincipal): string {
  return principal.kind === 'api_key'
    ? `key:${principal.keyId}`
    : `person:${principal.personId}:${principal.membershipId}`
}
