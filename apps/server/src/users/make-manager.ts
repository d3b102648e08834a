/**
 * Somebody becomes the manager who invites all others, of a creditor or of the operator: told by e-mail, with a way in. Who may wish it,
 * and who has to agree, the callers know (first-manager.ts, creditor-manager.ts).
 */
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { makeMembership, makePerson } from '../staff/staff.ts'
import { tell } from './tell-invited.ts'
import type { ManagerRow } from './creditor-manager.queries.ts'
import { endUser } from './end-user.ts'
import { setRoleRow } from './users.queries.ts'

type NewManager = {
  readonly instance: Instance
  /** Null: of the operator. */
  readonly creditorId: string | null
  readonly email: string
  readonly name: string
  /** Who wishes it, for the audit log. */
  readonly by: string
  /** Who was invited so before and has never come: managers no more. The address may have been mistyped. */
  readonly before: readonly ManagerRow[]
  /** Looks at who it is before anything is theirs; may refuse. */
  readonly check?: (personId: string) => void
}

/** Somebody of it who can invite others: who was invited and has never come cannot. */
export const hasCome = (managers: readonly ManagerRow[]): boolean => managers.some(({ has_come }) => has_come)

/** Answers the link of the message: where a password is chosen, or the portal for who has one. The caller holds the lock of `before`. */
export async function appointManagerOf(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  { instance, creditorId, email, name, by, before, check }: NewManager,
): Promise<string> {
  const now = context.clock.now()
  const instanceId = instance.id
  const role = { role: 'manager' } as const
  for (const { id } of before) {
    await endUser(tx, { instanceId, id, at: new Date(now).toISOString(), by })
    const about = `membership:${id}`
    await noteDeed(tx, { instanceId, kind: 'user_removed', by, about, before: role })
  }
  const personId = await makePerson(tx, { id: newId(now), email, name })
  check?.(personId)
  const wanted = newId(now)
  const id = await makeMembership(tx, {
    instanceId,
    id: wanted,
    personId,
    creditorId,
    ...role,
    invitedName: name,
  })
  // They work there already, as something less.
  if (id !== wanted)
    await setRoleRow(tx, { instanceId, id }, { ...role, proposedRole: null, proposedBy: null })
  const link = await tell(context, tx, { member: { instance, creditorId }, personId, id, email, name })
  await noteDeed(tx, { instanceId, kind: 'user_invited', by, about: `membership:${id}`, after: role })
  return link
}
