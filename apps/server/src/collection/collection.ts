/** The collection engine: what happens to an unpaid invoice, day by day. */
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import type { Measure } from '../platform/measures/measures.ts'
import { countAwaitedAccounts, countRunsDue } from './collection.queries.ts'
import { performDueRuns } from './daily-run.ts'

export { rejectDispute, upholdDispute } from './decisions/dispute-decisions.ts'
export { decideDebt, decideDebtWithin, type DebtDecision } from './decisions/decide-debt.ts'
export { decideDispute, type DisputeAnswer } from './decisions/decide-dispute.ts'
export { readOpenDisputes, type OpenDispute } from './decisions/decisions.queries.ts'
export { performDailyRun, performRunAgain } from './daily-run.ts'
export { rejectClaimDispute, rejectLockedDispute, upholdClaimDispute } from './decisions/claim-disputes.ts'
export { pauseClaim, resumeClaim, stopClaim } from './decisions/claim-pause.ts'
export { reschedule } from './reschedule.ts'
export { costOfRecorded, performRecordedStep } from './recorded-steps.ts'
export { readOutlook, type ComingStep } from './outlook.ts'
export { giveMoreTimeOnLocked } from './decisions/more-time.ts'
export { hastenOnLocked } from './decisions/to-collection.ts'
export { pauseInvoice, stopInvoice } from './decisions/pause.ts'
export type { LockedDebt } from './decisions/let-off.ts'
export { letGoOn, pauseLocked } from './decisions/rest.ts'
export { DecisionRefused, refuseInClaim } from './decisions/decision-refused.ts'
export { readSharesOf } from './decisions/decisions.queries.ts'
export { reversePayment, takeBack } from './decisions/reverse-payment.ts'
export { denyTaxReduction } from './decisions/tax-reduction.ts'

export const COLLECTION_MEASURES: readonly Measure[] = [
  {
    name: 'kvitt_bank_accounts_awaited',
    help: 'Accounts for whose files the last night left debts waiting',
    count: countAwaitedAccounts,
  },
  {
    name: 'kvitt_daily_runs_due',
    help: 'Providers whose daily run of today or of a day before has not ended',
    count: countRunsDue,
  },
]

/**
 * Every instance's due daily runs, one instance after the other. One that fails does not stop the next. `waitMs` is for those
 * that another process is in.
 */
export async function performAllRuns(
  context: Pick<Context, 'db' | 'clock' | 'log'> & Partial<Pick<Context, 'config'>>,
  instances: readonly Pick<Instance, 'id' | 'timeZone'>[],
  waitMs = 0,
): Promise<void> {
  for (const instance of instances) {
    try {
      await performDueRuns(context, instance, waitMs)
    } catch (error) {
      context.log.error({ err: error, instanceId: instance.id }, 'night not finished')
    }
  }
}
