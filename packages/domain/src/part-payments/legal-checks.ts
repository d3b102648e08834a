/** What the law makes of a setting before it is offered, in facts that a person is told in words. Nothing here decides: offersFor does. */
import type { CalendarDate } from '../calendar.ts'
import { creditCapOn, type Law } from '../collection/country-params.ts'
import { money, percentOf, type Currency } from '../money.ts'
import { isLawful, planFor, type OfferQuestion, type PlanSetting } from './offer.ts'

export const LEGAL_CHECKS = [
  /** It costs nothing: no ceiling is needed. */
  'free',
  'rate_within',
  /** Consumers are not offered it. */
  'rate_above',
  /** Consumers are not offered it until the ceiling is known. */
  'ceiling_unknown',
  /** The ceiling is only assumed, and would be none where debts are real. */
  'ceiling_assumed',
  'cost_within',
  /** Not at every balance below one: where interest and fees come to more than the credit, consumers are not offered it. */
  'cost_above_below',
  'cost_above',
  /** The law sets no limit to interest and fees together. */
  'cost_unlimited',
  /** It costs something and no tick is asked for. */
  'no_tick',
  /** It costs something, and the debtor cannot open the terms where it is chosen. */
  'no_terms',
] as const
export type LegalCheckCode = (typeof LEGAL_CHECKS)[number]

export type LegalCheck = {
  readonly country: string
  readonly code: LegalCheckCode
  /** The highest rate, in percent. */
  readonly ceiling?: string
  /** About the balance below which it is left out somewhere, in minor units, to a whole unit. */
  readonly belowMinor?: number
}

export type LegalPlace = Law & { readonly country: string; readonly day: CalendarDate }

/** Up to here is looked whether the cost falls below the credit. */
const LARGEST_MINOR = 100_000_000

const asksFor = (setting: PlanSetting, place: LegalPlace, minor: number): OfferQuestion => ({
  ...place,
  balance: money(minor, setting.currency as Currency),
  debtorKind: 'consumer',
})

const isAllowed = (setting: PlanSetting, place: LegalPlace, minor: number): boolean => {
  const question = asksFor(setting, place, minor)
  return isLawful(setting, planFor(setting, question.balance), question)
}

/** The first balance that is asked about, in whole units. */
const firstOf = ({ smallestBalanceMinor, months }: PlanSetting): number =>
  Math.ceil(Math.max(100, smallestBalanceMinor, (months ?? 1) * 100) / 100)

/** So many whole units above the least balance are looked at one by one: at least, and at most. */
const LOOKED_AT = { least: 64, most: 256 }

/**
 * The least balance, in whole units, from which the cost is at most the credit. Undefined where even the largest balance costs more.
 * A binary search finds it roughly. Payments of an account are rounded to whole units, so the cost goes up and down near it: every balance up
 * to a hundredth above is tried, and the answer is above the last that is refused. A single balance above that may still be refused, which the
 * text says.
 */
function leastAllowed(setting: PlanSetting, place: LegalPlace): number | undefined {
  const first = firstOf(setting)
  const isAllowedAt = (units: number): boolean => isAllowed(setting, place, units * 100)
  let least = Math.max(first, LARGEST_MINOR / 100)
  if (!isAllowedAt(least)) return undefined
  let tooSmall = first - 1
  if (isAllowedAt(first)) least = first
  while (least - tooSmall > 1) {
    const middle = Math.floor((least + tooSmall) / 2)
    if (isAllowedAt(middle)) least = middle
    else tooSmall = middle
  }
  const near = Math.min(Math.max(Math.ceil(least / 100), LOOKED_AT.least), LOOKED_AT.most)
  for (let units = least + near; units > least; units -= 1) {
    if (!isAllowedAt(units)) return (units + 1) * 100
  }
  return least * 100
}

/**
 * Does it cost nothing, whatever the balance is? Interest that would begin when all is paid is none. Of an account each payment is rounded to
 * a whole unit, which weighs most where the balance is least: what is paid off there in the free months is paid off in them everywhere.
 */
export function costsNothing(setting: PlanSetting): boolean {
  if (setting.startFeeMinor > 0 || setting.monthlyFeeMinor > 0) return false
  if (Number(setting.percent) === 0) return true
  const free = Math.floor(setting.interestFreeDays / 30)
  if (setting.months !== null) return free >= setting.months
  const balance = money(firstOf(setting) * 100, setting.currency as Currency)
  const least = percentOf(balance, setting.thresholdPercent ?? '100', 'half-up').minor - 50
  return free * least >= balance.minor
}

/** What is to be said of the setting in one country, for a consumer. A company's plan has no ceiling. */
export function legalChecks(setting: PlanSetting, place: LegalPlace): LegalCheck[] {
  const { country, day, figures } = place
  const cap = creditCapOn(country, day, place)
  // As isLawful has it: a rate above a ceiling that is known is left out, also where it is never charged.
  if (costsNothing(setting) && !(cap && Number(setting.percent) > Number(cap.percent)))
    return [{ country, code: 'free' }]
  const shown: LegalCheck[] = [
    ...(setting.legalVisible ? [] : [{ country, code: 'no_tick' } as const]),
    ...(setting.termsVisible ? [] : [{ country, code: 'no_terms' } as const]),
  ]
  if (!cap) return [{ country, code: 'ceiling_unknown' }, ...shown]
  const { percent: ceiling } = cap
  const isKnown = figures === undefined || creditCapOn(country, day, { isLive: true, figures }) !== undefined
  const assumed: LegalCheck[] = isKnown ? [] : [{ country, code: 'ceiling_assumed', ceiling }]
  if (Number(setting.percent) > Number(ceiling))
    return [{ country, code: 'rate_above', ceiling }, ...assumed, ...shown]
  return [
    { country, code: 'rate_within', ceiling },
    ...assumed,
    costCheck(setting, place, cap.costAtMostCredit),
    ...shown,
  ]
}

function costCheck(setting: PlanSetting, place: LegalPlace, isLimited: boolean): LegalCheck {
  const { country } = place
  if (!isLimited) return { country, code: 'cost_unlimited' }
  const least = leastAllowed(setting, place)
  if (least === undefined) return { country, code: 'cost_above' }
  return least <= firstOf(setting) * 100
    ? { country, code: 'cost_within' }
    : { country, code: 'cost_above_below', belowMinor: least }
}

export const WHY_NOT_OFFERED = [
  'not_offered',
  /** The creditor does not take this way to pay. */
  'method_not_taken',
  'other_currency',
  'below_smallest',
  'below_months',
  'ceiling_unknown',
  'rate_above',
  'cost_above_credit',
  /** A debtor is offered one account, and another is cheaper. */
  'other_account',
] as const
export type WhyNotOffered = (typeof WHY_NOT_OFFERED)[number]

/** Why offersFor leaves a setting out; undefined when it does not. */
export function whyNotOffered(setting: PlanSetting, question: OfferQuestion): WhyNotOffered | undefined {
  const { balance, country, day } = question
  if (setting.currency !== balance.currency) return 'other_currency'
  if (balance.minor < Math.max(1, setting.smallestBalanceMinor)) return 'below_smallest'
  if (setting.months !== null && balance.minor < setting.months) return 'below_months'
  if (isLawful(setting, planFor(setting, balance), question)) return undefined
  const cap = creditCapOn(country, day, question)
  if (!cap) return 'ceiling_unknown'
  return Number(setting.percent) > Number(cap.percent) ? 'rate_above' : 'cost_above_credit'
}
