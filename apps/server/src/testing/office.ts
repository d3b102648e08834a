/** An operator's people, each named by its role, who ask at the admin's door. */
import type { OperatorRole } from '@kvitt/domain/staff/roles.ts'
import { signInStaff, type SignedIn } from './staff.ts'
import type { Answer, TestServer } from './start-test-server.ts'

/** `key` is the `Idempotency-Key`. */
export type AskOffice = (
  who: OperatorRole,
  method: string,
  path: string,
  body?: object,
  key?: string,
) => Promise<Answer>

/** Signs in `{role}@example.com` for each role. */
export async function openOffice(server: TestServer, roles: readonly OperatorRole[]): Promise<AskOffice> {
  const people = new Map<OperatorRole, SignedIn>()
  for (const role of roles) {
    const at = { instanceId: server.instanceId, creditorId: null, role, email: `${role}@example.com` }
    people.set(role, await signInStaff(server.product.context, at))
  }
  return (who, method, path, body, key) => {
    const signedIn = people.get(who)
    if (!signedIn) throw new Error(`nobody has signed in as ${who}`)
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
