/**
 * What of a debt's charges still has its ground when all money counts from the day on which it was on the account. The
 * story of the debt is told again in that order, and each step of the schedule is asked again what it may charge. The
 * answer depends on the facts alone, not on the order in which they were heard of.
 */
import { addDays, type CalendarDate } from '../calendar.ts'
import type { InterestPeriod } from '../collection/interest-periods.ts'
import {
  isInterestBilled,
  PARTS_OF_MINOR,
  partsOfDays,
  postedOf,
  roundedParts,
} from '../collection/interest-posting.ts'
import type { StepType } from '../collection/schedule-table.ts'
import { isFreeOnLittle } from '../collection/step-guards.ts'
import { isSmallRemainder, stopsFees } from '../invoices/small-remainder.ts'
import { money, type Currency } from '../money.ts'
import { ALLOCATION_ORDER, type Bucket } from './booking.ts'
import {
  COMING,
  factsOf,
  inOrder,
  type Charge,
  type ComingMoney,
  type Fact,
  type StepFact,
  type StoryEvent,
} from './debt-story.ts'
import type { ChargeReversal } from './charge-reversals.ts'
import { addBack, StandingCharges } from './standing-charges.ts'

/** By what a step of the debt charges. */
export type StoryTerms = {
  readonly currency: Currency
  readonly order: readonly Bucket[]
  /** What a claim began with: too little to post, or left over, when its invoices joined it. In PARTS_OF_MINOR. */
  readonly openingParts: number
  /** Of the principal, what is itself interest and bears none. */
  readonly interestFreeMinor: number
  /** What the law allows for a step on that day, when so much is owed and was charged; undefined when nobody knows. */
  readonly feeOf: (
    step: { readonly stepId: string; readonly type: StepType; readonly day: CalendarDate },
    debt: { readonly principalMinor: number; readonly chargedMinor: number },
  ) => number | undefined
  readonly reminderFeeOf: (day: CalendarDate, principalMinor: number) => number
  /** All interest up to this day was waived: no posting counts these days again. */
  readonly interestWaivedTo?: CalendarDate | undefined
}

/** Principal before and after money came, in minor units. */
export type Moved = { readonly wasMinor: number; readonly isMinor: number }

export type Restated = {
  /** What of each charge is to be taken back. */
  readonly backs: readonly ChargeReversal[]
  /** The last postings of interest, whose days are to be counted anew; the first of them first. */
  readonly unposted: readonly string[]
  /** What the postings that stay have left over, in PARTS_OF_MINOR. */
  readonly restParts: number
  /** What each payment in the books did to the principal, by its cause, and from which day it counts. */
  readonly payments: ReadonlyMap<string, Moved & { readonly valueOn: CalendarDate }>
  /** What of the principal each payment that was taken back looked as if it had paid, and until which day. */
  readonly lookedPaid: ReadonlyMap<
    string,
    Moved & { readonly valueOn: CalendarDate; readonly until: CalendarDate }
  >
  readonly coming: Moved & {
    /** What stays open of these beside it: charged since its day, and not paid by other money since. */
    readonly openCostsMinor: number
    readonly openInterestMinor: number
  }
}

const NONE = 0n

/** Money settles in the order of its country. */
const ORDERS: Readonly<Record<string, readonly Bucket[]>> = {
  credit: ['principal', 'interest', 'costs'],
  'written-off': ALLOCATION_ORDER,
}

/** What is owed when so much of it has been settled in an order. */
function restAfter(
  minor: number,
  owed: Readonly<Record<Bucket, number>>,
  order: readonly Bucket[],
): Record<Bucket, number> {
  const rest = { ...owed }
  let left = minor
  for (const bucket of order) {
    const part = Math.min(left, rest[bucket])
    rest[bucket] -= part
    left -= part
  }
  return rest
}

/** One debt as its story goes on. */
class Telling {
  readonly backs: ChargeReversal[] = []
  readonly #standing = new StandingCharges()
  readonly payments = new Map<string, Moved & { readonly valueOn: CalendarDate }>()
  readonly lookedPaid = new Map<
    string,
    Moved & { readonly valueOn: CalendarDate; readonly until: CalendarDate }
  >()
  unposted: string[] = []
  #owed: Record<Bucket, number> = { principal: 0, costs: 0, interest: 0 }
  #hasPaid = false
  #chargedMinor = 0
  /** Left over by the postings that stay, and what those that went had counted since. */
  #rest: bigint
  #waiting = NONE
  readonly #terms: StoryTerms
  readonly #principals: { readonly from: CalendarDate; readonly minor: number }[] = []
  /** What of the principal credits have taken. */
  readonly #credited: { readonly from: CalendarDate; readonly minor: number }[] = []

