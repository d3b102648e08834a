/** A plan of the debtor's own as the wire has it, before it is agreed to. */
import { Amount, sum } from '@kvitt/domain/money.ts'
import { instalmentDueDate } from '@kvitt/domain/part-payments/part-payment.ts'
import { rateAmount, totalInterest } from './offers/present-offer.ts'
import type { FoundOwnPlan } from './own-plans.ts'

export function presentOwnPlan({ plan, setting, today, version }: FoundOwnPlan) {
  const { instalments, totalToPay, creditCost, monthly } = plan
  const { currency } = totalToPay
  const count = instalments.length
  const dueDate = (number: number) => instalmentDueDate(today, number, setting.firstInDays)
  const fees = sum(
    instalments.map((instalment) => instalment.fees),
    currency,
  )
  return {
    currency,
    creditAmount: new Amount(totalToPay.minor - creditCost.minor),
    instalmentCount: count,
    monthlyAmount: new Amount(monthly.minor),
    firstAmount: new Amount(instalments[0]?.total.minor ?? 0),
    lastAmount: new Amount(instalments[count - 1]?.total.minor ?? 0),
    firstDueDate: dueDate(1),
    lastDueDate: dueDate(count),
    totalToPay: new Amount(totalToPay.minor),
    totalCost: new Amount(creditCost.minor),
    totalInterest: new Amount(totalInterest(plan)),
    totalFees: new Amount(fees.minor),
    effectiveRate: rateAmount(plan.apr),
    offerVersion: version,
  }
}
