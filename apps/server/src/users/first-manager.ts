/**
 * The first manager of the operator, whom nobody of the operator can invite: by command, by whoever has the host. All others are
 * invited in the portal.
 */
import { Refusal } from '@kvitt/domain/errors.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import { newId } from '../platform/identity.ts'
import { makeMembership, makePerson } from '../staff/staff.ts'
import { lockOperatorsManagers } from './first-manager.queries.ts'
import { tell } from './tell-invited.ts'
import { endUserRow, setRoleRow } from './users.queries.ts'

type Wanted = { readonly email: string; readonly name: string; readonly by: string }

/**
 * Invites them by e-mail. Answers the link of the message: that with which they choose a password, or the portal where they have one.
 * Whoever was invited so before and has never come is a manager no more: the address may have been mistyped. Refuses `manager_exists`
 * where a manager can sign in.
 */
export function inviteManagerOf(
  context: Pick<Context, 'db' | 'clock' | 'config'>,
  instance: Instance,
  { email, name, by }: Wanted,
): Promise<string> {
  const { db, clock } = context
  return db.transaction(async (tx) => {
    const now = clock.now()
    const before = await lockOperatorsManagers(tx, instance.id)
    if (before.some(({ has_come: hasCome }) => hasCome)) throw new Refusal('manager_exists')
    const at = new Date(now).toISOString()
    for (const { id } of before) {
      await endUserRow(tx, { instanceId: instance.id, id, at })
      await noteDeed(tx, {
        instanceId: instance.id,
        kind: 'user_removed',
        by,
        about: `membership:${id}`,
        before: { role: 'manager' },
      })
    }
    const personId = await makePerson(tx, { id: newId(now), email, name })
    const wanted = newId(now)
    const row = {
      instanceId: instance.id,
      id: wanted,
      personId,
      creditorId: null,
      role: 'manager',
      invitedName: name,
    }
    const id = await makeMembership(tx, row)
    if (id !== wanted)
      await setRoleRow(
        tx,
        { instanceId: instance.id, id },
        { role: 'manager', proposedRole: null, proposedBy: null },
      )
    const link = await tell(context, tx, {
      member: { instance, creditorId: null },
      personId,
      id,
      email,
      name,
    })
    await noteDeed(tx, {
      instanceId: instance.id,
      kind: 'user_invited',
      by,
      about: `membership:${id}`,
      after: { role: 'manager' },
    })
    return link
  })
}
