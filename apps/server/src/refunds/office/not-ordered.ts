/** A person says that a transfer which was said to be ordered at the bank was not; above the limit another agrees. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { lockBankFiles, previewIn } from '../../bank-files/bank-files.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { propose, type ProposalWork, type ProposedState } from '../../proposals/proposals.ts'
import { actorOf, onceByOperator, requireFreshSignIn, type OperatorMember } from '../../staff/staff.ts'
import { takeBackOrder } from '../not-ordered.ts'
import { RefundRefused } from '../order-refund.ts'
import { aboutOf, findRefund, needsAnotherToTakeBack, readLimit, type OwedRefund } from './refund-case.ts'
import { answer, type Act, type Acted, type By } from './work-refund.ts'

async function lockOrdered(tx: Transaction, principal: OperatorMember, id: string): Promise<OwedRefund> {
  await lockBankFiles(tx, principal.instance.id)
  const row = await findRefund({ db: tx }, principal, id)
  if (!row.isByHand) throw new Refusal('refund_not_owed')
  return row
}

function stateOf({ orderedMinor, currency, debt, orderedOn }: OwedRefund): ProposedState {
  return { amount: amountText(orderedMinor ?? 0), currency, debt, bankDate: orderedOn }
}

/** Answers the case as it is then. Refuses `refund_not_owed` where nothing is ordered by hand, or it has left. */
export async function notOrdered(act: Act): Promise<Acted> {
  const { context, principal, asked } = act
  const { id: instanceId, timeZone } = principal.instance
  const acted = await onceByOperator(context, principal, asked, async (tx) => {
    const row = await lockOrdered(tx, principal, act.row.id)
    const today = context.clock.today(timeZone)
    const isAbove = await readLimit(tx, { instanceId, today }, row)
    if (!needsAnotherToTakeBack(row, today, isAbove)) await perform(tx, { context, principal }, row)
    else {
      requireFreshSignIn(context, principal)
      const before = stateOf(row)
      const after = { ...before, status: 'NOT_ORDERED' }
      const { creditorId } = row
      await propose(tx, context, principal, {
        kind: 'refund_not_ordered',
        about: aboutOf(row),
        creditorId,
        before,
        after,
      })
    }
    return row.id
  })
  return answer(act, acted)
}

/** What it would write in the books. Nothing stays. */
export function previewNotOrdered({ context, principal, row }: Omit<Act, 'asked'>) {
  return previewIn(context, principal.instance.id, async (tx) =>
    perform(tx, { context, principal }, await lockOrdered(tx, principal, row.id)),
  )
}

async function perform(tx: Transaction, { context, principal }: By, row: OwedRefund): Promise<void> {
  const { id: instanceId, timeZone } = principal.instance
  const wish = { instanceId, by: actorOf(principal), about: row.about }
  try {
    await takeBackOrder(tx, context, wish, context.clock.today(timeZone))
  } catch (error) {
    throw error instanceof RefundRefused ? new Refusal('refund_not_owed') : error
  }
}

const idOf = (about: string): string => about.slice(about.indexOf(':') + 1)

export const NOT_ORDERED_WORK: ProposalWork = {
  readNow: async (tx, { principal, about }) => stateOf(await lockOrdered(tx, principal, idOf(about))),
  carryOut: async (tx, { context, principal, proposal }) =>
    perform(tx, { context, principal }, await lockOrdered(tx, principal, idOf(proposal.about))),
}
