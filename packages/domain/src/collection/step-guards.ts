/** May a due step of the schedule be performed today? Asked again on each daily run, right before the step. */
import { isOpenClaim, type ClaimStatus } from '../claims/claim.ts'
import type { InvoiceStatus } from '../invoices/invoice.ts'
import { CLAIM_STEPS, type StepType } from './schedule-table.ts'

/**
 * `wait`: the step stays planned, ask again on another day. `skip`: it is not to happen, and nothing is planned
 * until a payment, a decision or a reversal changes the facts.
 */
export type StepAnswer = 'perform' | 'wait' | 'skip'

export type InvoiceFacts = {
  readonly status: InvoiceStatus
  readonly balanceMinor: number
  /** A payment is signed but not settled. */
  readonly hasAuthorizedPayment: boolean
  /** The balance lives in a plan or in a claim. */
  readonly isPartPayment: boolean
  readonly inClaim: boolean
  /** What is left after a payment is so little that nothing more may be charged (stopsFees). */
  readonly stopsFees: boolean
}

/** Steps that only lead on to costs, so that a small rest never reaches them. */
const TOWARDS_COSTS: readonly StepType[] = ['DELAYED_PENALTY_FEE', 'COLLECTION_NOTIFICATION', 'COLLECTION']

/** Is a step of this type performed all the same, without a fee, when little is left after a payment? */
export function isFreeOnLittle(step: StepType): boolean {
  return !TOWARDS_COSTS.includes(step) && !CLAIM_STEPS.some((type) => type === step)
}

/** The guards of an invoice's step: open, owing, not in a plan or claim, and no money on its way. */
export function canPerform(step: StepType, facts: InvoiceFacts): StepAnswer {
  switch (facts.status) {
    case 'CREATED':
    case 'PENDING':
    case 'PAUSED':
    case 'PENDING_AUTHORIZATION':
      return 'wait'
    case 'DISPUTED':
    case 'CLOSED':
    case 'STOPPED':
    case 'ARCHIVED':
      return 'skip'
    case 'ACTIVATED':
      break
  }
  if (facts.balanceMinor <= 0 || facts.isPartPayment || facts.inClaim) return 'skip'
  if (facts.hasAuthorizedPayment) return 'wait'
  return facts.stopsFees && TOWARDS_COSTS.includes(step) ? 'skip' : 'perform'
}

export type ClaimFacts = {
  readonly status: ClaimStatus
  readonly balanceMinor: number
  readonly hasAuthorizedPayment: boolean
  readonly isPartPayment: boolean
  readonly stopsFees: boolean
}

/**
 * As canPerform, for a step of a claim: every one costs or leads on to costs, but for the question what comes next, which
 * costs the debtor nothing.
 */
export function canPerformOnClaim(step: StepType, facts: ClaimFacts): StepAnswer {
  if (facts.status === 'PAUSED') return 'wait'
  const isRunning = isOpenClaim(facts.status) && facts.status !== 'DISPUTED'
  if (!isRunning || facts.balanceMinor <= 0 || facts.isPartPayment) return 'skip'
  if (facts.stopsFees && step !== 'SCHEDULE_END') return 'skip'
  return facts.hasAuthorizedPayment ? 'wait' : 'perform'
}
