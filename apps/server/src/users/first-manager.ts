/**
 * The first manager of the operator, whom nobody of the operator can invite: by whoever has the host, or by whoever makes the provider
 * in the portal. All others are invited by them.
 */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import type { Transaction } from '../platform/database/database.ts'
import { lockOperatorsManagers } from './first-manager.queries.ts'
import { appointManagerOf, hasCome } from './make-manager.ts'

type Wanted = { readonly email: string; readonly name: string; readonly by: string }
type Parts = Pick<Context, 'clock' | 'config'>

/** As inviteManagerOf, in a transaction of the caller's. */
export async function inviteManagerIn(
  context: Parts,
  tx: Transaction,
  { instance, ...wanted }: Wanted & { readonly instance: Instance },
): Promise<string> {
  const before = await lockOperatorsManagers(tx, instance.id)
  if (hasCome(before)) throw new Refusal('manager_exists')
  return appointManagerOf(context, tx, { ...wanted, instance, creditorId: null, before })
}

/**
 * Invites them by e-mail. Answers the link of the message: that with which they choose a password, or the portal where they have one.
 * Whoever was invited so before and has never come is a manager no more: the address may have been mistyped. Refuses `manager_exists`
 * where a manager can sign in.
 */
export function inviteManagerOf(
  context: Parts & Pick<Context, 'db'>,
  instance: Instance,
  wanted: Wanted,
): Promise<string> {
  return context.db.transaction((tx) => inviteManagerIn(context, tx, { ...wanted, instance }))
}
