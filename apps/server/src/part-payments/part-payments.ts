/** Part payments: what is offered, and the plans that debtors are in. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { InvoiceRow } from '../invoices/invoices.ts'
import type { Transaction } from '../platform/database/database.ts'
import { completePlan, lockPlan } from './endings/end-plan.ts'
import { readPlanOfDebt } from './plans.queries.ts'

export { planBindings } from './calls.ts'
export { giveTimeAfterRest } from './endings/after-rest.ts'
export { findHeir } from './endings/endings.queries.ts'
export {
  endAnyPlanForCredit,
  endClaimPlanForCredit,
  endPlanForCredit,
  lockRunningClaimPlan,
  lockRunningPlan,
} from './endings/credit-plan.ts'
export { getPartPayment, planMethods, startPartPayment } from './debtor-plans.ts'
export { findPlanFigures, type PlanFigures } from './offers/plan-figures.ts'
export { billInstalments, performPlanRun } from './plan-run.ts'
export { claimDebt, invoiceDebt, type PlannedDebt } from './planned-debt.ts'
export { readPlanOfDebt } from './plans.queries.ts'
export {
  findOwnPlan,
  findOwnPlanLimits,
  requireVersion,
  startOwnPlan,
  type FoundOwnPlan,
  type OwnAgreed,
  type OwnPlanWish,
} from './own-plans.ts'
export { presentOwnPlan } from './present-own-plan.ts'
export { endingPayments, PaymentsUnderWay } from './take-up.ts'
export { findSettings } from './offers/offers.ts'
export { rateAmount } from './offers/present-offer.ts'
export { hasSettings, insertSettingRow } from './offers/settings.queries.ts'

/**
 * An instalment was paid in full, or its case was stopped: when it was the last of its plan, the plan is over and so is
 * what it pays, in the same transaction. `ended` is locked.
 */
export async function completePlanOf(tx: Transaction, ended: InvoiceRow, on: CalendarDate): Promise<void> {
  if (!isInstalment(ended)) return
  const plan = await readPlanOfDebt(tx, ended.instance_id, ended.id)
  if (plan) await completePlan(tx, { instanceId: plan.instance_id, planId: plan.id }, on)
}

/**
 * Locks the plan that completePlanOf may complete: it comes before the accounts that a booking moves, as for the daily run that
 * bills it. `ending` is locked.
 */
export async function lockPlanOf(tx: Transaction, ending: InvoiceRow): Promise<void> {
  if (!isInstalment(ending)) return
  const plan = await readPlanOfDebt(tx, ending.instance_id, ending.id)
  if (plan) await lockPlan(tx, { instanceId: plan.instance_id, planId: plan.id })
}

/** Billed by a plan that runs: what it costs besides is part of the plan. */
export async function isRunningInstalment(tx: Transaction, invoice: InvoiceRow): Promise<boolean> {
  if (!isInstalment(invoice)) return false
  return (await readPlanOfDebt(tx, invoice.instance_id, invoice.id))?.status === 'ACTIVE'
}

function isInstalment({ type }: InvoiceRow): boolean {
  return type === 'PART_INVOICE' || type === 'ONGOING_INVOICE' || type === 'ACCOUNT_INVOICE'
}
