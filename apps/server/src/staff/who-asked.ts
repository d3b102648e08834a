/** Who asked for something that is done later: their rights are asked anew when it is. */
import { isCreditorRole, isOperatorRole } from '@kvitt/domain/staff/roles.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import type { Connection } from '../platform/database/database.ts'
import type { OfficePrincipal } from './principal.ts'
import { readAskingKey, readAskingMember } from './who-asked.queries.ts'

/** Whoever asked, as it is kept: one of both names. */
export type WhoAsked = {
  readonly creditorId: string
  readonly membershipId: string | null
  readonly keyId: string | null
}

/** Nobody is signed in when it is done: what needs a session, or a fresh sign-in, is not for later. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000'
const LONG_AGO = new Date(0).toISOString()

/** The same principal with the rights of now; undefined when they do not work here any more. */
export async function whoAsked(
  { db, clock }: Pick<Context, 'clock'> & { readonly db: Connection },
  instance: Instance,
  { creditorId, membershipId, keyId }: WhoAsked,
): Promise<OfficePrincipal | undefined> {
  const of = { instanceId: instance.id, creditorId }
  if (keyId !== null) {
    const key = await readAskingKey(db, { ...of, id: keyId }, new Date(clock.now()).toISOString())
    return key && { kind: 'api_key', instance, keyId, creditorId, ...key }
  }
  if (membershipId === null) return undefined
  const row = await readAskingMember(db, { ...of, id: membershipId })
  if (!row) return undefined
  const { person_id: personId, email, name, role } = row
  const times = { sessionId: NO_SESSION, signedInAt: LONG_AGO, endsAt: LONG_AGO, byIssuer: null }
  const person = { kind: 'staff', instance, membershipId, personId, email, name, ...times } as const
  if (row.creditor_id === null)
    return isOperatorRole(role) ? { ...person, creditorId: null, role } : undefined
  return isCreditorRole(role) ? { ...person, creditorId, role } : undefined
}
