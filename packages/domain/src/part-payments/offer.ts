/** Which plans may be offered for an invoice or claim: what stands in the way, and what the law allows. */
import type { CalendarDate } from '../calendar.ts'
import { isOpenClaim, type ClaimStatus } from '../claims/claim.ts'
import { creditCapOn, type DebtorKind, type Law } from '../collection/country-params.ts'
import type { ErrorCode } from '../errors.ts'
import type { InvoiceStatus, InvoiceType } from '../invoices/invoice.ts'
import { compare, fraction, money, type Money } from '../money.ts'
import type { PlanVariant } from './part-payment.ts'
import { accountPlan, annuityPlan, chosenPlan, grownPlan, ongoingPlan, type Plan } from './plan.ts'

/** A plan as an instance or creditor offers it. Amounts are minor units of its currency. */
export type PlanSetting = {
  readonly id: string
  readonly code: string
  readonly variant: PlanVariant
  readonly currency: string
  /** Null for an account: it lasts until it is paid off. */
  readonly months: number | null
  readonly startFeeMinor: number
  readonly monthlyFeeMinor: number
  /** Nominal yearly rate in percent, as text. */
  readonly percent: string
  readonly interestFreeDays: number
  /** Days between an instalment's invoice and its due date. */
  readonly termsDays: number
  /** An account's instalment in percent of its balance. */
  readonly thresholdPercent: string | null
  readonly addToExisting: boolean
  readonly legalVisible: boolean
  readonly termsVisible: boolean
  readonly smallestBalanceMinor: number
  /** Of a plan of the debtor's own, both: what it pays a month in all, and the days from its start to its first instalment. */
  readonly monthlyMinor?: number | null
  readonly firstInDays?: number | null
}

export type SharedFacts = {
  readonly balanceMinor: number
  readonly isPartPayment: boolean
  /** It was in a plan that has ended. One debt, one plan. */
  readonly hadPlan: boolean
  /** A payment is signed but not settled. */
  readonly hasAuthorizedPayment: boolean
}

export type OfferFacts = SharedFacts & {
  readonly type: InvoiceType
  readonly status: InvoiceStatus
  readonly inClaim: boolean
}

const PLANNABLE: readonly InvoiceType[] = ['INVOICE', 'MEMBERSHIP_FEE']

/** Why nothing can be offered (M-20, specification section 5), or undefined when something can. */
export function whyNoPlan(facts: OfferFacts): ErrorCode | undefined {
  if (facts.isPartPayment) return 'already_part_payment'
  if (!PLANNABLE.includes(facts.type) || facts.inClaim || facts.hadPlan) return 'plan_not_available'
  if (facts.status === 'DISPUTED') return 'plan_not_available'
  // All of it is signed for (D-26).
  if (facts.status === 'PENDING_AUTHORIZATION') return 'nothing_to_pay'
  if (facts.hasAuthorizedPayment) return 'payment_in_progress'
  const isOpen = facts.status === 'ACTIVATED' || facts.status === 'PAUSED'
  return isOpen && facts.balanceMinor > 0 ? undefined : 'nothing_to_pay'
}

/** The same for a claim: open and neither paused nor disputed. */
export function whyNoClaimPlan(facts: SharedFacts & { readonly status: ClaimStatus }): ErrorCode | undefined {
  if (facts.isPartPayment) return 'already_part_payment'
  if (facts.hadPlan || facts.status === 'DISPUTED' || facts.status === 'PAUSED') return 'plan_not_available'
  if (facts.hasAuthorizedPayment) return 'payment_in_progress'
  return isOpenClaim(facts.status) && facts.balanceMinor > 0 ? undefined : 'nothing_to_pay'
}

/** What a setting makes of a balance of its currency. */
export function planFor(setting: PlanSetting, balance: Money): Plan {
  const { currency } = balance
  const terms = {
    balance,
    months: setting.months ?? 1,
    startFee: money(setting.startFeeMinor, currency),
    monthlyFee: money(setting.monthlyFeeMinor, currency),
    percent: setting.percent,
    interestFreeDays: setting.interestFreeDays,
  }
  if (setting.monthlyMinor) {
    const monthly = money(setting.monthlyMinor, currency)
    const chosen = { ...terms, monthly, firstInDays: setting.firstInDays ?? 0 }
    return chosenPlan(chosen) ?? grownPlan(chosen)
  }
  if (setting.variant === 'ONGOING_PAYMENT') return ongoingPlan(terms)
  if (setting.variant === 'PART_PAYMENT') return annuityPlan(terms)
  return accountPlan({ ...terms, thresholdPercent: setting.thresholdPercent ?? '100' })
}

/** A ceiling from a rate that is only assumed is none where debts are real. */
export type OfferQuestion = Law & {
  readonly balance: Money
  readonly country: string
  readonly debtorKind: DebtorKind
  readonly day: CalendarDate
}

function exceeds(percent: string, most: string): boolean {
  const [a, b] = [fraction(percent), fraction(most)]
  return a.numerator * b.denominator > b.numerator * a.denominator
}

/**
 * Does the law allow the plan? A consumer pays at most the country's highest rate, and in fees and interest at
 * most as much as the credit itself. Where no ceiling is known for the day, only what costs nothing is offered.
 */
export function isLawful(setting: PlanSetting, plan: Plan, question: OfferQuestion): boolean {
  if (question.debtorKind === 'business') return true
  const cap = creditCapOn(question.country, question.day, question)
  if (!cap) return plan.creditCost.minor === 0
  if (exceeds(setting.percent, cap.percent)) return false
  return !cap.costAtMostCredit || compare(plan.creditCost, question.balance) <= 0
}

export type Offer = { readonly setting: PlanSetting; readonly plan: Plan }

/**
 * The offers among `settings`, shortest first, then cheapest, then by code; last one account, the cheapest: a debtor has one account
 * with a creditor, and is shown one.
 */
export function offersFor(settings: readonly PlanSetting[], question: OfferQuestion): Offer[] {
  const offers = allowedOffers(settings, question)
  const account = offers.find(isAccount)
  return offers.filter((offer) => !isAccount(offer) || offer === account)
}

export const isAccount = ({ setting }: Pick<Offer, 'setting'>): boolean =>
  setting.variant === 'PART_PAYMENT_ACCOUNT'

function allowedOffers(settings: readonly PlanSetting[], question: OfferQuestion): Offer[] {
  const { balance } = question
  return settings
    .filter((s) => s.currency === balance.currency && balance.minor >= Math.max(1, s.smallestBalanceMinor))
    .filter((s) => s.months === null || balance.minor >= s.months)
    .map((setting) => ({ setting, plan: planFor(setting, balance) }))
    .filter(({ setting, plan }) => isLawful(setting, plan, question))
    .sort(
      (a, b) =>
        (a.setting.months ?? 1000) - (b.setting.months ?? 1000) ||
        a.plan.totalToPay.minor - b.plan.totalToPay.minor ||
        (a.setting.code < b.setting.code ? -1 : 1),
    )
}
