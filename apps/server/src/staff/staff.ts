/** Who works here: people, their memberships and sessions, and the keys of a creditor's programs. */
import type { Context } from '../context.ts'
import type { Connection } from '../platform/database/database.ts'
import type { StaffMember } from './principal.ts'
import { IDLE_MS } from './sessions.ts'
import { endStaffSession, forgetStaffSessions } from './staff.queries.ts'

export { makeDemoStaff } from './demo-staff.ts'
export {
  actorOf,
  rightsOf,
  type ClientPrincipal,
  type CreditorMember,
  type KeyHolder,
  type StaffMember,
} from './principal.ts'
export { isPassword } from './passwords.ts'
export { hashOf } from './secrets.ts'
export { beginStaffSession, requireStaff } from './sessions.ts'

type Parts = Pick<Context, 'clock'> & { readonly db: Connection }

const iso = (epochMs: number): string => new Date(epochMs).toISOString()

/** Ends the session in every process. */
export function endSessionOf({ db, clock }: Parts, member: StaffMember): Promise<void> {
  const at = iso(clock.now())
  return endStaffSession(db, { instanceId: member.instance.id, id: member.sessionId, at })
}

/** Removes the sessions that nobody can use any more. */
export function forgetIdleSessions({ db, clock }: Parts): Promise<void> {
  return forgetStaffSessions(db, iso(clock.now()), iso(clock.now() - IDLE_MS))
}
