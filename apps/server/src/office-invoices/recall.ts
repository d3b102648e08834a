/** M-29: a creditor takes a claim back from collection: the agency's fees go, and the creditor handles what is left itself. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { lockClaim, type LockedClaim } from '../claims/claims.ts'
import { decideDebtWithin } from '../collection/collection.ts'
import { readStory } from '../ledger/ledger.ts'
import { queueMail } from '../mail/mail.ts'
import type { Transaction } from '../platform/database/database.ts'
import { printedAmount } from '../platform/printed-amount.ts'
import { actorOf } from '../staff/staff.ts'
import type { Acted } from './act-once.ts'
import type { ClaimAct } from './claim-acts.ts'
import { decide, refuseInPlan, refuseSigned } from './decide.ts'

const RECALLED = 'RECALLED'

/**
 * What of the agency's own fees is open, in minor units: the costs that its steps have charged on the claim, without what an
 * authority took, which is the creditor's outlay and stays owed.
 */
async function openFees(tx: Transaction, claim: LockedClaim): Promise<number> {
  const story = await readStory(tx, claim.instance_id, { claimId: claim.id })
  const charged = story
    .filter(({ isCharge, stepType }) => isCharge && stepType !== 'BAILIFF_PAYMENT_INJUCTION')
    .reduce((sum, { costsMinor, takenBackMinor }) => sum + Math.max(0, costsMinor - takenBackMinor), 0)
  return Math.min(charged, claim.costs_minor)
}

/**
 * Claim and invoices are STOPPED as RECALLED, what is open of the agency's fees is waived, and the debtor is told what is left and
 * that the creditor asks for it. What of the fees was paid stays paid. Refuses what is in a plan, signed for, or over.
 */
export function recallClaim(act: ClaimAct, reason: string): Promise<Acted> {
  const { context, principal, row } = act
  if (!saysSomething(reason)) throw new Refusal('why_required', {}, ['reason'])
  const instanceId = principal.instance.id
  return decide(act, async (tx) => {
    const claim = await lockClaim(tx, { instanceId, claimId: row.id })
    refuseInPlan(claim)
    await refuseSigned(tx, instanceId, { claimId: row.id })
    const fees = await openFees(tx, claim)
    const rest = claim.balance_minor - fees
    if (claim.status === 'CLOSED' || claim.status === 'STOPPED') throw new Refusal('act_not_open')
    if (rest <= 0) throw new Refusal('nothing_left')
    const debt = { kind: 'claim', name: row.id } as const
    const decided = { instanceId, debt, by: actorOf(principal), isKeyed: true }
    // The debtor hears of both at once, below.
    const { config: _, ...quiet } = context
    if (fees > 0) {
      const decision = { act: 'waive', bucket: 'costs', amount: amountText(fees) } as const
      await decideDebtWithin(quiet, tx, { ...decided, decision, reason: RECALLED })
    }
    await decideDebtWithin(quiet, tx, {
      ...decided,
      decision: { act: 'stop' },
      reason: RECALLED,
      note: reason.trim(),
    })
    await queueMail(context, tx, {
      kind: 'recalled',
      cause: `recalled:${row.id}`,
      instanceId,
      debt: { claimId: row.id },
      params: (language) => ({
        rest: printedAmount(rest, claim.currency, language),
        fees: fees > 0 ? 'yes' : 'no',
        amount: printedAmount(fees, claim.currency, language),
      }),
    })
    return row.id
  })
}
