/** Staff and programs of a creditor, as tests need them: known in the database, with the header that proves them. */
import { randomBytes } from 'node:crypto'
import type { CreditorRole, KeyScope, OperatorRole } from '@kvitt/domain/staff/roles.ts'
import type { Context } from '../context.ts'
import { newId } from '../platform/identity.ts'
import { insertMembershipRow, insertPerson } from '../staff/staff.queries.ts'
import { beginStaffSession, keepApiKey } from '../staff/staff.ts'
import type { Answer, TestServer } from './start-test-server.ts'

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

/** `call` such as `GET /clients`; `key` is the `Idempotency-Key`. */
export type AskOffice = (who: OperatorRole, call: string, body?: object, key?: string) => Promise<Answer>

/** Signs in `{role}@example.com` of the operator for each role: each asks at the admin's door by its role. */
export async function openOffice(server: TestServer, roles: readonly OperatorRole[]): Promise<AskOffice> {
  const people = new Map<OperatorRole, SignedIn>()
  for (const role of roles) {
    const at = { instanceId: server.instanceId, creditorId: null, role, email: `${role}@example.com` }
    people.set(role, await signInStaff(server.product.context, at))
  }
  return (who, call, body, key) => {
    const signedIn = people.get(who)
    if (!signedIn) throw new Error(`nobody has signed in as ${who}`)
    const [method = '', path = ''] = call.split(' ')
    return server.call(method, `/api/admin${path}`, {
      ...(body === undefined ? {} : { body }),
      headers: { ...signedIn, ...(key === undefined ? {} : { 'Idempotency-Key': key }) },
    })
  }
}

/** The status, the code of a refusal, and the fields that caused it. */
export function told({ status, json }: Answer): (string | number | undefined)[] {
  const { code, errors } = json as { code?: string; errors?: { field: string }[] }
  return [status, code, ...(errors?.map(({ field }) => field) ?? [])]
}
