/** The figures of one plan for one invoice: as agreed, or as offered today. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { money, subtract, type Money } from '@kvitt/domain/money.ts'
import { planFor, type PlanSetting } from '@kvitt/domain/part-payments/offer.ts'
import type { Plan } from '@kvitt/domain/part-payments/plan.ts'
import type { InvoiceRow } from '../invoices/invoices.ts'
import type { Connection } from '../platform/database.ts'
import { findOffers } from './offers.ts'
import { readPlanOfInvoice } from './plans.queries.ts'
import { readSetting } from './settings.queries.ts'

export type PlanFigures = {
  readonly setting: PlanSetting
  readonly plan: Plan
  /** What is paid in instalments. */
  readonly credit: Money
  readonly startedOn: CalendarDate
}

/** Undefined when the invoice neither is in that plan nor is offered it today. */
export async function findPlanFigures(
  db: Connection,
  invoice: InvoiceRow,
  { settingId, today }: { readonly settingId: string; readonly today: string },
): Promise<PlanFigures | undefined> {
  const agreed = await readPlanOfInvoice(db, invoice.instance_id, invoice.id)
  if (agreed?.setting_id === settingId) {
    const setting = await readSetting(db, invoice.instance_id, settingId)
    const credit = money(agreed.amount_minor, agreed.currency)
    return setting && { setting, plan: planFor(setting, credit), credit, startedOn: date(agreed.started_on) }
  }
  const { offers, day } = await findOffers(db, invoice, today)
  const offer = offers.find(({ setting }) => setting.id === settingId)
  if (!offer) return undefined
  const { setting, plan } = offer
  return { setting, plan, credit: subtract(plan.totalToPay, plan.creditCost), startedOn: day }
}
