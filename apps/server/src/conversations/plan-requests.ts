/** A plan of the debtor's own, as it is asked for: within which limits, and what it comes to. */
import { addDays, parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { Amount, parseAmount } from '@kvitt/domain/money.ts'
import { FIRST_DAYS, firstDays, type FirstDays } from '@kvitt/domain/part-payments/own-plan.ts'
import {
  claimDebt,
  findOwnPlan,
  findOwnPlanLimits,
  invoiceDebt,
  type FoundOwnPlan,
  type OwnPlanWish,
  type PlannedDebt,
} from '../part-payments/part-payments.ts'
import type { Connection } from '../platform/database/database.ts'
import { readBounds, type RequestsBefore } from './requests.queries.ts'
import type { AskedDebt } from './visible-debt.ts'

/** As a plan takes it: what rests for a request goes on before. */
export function plannableDebt({ invoice, claim }: AskedDebt): PlannedDebt {
  if (!claim) return invoiceDebt(invoice)
  return claimDebt(claim.status === 'PAUSED' ? { ...claim, status: 'RESUME' } : claim)
}

/** What a plan of the debtor's own may be; undefined where none can be proposed. */
export async function planLimits(db: Connection, debt: AskedDebt, today: CalendarDate) {
  const limits = await findOwnPlanLimits(db, plannableDebt(debt), today)
  return (
    limits && {
      ...firstDays(today),
      least: new Amount(limits.least.minor),
      below: new Amount(limits.below.minor),
    }
  )
}

/** What is named of a plan, as it was sent. */
export type SentWish = {
  readonly amount?: string | number | null | undefined
  readonly day?: string | null | undefined
}

/** The wish as it was sent, with its first day within `days`. Refuses `day_out_of_reach`, `amount_malformed`. */
export function readWish({ amount, day }: SentWish, debt: AskedDebt, days: FirstDays): OwnPlanWish {
  const firstDay = parseDate(day ?? '')
  const minor = parseAmount(String(amount ?? ''), (debt.claim ?? debt.invoice).currency)?.minor
  if (!firstDay || firstDay < days.from || firstDay > days.to)
    throw new Refusal('day_out_of_reach', { from: days.from, to: days.to }, ['day'])
  if (minor === undefined) throw new Refusal('amount_malformed', {}, ['amount'])
  return { monthlyMinor: minor, firstDay }
}

/** Refuses `day_out_of_reach`: the day of the first instalment has come while nobody answered. */
export function requireAhead({ firstDay }: OwnPlanWish, today: CalendarDate): void {
  if (firstDay > today) return
  const days = { from: addDays(today, FIRST_DAYS.soonest), to: addDays(today, FIRST_DAYS.latest) }
  throw new Refusal('day_out_of_reach', days, ['day'])
}

/** What of a plan must not grow between what the debtor sees and what the creditor accepts. */
export function figuresShown({ plan, setting }: FoundOwnPlan) {
  const { instalments, creditCost } = plan
  return { setting: setting.code, totalCostMinor: creditCost.minor, instalments: instalments.length }
}

/** What a wish comes to for a debt that may be resting. As findOwnPlan. */
export const findPlanOf = (
  db: Connection,
  debt: AskedDebt,
  of: { readonly wish: OwnPlanWish; readonly today: CalendarDate },
): Promise<FoundOwnPlan> => findOwnPlan(db, plannableDebt(debt), of)

/**
 * Does the creditor agree without being asked? As far as its bounds go, where it offers a plan as long itself, soon enough, and as
 * long as nobody has decided about one before.
 */
export async function isAgreedByRule(
  db: Connection,
  debt: AskedDebt,
  { found, before }: { readonly found: FoundOwnPlan; readonly before: RequestsBefore },
): Promise<boolean> {
  const { instance_id: instanceId, creditor_id: creditorId } = debt.claim ?? debt.invoice
  const { planMonths } = await readBounds(db, { instanceId, creditorId })
  const { plan, isCovered, wish, today } = found
  const isSoon = wish.firstDay <= addDays(today, FIRST_DAYS.atOnce)
  return isCovered && isSoon && !before.plan_decided && plan.instalments.length <= planMonths
}
