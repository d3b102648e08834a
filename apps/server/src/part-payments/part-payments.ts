/** Part payments: what is offered, and the plans that debtors are in. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { InvoiceRow } from '../invoices/invoices.ts'
import type { Transaction } from '../platform/database.ts'
import { completePlan } from './end-plan.ts'
import { readPlanOfDebt } from './plans.queries.ts'

export { planBindings } from './calls.ts'
export { endPlanForCredit, lockRunningPlan } from './credit-plan.ts'
export { getPartPayment, planMethods, startPartPayment } from './debtor-plans.ts'
export { findPlanFigures, type PlanFigures } from './plan-figures.ts'
export { billInstalments, runPlanNight } from './plan-night.ts'
export { claimDebt, invoiceDebt, type PlannedDebt } from './planned-debt.ts'
export { readPlanOfDebt } from './plans.queries.ts'
export { hasSettings, insertSettingRow } from './settings.queries.ts'

/**
 * An instalment was paid in full, or its case was stopped: when it was the last of its plan, the plan is over and so is
 * what it pays, in the same transaction. `ended` is locked.
 */
export async function completePlanOf(tx: Transaction, ended: InvoiceRow, on: CalendarDate): Promise<void> {
  if (!['PART_INVOICE', 'ONGOING_INVOICE', 'ACCOUNT_INVOICE'].includes(ended.type)) return
  const plan = await readPlanOfDebt(tx, ended.instance_id, ended.id)
  if (plan) await completePlan(tx, { instanceId: plan.instance_id, planId: plan.id }, on)
}