  constructor(terms: StoryTerms) {
    this.#terms = terms
    this.#rest = BigInt(terms.openingParts)
  }

  get restParts(): number {
    return Number(this.#rest)
  }

  get openCostsMinor(): number {
    return this.#owed.costs
  }

  get openInterestMinor(): number {
    return this.#owed.interest
  }

  tell(fact: Fact): void {
    if (fact.kind === 'step') return this.#perform(fact)
    if (fact.kind === 'looked-paid') {
      const isMinor = restAfter(fact.minor, this.#owed, this.#terms.order).principal
      const { day: valueOn, until } = fact
      this.lookedPaid.set(fact.cause, { wasMinor: this.#owed.principal, isMinor, valueOn, until })
      return
    }
    if (fact.kind === 'owed') {
      for (const bucket of ['principal', 'costs', 'interest'] as const)
        this.#owed[bucket] = Math.max(0, this.#owed[bucket] + fact.parts[bucket])
      return this.#keepPrincipal(fact.day)
    }
    const wasMinor = this.#owed.principal
    this.#settle(fact.minor, ORDERS[fact.kind] ?? this.#terms.order)
    if (fact.kind === 'credit') {
      this.#credited.push({ from: addDays(fact.day, 1), minor: wasMinor - this.#owed.principal })
      this.#credit(fact.minor)
    }
    if (fact.kind === 'money') {
      this.#hasPaid = true
      const isLittle = isSmallRemainder(money(this.#balance, this.#terms.currency))
      if (isLittle) this.#owed = { principal: 0, costs: 0, interest: 0 }
      this.payments.set(fact.cause, { wasMinor, isMinor: this.#owed.principal, valueOn: fact.day })
    }
    this.#keepPrincipal(addDays(fact.day, 1))
  }

  /** The days up to now bear nothing more, whatever becomes of the postings that counted them. */
  waiveInterest(): void {
    this.#rest = NONE
    this.#waiting = NONE
    this.unposted = []
  }

  get #balance(): number {
    return this.#owed.principal + this.#owed.costs + this.#owed.interest
  }

  #settle(minor: number, order: readonly Bucket[]): void {
    this.#owed = restAfter(minor, this.#owed, order)
  }

  /**
   * Less principal is a charge's ground when money had come before: a credit that leaves nothing of it takes the charge back (M-05), also
   * where it was heard of first. What was paid of the charge pays what else is owed.
   */
  #credit(minor: number): void {
    for (const gone of this.#standing.credit(minor)) {
      const { bucket, minor: goneMinor } = gone
      const paidMinor = Math.max(0, goneMinor - this.#owed[bucket])
      this.#owed[bucket] -= goneMinor - paidMinor
      this.#settle(paidMinor, ALLOCATION_ORDER)
      if (bucket === 'costs') this.#chargedMinor -= goneMinor
      addBack(this.backs, gone)
    }
  }

  #keepPrincipal(from: CalendarDate): void {
    this.#principals.push({ from, minor: this.#owed.principal })
  }

  #perform(step: StepFact): void {
    const { interest } = step
    if (interest) this.#waiting += this.#partsOf(interest.periods)
    const feeMinor = this.#feeOf(step)
    this.#charge(step.fee, 'costs', feeMinor ?? 0)
    if (!interest) return
    const parts = this.#rest + this.#waiting
    const posted = postedOf(parts)
    const isGone = feeMinor === undefined || (posted.amountMinor === 0 && step.type !== 'COLLECTION')
    if (isGone && interest.waivedMinor === 0) {
      this.#charge(interest, 'interest', 0)
      this.unposted.push(step.stepId)
      return
    }
    const kept = isGone ? this.#keptOf(interest, { parts, isPerformed: feeMinor !== undefined }) : posted
    this.#charge(interest, 'interest', kept.amountMinor)
    this.#rest = kept.restParts
    this.#waiting = NONE
    this.unposted = []
  }

  /**
   * A posting of which a part was waived stays: its days would else be counted again as if nothing had been. When its step would not have
   * been performed, what is too little to bill by itself is let be.
   */
  #keptOf(
    { standingMinor }: Charge,
    { parts, isPerformed }: { readonly parts: bigint; readonly isPerformed: boolean },
  ): { readonly amountMinor: number; readonly restParts: bigint } {
    const minor = roundedParts(parts)
    const isAsked = isPerformed || isInterestBilled(Math.min(minor, standingMinor), this.#terms.currency)
    return isAsked
      ? { amountMinor: minor, restParts: parts - BigInt(minor) * BigInt(PARTS_OF_MINOR) }
      : { amountMinor: 0, restParts: NONE }
  }

  /** What the step may cost; undefined when it would not have been performed. */
  #feeOf({ stepId, type, day }: StepFact): number | undefined {
    if (this.#balance <= 0) return undefined
    const { currency, feeOf, reminderFeeOf } = this.#terms
    const { principal } = this.#owed
    const rest = money(this.#balance, currency)
    const isLittle = this.#hasPaid && stopsFees(rest, reminderFeeOf(day, principal))
    if (isLittle) return isFreeOnLittle(type) ? 0 : undefined
    const debt = { principalMinor: principal, chargedMinor: this.#chargedMinor }
    return feeOf({ stepId, type, day }, debt) ?? Number.POSITIVE_INFINITY
  }

  /** What loses its ground is first what was waived: that is not owed back. */
  #charge(charge: Charge | undefined, bucket: 'costs' | 'interest', mostMinor: number): void {
    if (!charge) return
    const minor = Math.min(charge.standingMinor, mostMinor)
    this.#owed[bucket] += minor
    if (bucket === 'costs') this.#chargedMinor += Math.min(mostMinor, minor + charge.waivedMinor)
    const { cause, standingMinor } = charge
    this.#standing.keep({ cause, bucket, minor, groundMinor: this.#owed.principal })
    if (standingMinor > minor) addBack(this.backs, { cause, bucket, minor: standingMinor - minor })
  }

  /** What a credit has taken bears no interest for any day, also before the credit. */
  #principalOn(day: CalendarDate): number | undefined {
    const owedMinor = this.#principals.findLast((one) => one.from <= day)?.minor
    if (owedMinor === undefined) return undefined
    const later = this.#credited.filter(({ from }) => from > day)
    return later.reduce((minor, credit) => minor - credit.minor, owedMinor)
  }

  /** Interest of the days of a posting on what was really owed on each, in PARTS_OF_MINOR. */
  #partsOf(periods: readonly InterestPeriod[]): bigint {
    let parts = NONE
    for (const { principalMinor, percent, from, to } of periods) {
      const starts = this.#principals.map((one) => one.from).filter((day) => day > from && day <= to)
      const days = [...new Set([from, ...starts])].sort()
      for (const [index, day] of days.entries()) {
        const last = days[index + 1] ? addDays(days[index + 1] as CalendarDate, -1) : to
        const owedMinor = this.#principalOn(day) ?? principalMinor
        const bearing = Math.max(0, owedMinor - this.#terms.interestFreeMinor)
        parts += partsOfDays(Math.min(principalMinor, bearing), percent, { from: day, to: last })
      }
    }
    return parts
  }
}

/**
 * Tells the story of a debt again with the money that is about to be booked. Undefined when it cannot be told without a
 * person. Never answers that more is owed than was charged.
 */
export function restate(
  events: readonly StoryEvent[],
  coming: ComingMoney,
  terms: StoryTerms,
): Restated | undefined {
  const facts = factsOf(events)
  if (!facts) return undefined
  const telling = new Telling(terms)
  const { interestWaivedTo: waivedTo } = terms
  const story = inOrder(facts, coming)
  const waivedAt = waivedTo === undefined ? -1 : story.findLastIndex(({ day }) => day <= waivedTo)
  for (const [index, fact] of story.entries()) {
    telling.tell(fact)
    if (index === waivedAt) telling.waiveInterest()
  }
  const { backs, unposted, restParts, payments, lookedPaid, openCostsMinor, openInterestMinor } = telling
  const { wasMinor, isMinor } = payments.get(COMING) ?? { wasMinor: 0, isMinor: 0 }
  payments.delete(COMING)
  return {
    backs,
    unposted,
    restParts,
    payments,
    lookedPaid,
    coming: { wasMinor, isMinor, openCostsMinor, openInterestMinor },
  }
}
