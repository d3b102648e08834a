/** A plan as the wire has it. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import { debtId } from '@kvitt/domain/ledger/booking.ts'
import { Amount, money } from '@kvitt/domain/money.ts'
import type { PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { instalmentsToBill } from '@kvitt/domain/part-payments/to-bill.ts'
import type { Context } from '../context.ts'
import {
  readInstalments,
  readLeftToBill,
  readMembers,
  type InstalmentRow,
  type PlanRow,
} from './plans.queries.ts'
import { documentLinks } from './offers/present-offer.ts'
import { readSetting } from './offers/settings.queries.ts'

function amountOf(row: InstalmentRow): number {
  return row.principal_minor + row.interest_minor + row.fee_minor + row.start_fee_minor
}

/** The plan with all its instalments, those to come as they will be billed of what is left today (D-29). */
export async function presentPlan(
  context: Context,
  plan: PlanRow,
  { today, session }: { readonly today: CalendarDate; readonly session: string | undefined },
): Promise<Loosen<PlanAnswer>> {
  const [setting, planned, members, leftMinor] = await Promise.all([
    readSetting(context.db, plan.instance_id, plan.setting_id),
    readInstalments(context.db, plan),
    readMembers(context.db, plan),
    readLeftToBill(context.db, plan),
  ])
  if (!setting) throw new Error(`plan ${plan.id} has no terms`)
  const left = money(plan.status === 'ACTIVE' ? leftMinor : 0, plan.currency)
  const toCome = planned.filter((row) => row.invoice_id === null)
  const rows = [
    ...planned.filter((row) => row.invoice_id !== null),
    ...instalmentsToBill(toCome, { left, percent: setting.percent }),
  ]
  return {
    id: plan.id,
    status: plan.status,
    code: setting.code,
    variant: setting.variant,
    annuity: setting.months,
    currency: plan.currency,
    startDate: plan.started_on,
    endDate: plan.ended_on,
    withdrawUntil: plan.withdraw_until,
    canWithdraw: plan.status === 'ACTIVE' && plan.withdraw_until !== null && today <= plan.withdraw_until,
    creditAmount: new Amount(plan.amount_minor),
    totalToPay: new Amount(rows.reduce((total, row) => total + amountOf(row), 0)),
    notInvoiced: new Amount(left.minor),
    instalments: rows.map((row) => ({
      number: row.number,
      dueDate: row.due_date,
      amount: new Amount(amountOf(row)),
      principal: new Amount(row.principal_minor),
      interest: new Amount(row.interest_minor),
      fees: new Amount(row.fee_minor + row.start_fee_minor),
      invoiceNumber: row.invoice_number,
      paymentReference: row.payment_reference,
      balance: row.balance_minor === null ? null : new Amount(row.balance_minor),
    })),
    documents: documentLinks(context, {
      debtId: members[0] ? debtId(members[0]) : plan.id,
      settingId: plan.setting_id,
      isConsumer: plan.withdraw_until !== null,
      session,
    }),
  }
}
