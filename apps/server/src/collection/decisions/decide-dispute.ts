/** A person decides a dispute, of an invoice or of a claim: once, with a name, and with words for the debtor. */
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { amountText, parseAmount } from '@kvitt/domain/money.ts'
import { rejectClaimDispute, upholdClaimDispute } from './claim-disputes.ts'
import { DecisionRefused } from './decision-refused.ts'
import { findDispute, type DisputeRow } from './decisions.queries.ts'
import { rejectDispute, upholdDispute } from './dispute-decisions.ts'
import type { DecisionContext } from './tell-decision.ts'

export const DECISIONS = ['UPHOLD', 'UPHOLD_PART', 'REJECT'] as const
export type Decision = (typeof DECISIONS)[number]

export type DisputeAnswer = {
  readonly instanceId: string
  readonly disputeId: string
  readonly decision: Decision
  /** Decimal text: what is credited when it is upheld in part, VAT included. */
  readonly amount: string | undefined
  /** What the debtor is told. */
  readonly answer: string
  /** Who decides. */
  readonly by: string
}

/** `isNew` is false when the dispute had been decided so before: then nothing has changed. */
export type DisputeDecided = { readonly number: string; readonly isNew: boolean }

const ENDS = { UPHOLD: 'UPHELD', UPHOLD_PART: 'UPHELD_PART', REJECT: 'REJECTED' } as const

/** Throws DecisionRefused, with a sentence: nothing has changed then. */
export async function decideDispute(context: DecisionContext, wish: DisputeAnswer): Promise<DisputeDecided> {
  const { disputeId, decision, by } = wish
  const dispute = await findDispute(context.db, wish)
  if (!dispute) throw new DecisionRefused(`The provider has no dispute ${disputeId}.`)
  const { number } = dispute
  if (by.trim() === '') throw new DecisionRefused('Say who decides.')
  if (!saysSomething(wish.answer)) throw new DecisionRefused('Write to the debtor why: the answer is empty.')
  const isNew = dispute.status === 'OPEN' && (await decide(context, dispute, wish))
  if (!isNew) {
    const now = await findDispute(context.db, wish)
    if (now?.status === ENDS[decision]) return { number, isNew }
    throw new DecisionRefused(`The dispute about ${number} has ended already: it is ${now?.status}.`)
  }
  return { number, isNew }
}

/** Answers false when somebody else has decided it meanwhile. */
function decide(
  context: DecisionContext,
  dispute: DisputeRow,
  { decision, amount, answer, by: name }: DisputeAnswer,
): Promise<boolean> {
  const { instance_id: instanceId, invoice_id: invoiceId, claim_id: claimId } = dispute
  const on = context.clock.today(dispute.time_zone)
  const by = name.trim()
  const creditMinor = creditOf(dispute, { decision, amount })
  if (claimId !== null) {
    const key = { instanceId, claimId }
    return creditMinor === undefined
      ? rejectClaimDispute(context, key, { on, answer, by })
      : upholdClaimDispute(context, key, { on, answer, by, creditMinor })
  }
  const key = { instanceId, invoiceId: invoiceId ?? '' }
  return creditMinor === undefined
    ? rejectDispute(context, key, { on, answer, by })
    : upholdDispute(context, key, { on, decision: answer, by, creditMinor })
}

/** Undefined when nothing is credited. In part it is more than nothing and less than the open principal. */
function creditOf(
  { currency, principal_minor: open, number }: DisputeRow,
  { decision, amount }: Pick<DisputeAnswer, 'decision' | 'amount'>,
): number | 'all' | undefined {
  if (decision !== 'UPHOLD_PART') {
    if (amount !== undefined) throw new DecisionRefused('An amount belongs to what is upheld in part.')
    return decision === 'UPHOLD' ? 'all' : undefined
  }
  const credit = parseAmount(amount ?? '', currency)
  if (credit && credit.minor > 0 && credit.minor < open) return credit.minor
  throw new DecisionRefused(
    `Say how much is credited on ${number}: more than nothing and less than the open principal of ${amountText(open)} ${currency}.`,
  )
}
