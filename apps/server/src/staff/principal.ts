/** Who calls as a creditor's staff: a person in one of their memberships, or a program with a key. */
import {
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

/** Who stands behind the client's door: it is of one creditor. */
export type CreditorMember = Extract<StaffMember, { readonly creditorId: string }>
export type ClientPrincipal = CreditorMember | KeyHolder

/** Everything that a principal may do, from the tables of the domain. */
export function rightsOf(principal: StaffMember | KeyHolder): readonly StaffRight[] {
  switch (principal.kind) {
    case 'staff':
      return principal.creditorId === null
        ? RIGHTS_OF_OPERATOR[principal.role]
        : RIGHTS_OF_CREDITOR[principal.role]
    case 'api_key':
      return principal.scopes.flatMap((scope) => RIGHTS_OF_SCOPE[scope])
  }
}

/** Who did it, for the audit log: identifiers alone, so that erasing a person breaks no chain. */
export function actorOf(principal: StaffMember | KeyHolder): string {
  return principal.kind === 'staff'
    ? `person:${principal.personId}:${principal.membershipId}`
    : `key:${principal.keyId}`
}
