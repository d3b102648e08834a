/** What the law makes of a setting before it is offered, in facts that a person is told in words. Nothing here decides: offersFor does. */
import type { CalendarDate } from '../calendar.ts'
import { creditCapOn, type Law } from '../collection/country-params.ts'
import { money, type Currency } from '../money.ts'
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
  /** Below a balance interest and fees come to more than the credit, and consumers are not offered it. */
  'cost_above_below',
  'cost_above',
  /** The law sets no limit to interest and fees together. */
  'cost_unlimited',
  /** It costs something and no tick is asked for. */
  'no_tick',
] as const
export type LegalCheckCode = (typeof LEGAL_CHECKS)[number]

export type LegalCheck = {
  readonly country: string
  readonly code: LegalCheckCode
  /** The highest rate, in percent. */
  readonly ceiling?: string
  /** The balance below which it is left out, in minor units, to a whole unit. */
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

/** The least balance, to a whole unit, from which the cost is at most the credit; undefined where it never is. */
function leastAllowed(setting: PlanSetting, place: LegalPlace): number | undefined {
  const first = Math.ceil(Math.max(100, setting.smallestBalanceMinor, (setting.months ?? 1) * 100) / 100)
  if (isAllowed(setting, place, first * 100)) return first * 100
  let [below, above] = [first, LARGEST_MINOR / 100]
  if (below >= above || !isAllowed(setting, place, above * 100)) return undefined
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2)
    if (isAllowed(setting, place, middle * 100)) above = middle
    else below = middle
  }
  return above * 100
}

const isFree = ({ percent, startFeeMinor, monthlyFeeMinor }: PlanSetting): boolean =>
  Number(percent) === 0 && startFeeMinor === 0 && monthlyFeeMinor === 0

/** What is to be said of the setting in one country, for a consumer. A company's plan has no ceiling. */
export function legalChecks(setting: PlanSetting, place: LegalPlace): LegalCheck[] {
  const { country, day, figures } = place
  if (isFree(setting)) return [{ country, code: 'free' }]
  const tick: LegalCheck[] = setting.legalVisible ? [] : [{ country, code: 'no_tick' }]
  const cap = creditCapOn(country, day, place)
  if (!cap) return [{ country, code: 'ceiling_unknown' }, ...tick]
  const { percent: ceiling } = cap
  const isKnown = figures === undefined || creditCapOn(country, day, { isLive: true, figures }) !== undefined
  const assumed: LegalCheck[] = isKnown ? [] : [{ country, code: 'ceiling_assumed', ceiling }]
  if (Number(setting.percent) > Number(ceiling))
    return [{ country, code: 'rate_above', ceiling }, ...assumed, ...tick]
  return [
    { country, code: 'rate_within', ceiling },
    ...assumed,
    costCheck(setting, place, cap.costAtMostCredit),
    ...tick,
  ]
}

function costCheck(setting: PlanSetting, place: LegalPlace, isLimited: boolean): LegalCheck {
  const { country } = place
  if (!isLimited) return { country, code: 'cost_unlimited' }
  const least = leastAllowed(setting, place)
  if (least === undefined) return { country, code: 'cost_above' }
  const isFromStart =
    least <= Math.ceil(Math.max(100, setting.smallestBalanceMinor, (setting.months ?? 1) * 100) / 100) * 100
  return isFromStart
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
