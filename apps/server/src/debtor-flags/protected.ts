/** How a person with a protected identity is reached: told to whoever has the right, with a reason, and written down (M-36). */
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import type { seeProtected } from '@kvitt/domain/people/debtor-flag.contract.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { actorOf, type OperatorMember } from '../staff/staff.ts'
import { readReached } from './protected.queries.ts'

/**
 * The deed is written in the transaction that reads: nobody is shown what no log tells of. Refuses `why_required`, and `act_not_open` of
 * whoever is not protected.
 */
export async function tellProtected(
  { db }: Pick<Context, 'db'>,
  principal: OperatorMember,
  { debtorId, reason }: { readonly debtorId: string; readonly reason: string },
): Promise<AnswerOf<typeof seeProtected>> {
  if (!saysSomething(reason)) throw new Refusal('why_required', {}, ['reason'])
  const instanceId = principal.instance.id
  return db.transaction(async (tx) => {
    const reached = await readReached(tx, { instanceId, debtorId })
    if (reached.length === 0) throw new Refusal('act_not_open')
    await noteDeed(tx, {
      instanceId,
      kind: 'protected_seen',
      by: actorOf(principal),
      about: `debtor:${debtorId}`,
      reason: reason.trim(),
    })
    return { reached }
  })
}
