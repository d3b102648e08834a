/** A plan's instalments with their days, as rows. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { PlanSetting } from '@kvitt/domain/part-payments/offer.ts'
import { instalmentDueDate, instalmentSendDate, termsOf } from '@kvitt/domain/part-payments/part-payment.ts'
import type { Plan } from '@kvitt/domain/part-payments/plan.ts'
import { newId } from '../platform/identity.ts'
import type { NewInstalment } from './plans.queries.ts'

/** Instalments from `from` on, one a month, after the `billed` ones that the plan has already. */
export function scheduleRows(
  { plan, setting }: { readonly plan: Plan; readonly setting: PlanSetting },
  {
    from,
    billed,
    epochMs,
  }: { readonly from: CalendarDate; readonly billed: number; readonly epochMs: number },
): NewInstalment[] {
  return plan.instalments.map((instalment) => {
    const dueDate = instalmentDueDate(from, instalment.month, setting.firstInDays)
    const termsDays = termsOf(setting, instalment.month)
    const startFee = instalment.month === 1 ? setting.startFeeMinor : 0
    return {
      id: newId(epochMs),
      number: billed + instalment.month,
      send_date: instalmentSendDate(dueDate, { termsDays, startedOn: date(from) }),
      due_date: dueDate,
      principal_minor: instalment.principal.minor,
      interest_minor: instalment.interest.minor,
      fee_minor: instalment.fees.minor - startFee,
      start_fee_minor: startFee,
    }
  })
}
