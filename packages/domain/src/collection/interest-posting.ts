/** When late interest becomes part of the balance, and how much of it (D-28). */
import type { CalendarDate } from '../calendar.ts'
import { type Currency, isCurrency, money } from '../money.ts'
import { COUNTRY_PARAMS, type DebtorKind, ratesBetween } from './country-params.ts'
import { type InterestSegment, lateInterest } from './interest.ts'
import type { StepType } from './schedule-table.ts'

/** Below one krona or euro nothing is posted; the days are counted again at the next posting. */
const SMALLEST_POSTING_MINOR = 100

/** Interest that was paid late is billed from here on, in minor units; below it is dropped. */
const SMALLEST_INVOICE_MINOR: Readonly<Partial<Record<Currency, number>>> = { EUR: 1000 }
const SMALLEST_INVOICE_ELSEWHERE_MINOR = 10_000

const POSTING_STEPS: readonly StepType[] = [
  'REMINDER',
  'DELAYED_PENALTY_FEE',
  'COLLECTION',
  'COLLECTION_CLAIM',
  'BAILIFF_PAYMENT_INJUCTION',
]

/** Is the interest up to the day posted together with this step? Between such steps the balance stands still. */
export function postsInterest(step: StepType): boolean {
  return POSTING_STEPS.includes(step)
}

export type InterestPosting = {
  /** 0 when it is too little to post: then `from` stays where it was for the next posting. */
  readonly amountMinor: number
  readonly segments: readonly InterestSegment[]
  /** A rate in it is not confirmed. */
  readonly assumed: boolean
}

const NOTHING: InterestPosting = { amountMinor: 0, segments: [], assumed: false }

/**
 * Interest on the principal for the days `from` (the day after the due date or after the last posting) to `to`,
 * both counted. Undefined when the rate of one of the days is not known: a person has to enter it first.
 */
export function interestToPost(debt: {
  readonly principalMinor: number
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly country: string
  readonly debtorKind: DebtorKind
}): InterestPosting | undefined {
  const { country, debtorKind, from, to } = debt
  if (debt.principalMinor <= 0 || to < from) return NOTHING
  const rates = ratesBetween(country, debtorKind, { from, to })
  if (!rates) return undefined
  const { interest, segments } = lateInterest({
    principal: money(debt.principalMinor, currencyOf(country)),
    from,
    to,
    rates,
  })
  if (interest.minor < SMALLEST_POSTING_MINOR) return NOTHING
  return { amountMinor: interest.minor, segments, assumed: rates.some(({ assumed }) => assumed) }
}

function currencyOf(country: string): Currency {
  const found = Object.hasOwn(COUNTRY_PARAMS, country) ? COUNTRY_PARAMS[country]?.currency : undefined
  return found && isCurrency(found) ? found : 'EUR'
}

/** Is interest that accrued until a late payment billed as an INTEREST_INVOICE, or dropped? */
export function isInterestBilled(interestMinor: number, currency: Currency): boolean {
  return interestMinor >= (SMALLEST_INVOICE_MINOR[currency] ?? SMALLEST_INVOICE_ELSEWHERE_MINOR)
}
