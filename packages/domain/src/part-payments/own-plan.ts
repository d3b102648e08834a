/** A plan of the debtor's own: an amount a month from a first day on, without interest and fees. */
import { addDays, type CalendarDate } from '../calendar.ts'
import { fraction, money, type Money } from '../money.ts'
import { isLawful, offersFor, type OfferQuestion, type PlanSetting } from './offer.ts'
import { chosenPlan, LONGEST_CHOSEN, type Plan } from './plan.ts'

/** What the debtor names. */
export type OwnWish = { readonly monthly: Money; readonly firstInDays: number }

export type OwnOffer = {
  /** As a setting of its own, of which only the identifier is not there yet. */
  readonly setting: Omit<PlanSetting, 'id'>
  readonly plan: Plan
  /** The creditor offers a plan that is at least as long and costs nothing itself. */
  readonly isCovered: boolean
}

/** What it is called among the creditor's plans. */
export const OWN_PLAN = 'OWN_PLAN'

/** Nothing is charged where the creditor's own plans are not free. */
const FREE: Omit<PlanSetting, 'id' | 'currency' | 'months'> = {
  code: OWN_PLAN,
  variant: 'PART_PAYMENT',
  startFeeMinor: 0,
  monthlyFeeMinor: 0,
  percent: '0',
  interestFreeDays: 0,
  termsDays: 14,
  thresholdPercent: null,
  addToExisting: false,
  legalVisible: false,
  termsVisible: true,
  smallestBalanceMinor: 1,
}

/** On the prices of `base`; undefined when the amount does not pay it off, or the law does not allow what that costs. */
function onTerms(
  base: Omit<PlanSetting, 'id'>,
  wish: OwnWish,
  question: OfferQuestion,
): Pick<OwnOffer, 'setting' | 'plan'> | undefined {
  const { balance } = question
  const plan = chosenPlan({
    balance,
    monthly: wish.monthly,
    firstInDays: wish.firstInDays,
    startFee: money(base.startFeeMinor, balance.currency),
    monthlyFee: money(base.monthlyFeeMinor, balance.currency),
    percent: base.percent,
    interestFreeDays: base.interestFreeDays,
  })
  if (!plan) return undefined
  const setting = {
    ...base,
    code: OWN_PLAN,
    months: plan.instalments.length,
    monthlyMinor: wish.monthly.minor,
    firstInDays: wish.firstInDays,
  }
  return isLawful({ ...setting, id: '' }, plan, question) ? { setting, plan } : undefined
}

/** It costs nothing, and there is no text to agree to. */
const isFree = ({ startFeeMinor, monthlyFeeMinor, percent, legalVisible }: PlanSetting): boolean =>
  startFeeMinor === 0 && monthlyFeeMinor === 0 && fraction(percent).numerator === 0n && !legalVisible

/**
 * What a wish comes to: on the terms of the shortest plan on offer that is free and as long, else on ours. What costs is credit with
 * terms to read and agree to first, which only the creditor's own offers have. Undefined when it is no plan: all of it at once, or an
 * amount that does not pay it off.
 */
export function ownOfferFor(
  settings: readonly PlanSetting[],
  wish: OwnWish,
  question: OfferQuestion,
): OwnOffer | undefined {
  const { balance } = question
  if (wish.monthly.minor <= 0 || wish.monthly.minor >= balance.minor) return undefined
  for (const { setting } of offersFor(settings.filter(isFree), question)) {
    const { id: _, ...base } = setting
    const priced = onTerms(base, wish, question)
    if (priced && base.months !== null && priced.plan.instalments.length <= base.months)
      return { ...priced, isCovered: true }
  }
  const free = onTerms({ ...FREE, currency: balance.currency, months: null }, wish, question)
  return free && { ...free, isCovered: false }
}

/** A plan of a single instalment is none. */
const FEWEST = 2

/**
 * The least amount a month, in whole units of the currency, that pays it off within LONGEST_CHOSEN months. Undefined when it is too
 * little for a plan.
 */
export function leastMonthly(
  settings: readonly PlanSetting[],
  question: OfferQuestion,
  firstInDays: number,
): Money | undefined {
  const { minor: owed, currency } = question.balance
  const pays = (units: number): boolean =>
    ownOfferFor(settings, { monthly: money(units * 100, currency), firstInDays }, question) !== undefined
  let low = Math.max(1, Math.floor(owed / (100 * LONGEST_CHOSEN)))
  let high = Math.ceil(owed / (100 * FEWEST))
  if (high * 100 >= owed || !pays(high)) return undefined
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (pays(middle)) high = middle
    else low = middle + 1
  }
  return money(high * 100, currency)
}

/** Days from today to the first instalment that can be asked for; the nearer of them are agreed to by rule. */
export const FIRST_DAYS = { soonest: 7, latest: 62, atOnce: 31 } as const
/** A creditor's own proposal may begin later. */
const LATEST_COUNTERED = 92
/** Days that a debtor has to answer a creditor's own proposal. */
const DAYS_TO_ANSWER = 14

export type FirstDays = { readonly from: CalendarDate; readonly to: CalendarDate }

export function firstDays(today: CalendarDate): FirstDays {
  return { from: addDays(today, FIRST_DAYS.soonest), to: addDays(today, FIRST_DAYS.latest) }
}

/** Those of a creditor's own proposal. */
export function counteredFirstDays(today: CalendarDate): FirstDays {
  return { from: addDays(today, FIRST_DAYS.soonest), to: addDays(today, LATEST_COUNTERED) }
}

/** The last day on which the debtor can answer it: before the first instalment. */
export function answerCounterBy(today: CalendarDate, firstDay: CalendarDate): CalendarDate {
  const [usual, before] = [addDays(today, DAYS_TO_ANSWER), addDays(firstDay, -1)]
  return usual < before ? usual : before
}
