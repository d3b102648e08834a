/** Part payments: what is offered, and the plans that debtors are in. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { OptionsAnswer, PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import type { Context } from '../context.ts'
import { findVisibleInvoice, type InvoiceRow } from '../invoices/invoices.ts'
import type { Connection, Transaction } from '../platform/database.ts'
import type { Language } from '../platform/texts.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import { completePlan } from './end-plan.ts'
import { findOffers } from './offers.ts'
import { readPlanOfInvoice } from './plans.queries.ts'
import { presentOptions } from './present-offer.ts'
import { presentPlan } from './present-plan.ts'
import { withdrawPlan } from './withdraw-plan.ts'
import { repayPlan } from './repay-plan.ts'
import { startPlan, type PlanRequest } from './start-plan.ts'

export { findPlanFigures, type PlanFigures } from './plan-figures.ts'
export { billInstalments, runPlanNight } from './plan-night.ts'
export { hasSettings, insertSettingRow } from './settings.queries.ts'

/** The plans and the account that the viewer's invoice is offered; empty when there are none. */
export async function listPlanOptions(
  context: Context,
  viewer: Viewer,
  { invoiceNumber, language }: { invoiceNumber: string | undefined; language: Language },
): Promise<Loosen<OptionsAnswer>> {
  const invoice = await findVisibleInvoice(context, viewer, invoiceNumber)
  const today = context.clock.today(viewer.instance.timeZone)
  const found = await findOffers(context.db, invoice, today)
  return presentOptions(context, found, { invoice, language })
}

/** Codes of the payment methods that part payment gives an invoice today (D-19). */
export async function planMethods(
  db: Connection,
  invoice: InvoiceRow,
  today: string,
): Promise<('PART_PAYMENT_PLAN' | 'PART_PAYMENT_ACCOUNT')[]> {
  const { offers } = await findOffers(db, invoice, today)
  const isAccount = offers.map(({ setting }) => setting.variant === 'PART_PAYMENT_ACCOUNT')
  return [
    ...(isAccount.includes(false) ? (['PART_PAYMENT_PLAN'] as const) : []),
    ...(isAccount.includes(true) ? (['PART_PAYMENT_ACCOUNT'] as const) : []),
  ]
}

/** Starts the plan that was chosen and shows it. The same call again shows it again (start-plan.ts). */
export async function startPartPayment(
  context: Context,
  viewer: Viewer,
  { invoiceNumber, request }: { invoiceNumber: string | undefined; request: PlanRequest },
): Promise<Loosen<PlanAnswer>> {
  const { body } = request
  const invoice = await findVisibleInvoice(context, viewer, invoiceNumber ?? body.invoiceNumber)
  // A body that names another invoice than the door opened is somebody else's, or nobody's.
  const isOther = body.id !== undefined && body.id.toLowerCase() !== invoice.id
  const isOtherNumber = body.invoiceNumber !== undefined && body.invoiceNumber !== invoice.invoice_number
  if (isOther || isOtherNumber) throw new Refusal('login_error::invalid_data')
  await startPlan(context, invoice, { request, today: context.clock.today(viewer.instance.timeZone) })
  return showPlan(context, viewer, invoice)
}

/** The plan that the viewer's invoice is in, was in, or is an instalment of. */
export async function getPartPayment(
  context: Context,
  viewer: Viewer,
  invoiceNumber: string | undefined,
): Promise<Loosen<PlanAnswer>> {
  return showPlan(context, viewer, await findVisibleInvoice(context, viewer, invoiceNumber))
}

async function showPlan(context: Context, viewer: Viewer, invoice: InvoiceRow): Promise<Loosen<PlanAnswer>> {
  const plan = await readPlanOfInvoice(context.db, invoice.instance_id, invoice.id)
  if (!plan) throw new Refusal('plan_not_available')
  return presentPlan(context, plan, context.clock.today(viewer.instance.timeZone))
}

/** The debtor pays the rest before its time: one last instalment bills it. */
export async function repayPartPayment(
  context: Context,
  viewer: Viewer,
  invoiceNumber: string | undefined,
): Promise<Loosen<PlanAnswer>> {
  const invoice = await findVisibleInvoice(context, viewer, invoiceNumber)
  const plan = await readPlanOfInvoice(context.db, invoice.instance_id, invoice.id)
  if (!plan) throw new Refusal('plan_not_available')
  await repayPlan(context, {
    instanceId: plan.instance_id,
    planId: plan.id,
    day: context.clock.today(viewer.instance.timeZone),
    language: viewer.instance.language,
  })
  return showPlan(context, viewer, invoice)
}

/** The debtor changes their mind within the time that the law gives. Any of the plan's invoices names it. */
export async function withdrawPartPayment(
  context: Context,
  viewer: Viewer,
  invoiceNumber: string | undefined,
): Promise<Loosen<PlanAnswer>> {
  const invoice = await findVisibleInvoice(context, viewer, invoiceNumber)
  const plan = await readPlanOfInvoice(context.db, invoice.instance_id, invoice.id)
  if (!plan) throw new Refusal('plan_not_available')
  const key = { instanceId: plan.instance_id, planId: plan.id }
  await withdrawPlan(context, key, context.clock.today(viewer.instance.timeZone))
  return showPlan(context, viewer, invoice)
}

/**
 * An instalment was paid in full: when it was the last of its plan, the plan is completed and its invoices are
 * closed, in the same transaction. `paid` is locked.
 */
export async function completePlanOf(tx: Transaction, paid: InvoiceRow, on: CalendarDate): Promise<void> {
  if (!['PART_INVOICE', 'ONGOING_INVOICE', 'ACCOUNT_INVOICE'].includes(paid.type)) return
  const plan = await readPlanOfInvoice(tx, paid.instance_id, paid.id)
  if (plan) await completePlan(tx, { instanceId: plan.instance_id, planId: plan.id }, on)
}
