/** Staff and programs of a creditor, as tests need them: known in the database, with the header that proves them. */
import { randomBytes } from 'node:crypto'
import type { CreditorRole, KeyScope, OperatorRole } from '@kvitt/domain/staff/roles.ts'
import type { Context } from '../context.ts'
import { newId } from '../platform/identity.ts'
import { insertMembershipRow, insertPerson } from '../staff/staff.queries.ts'
import { beginStaffSession, keepApiKey } from '../staff/staff.ts'

type Parts = Pick<Context, 'db' | 'clock'>

export type SignedIn = {
  readonly authorization: string
}

type Member = {
  readonly instanceId: string
  readonly email?: string
} & (
  | { readonly creditorId: string; readonly role: CreditorRole }
  | { readonly creditorId: null; readonly role: OperatorRole }
)

/** The headers of a person who has just signed in with this role. */
export async function signInStaff(parts: Parts, member: Member): Promise<SignedIn> {
  const { instanceId, creditorId, role, email = `${randomBytes(6).toString('hex')}@example.com` } = member
  const token = await parts.db.transaction(async (tx) => {
    const now = parts.clock.now()
    const name = `Prov ${role}`
    const person = { id: newId(now), email, name, passwordHash: null, isDemo: false }
    const personId = await insertPerson(tx, person)
    const membership = { instanceId, id: newId(now), personId, creditorId, role }
    const id = await insertMembershipRow(tx, membership)
    return (await beginStaffSession(tx, parts, { instanceId, id })).token
  })
  return { authorization: `Bearer ${token}` }
}

/** A key of a creditor's programs, and the headers of whoever sends it. */
export async function holdKey(
  parts: Parts,
  { instanceId, creditorId, scopes }: { instanceId: string; creditorId: string; scopes: readonly KeyScope[] },
): Promise<SignedIn & { readonly id: string }> {
  const key = `kvitt-${randomBytes(16).toString('hex')}`
  const id = newId(parts.clock.now())
  await parts.db.transaction((tx) =>
    keepApiKey(tx, key, { instanceId, id, creditorId, name: 'Prov', scopes, madeBy: null, expiresAt: null }),
  )
  return { id, authorization: `Bearer ${key}` }
}
