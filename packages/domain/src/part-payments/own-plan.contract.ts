/** What a plan of the debtor's own comes to, as it is said before anybody agrees to it. */
import { z } from 'zod'
import { amount, day } from '../contract.ts'

export const ownPlanFigures = z.strictObject({
  currency: z.string(),
  /** What is paid in instalments. */
  creditAmount: amount,
  instalmentCount: z.number().int(),
  /** An ordinary month, the first one (with a start fee) and the last one (with what is left). */
  monthlyAmount: amount,
  firstAmount: amount,
  lastAmount: amount,
  firstDueDate: day,
  lastDueDate: day,
  totalToPay: amount,
  /** Everything beyond the credit: interest and fees. */
  totalCost: amount,
  totalInterest: amount,
  totalFees: amount,
  /** Effective yearly rate in percent with two decimals; null when no rate solves it. */
  effectiveRate: amount.nullable(),
  /** Names exactly these figures; sent back with what agrees to them. */
  offerVersion: z.string(),
})
