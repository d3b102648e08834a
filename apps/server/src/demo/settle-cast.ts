/** What the operator takes of the cast's creditors, and the settlements of the months that have ended. */
import { addDays, addMonths } from '@kvitt/domain/calendar.ts'
import { periodOf } from '@kvitt/domain/settlements/settlement.ts'
import { enterAgreement, makeSettlements } from '../settlements/settlements.ts'
import { onDay, type Stage } from './acts.ts'

/** Before anything of the cast happened. */
const AGREED_BEFORE_DAYS = 400
const MONTHS = 3

const AGREED = {
  invoiceCommissionBp: 150,
  claimCommissionBp: 800,
  currency: 'SEK',
  paymentPriceMinor: 200,
  casePriceMinor: 4_500,
  vatBp: 2_500,
  period: 'MONTH' as const,
  smallestPayoutMinor: 10_000,
  source: 'Agreement of 2025, section 6',
  by: 'person:the demo',
}

export async function agreeWithCast(stage: Stage): Promise<void> {
  const { context, instance, cast } = stage
  const from = addDays(context.clock.today(instance.timeZone), -AGREED_BEFORE_DAYS)
  for (const { name } of cast.creditors)
    await enterAgreement(onDay(stage, from), instance, { ...AGREED, from, creditor: name })
}

export async function settleCast(stage: Stage): Promise<void> {
  const { context, instance } = stage
  const today = context.clock.today(instance.timeZone)
  // Month by month, as the job would have made them.
  const { from: thisMonth } = periodOf(today, 'MONTH')
  for (let ago = MONTHS - 1; ago >= 0; ago--) {
    const day = addMonths(thisMonth, -ago)
    await makeSettlements(onDay(stage, day), instance, day)
  }
}
