/** A second factor that somebody has lost, taken away by a manager. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { JsonText } from '../platform/http/json.ts'
import { resetFactor } from '../second-factor/second-factor.ts'
import { actorOf, requireFreshSignIn, type OfficePrincipal } from '../staff/staff.ts'
import { lockUserRows, readContact, readUserJson } from './users.queries.ts'

/**
 * Refuses `another_person_needed` for one's own, `no_second_factor`, and `second_factor_of_others` for somebody who works for
 * others too: a creditor must not be able to take away what guards another creditor, or the operator.
 */
export function resetUsersFactor(
  context: Context,
  principal: OfficePrincipal,
  id: string,
): Promise<JsonText> {
  const member = requireFreshSignIn(context, principal)
  const { instance, creditorId } = member
  return context.db.transaction(async (tx) => {
    const user = (await lockUserRows(tx, member)).find((one) => one.id === id)
    const person = user && (await readContact(tx, user.person_id))
    if (!person) throw new Refusal('not_found')
    if (person.id === member.personId) throw new Refusal('another_person_needed')
    await resetFactor(context, tx, { instance, person, within: { creditorId } })
    const about = `membership:${id}`
    await noteDeed(tx, { instanceId: instance.id, kind: 'user_factor_reset', by: actorOf(member), about })
    const json = await readUserJson(tx, member, { id })
    if (json === undefined) throw new Error('a user is gone in the same transaction')
    return new JsonText(json)
  })
}
