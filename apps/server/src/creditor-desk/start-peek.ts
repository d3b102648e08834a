/** An operator's person asks to see the debtor portal as a debtor sees it. */
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import { provenNumbersOf } from '@kvitt/domain/people/personal-number.ts'
import type { startPeek } from '@kvitt/domain/sign-in/peek.contract.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { portalUrlOf } from '../mail/mail.ts'
import { makeTicket } from '../sign-in/peeks.ts'
import { findDebtors } from '../sign-in/sessions.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isAnyProtected } from '../ledger/protected-persons.queries.ts'
import { actorOf, rightsOf, type OperatorMember } from '../staff/staff.ts'

/** What of a debtor decides as whom one looks: its identifier, and the number as it is kept. */
type Seen = { readonly id: string; readonly identificationNumber: string | null }

/** The address opens once: each press makes another ticket, and other deeds with the person and the reason, one for each row of the debtor. Refuses `person_protected`. */
export async function beginPeek(
  context: Pick<Context, 'db' | 'clock' | 'config'>,
  principal: OperatorMember,
  { debtor, reason }: { readonly debtor: Seen; readonly reason: string },
): Promise<AnswerOf<typeof startPeek>> {
  const { instance, sessionId } = principal
  const debtorIds = await rowsOf(context, principal, debtor)
  const isHidden =
    !rightsOf(principal).includes('see_protected') &&
    (await isAnyProtected(context.db, instance.id, debtorIds))
  if (isHidden) throw new Refusal('person_protected')
  return context.db.transaction(async (tx) => {
    const { ticket, ...times } = await makeTicket(tx, context, {
      instanceId: instance.id,
      staffSessionId: sessionId,
      debtorIds,
    })
    // Of every row that is seen: what is kept about each of them shows it.
    for (const id of debtorIds) {
      await noteDeed(tx, {
        instanceId: instance.id,
        kind: 'viewed_as_debtor',
        by: actorOf(principal),
        about: `debtor:${id}`,
        reason,
        after: { until: times.endsAt },
      })
    }
    // Behind the sign the browser keeps it to itself.
    return { address: `${portalUrlOf(context.config, instance.row)}#/view/${ticket}`, ...times }
  })
}

/** The rows that a login of the debtor would open; of whoever no login finds, their own alone. */
async function rowsOf(
  context: Pick<Context, 'db' | 'clock'>,
  { instance }: OperatorMember,
  { id, identificationNumber }: Seen,
): Promise<readonly string[]> {
  const today = context.clock.today(instance.timeZone)
  for (const number of provenNumbersOf(identificationNumber ?? '', today)) {
    const ids = (await findDebtors(context, instance, number)).map((row) => row.id)
    if (ids.includes(id)) return ids
  }
  return [id]
}
