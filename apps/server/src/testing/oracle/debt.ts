/** One debt while its facts are gone through: what is open in each bucket, what was charged, and on what it bears interest. */
import { currencyOf, feeOf, interestParts, addDays, PARTS, reminderFeeOf, rounded } from './law.ts'
import type { Day, DocumentFact, Fact, FavourName, Owed, StepFact } from './facts.ts'

export type Bucket = keyof Owed

/** Costs that were charged come first, then interest, then what was bought. */
const PAID_IN_ORDER: readonly Bucket[] = ['costs', 'interest', 'principal']
const CREDITED_IN_ORDER: readonly Bucket[] = ['principal', 'interest', 'costs']

const SMALL_REST: Readonly<Record<string, number>> = { SEK: 2500, NOK: 2500, DKK: 2500, EUR: 250 }
const SMALLEST_POSTING = 100
const SMALLEST_BILL: Readonly<Record<string, number>> = { SEK: 10_000, NOK: 10_000, DKK: 10_000, EUR: 1000 }

/** With these letters the interest up to the day is asked for. */
const COURT = 'BAILIFF_PAYMENT_INJUCTION'
const TELLS_INTEREST = ['REMINDER', 'DELAYED_PENALTY_FEE', 'COLLECTION_CLAIM', COURT]

type Charge = {
  readonly type: string
  readonly on: Day
  costs: number
  interest: number
  /** The principal that it was charged for, and how much of that has been credited since. */
  readonly ground: number
  credited: number
}

export type Settled = Readonly<Record<Bucket, number>> & { readonly surplus: number }

export class Debt {
  open: Record<Bucket, number> = { principal: 0, costs: 0, interest: 0 }
  charges: Charge[] = []
  /** Principal that was owed until its day, besides what is owed now; less than nothing for what looked paid. */
  late: { minor: number; to: Day }[] = []
  /** Interest of all days up to this one has been asked for. */
  toldTo: Day
  /** What the rounding has left over, or what was too little when it joined a claim. */
  rest = 0n
  hasPaid = false
  isHeld = false
  isDisputed = false
  givenUp = 0
  dueOn: Day
  billed = 0
  chargedBefore = 0

  readonly id: string
  /** Of a claim those of its oldest document, by which its law goes. Its last day to pay may be another by now. */
  terms: DocumentFact
  /** So many late payments have been found too little to bill. */
  #letBe = 0
  #paid = 0
  readonly #favour: (name: FavourName, minor: number) => void

  constructor(id: string, terms: DocumentFact, favour: (name: FavourName, minor: number) => void) {
    this.id = id
    this.terms = terms
    this.#favour = favour
    this.toldTo = terms.dueOn
    this.dueOn = terms.dueOn
  }

  get total(): number {
    return this.open.principal + this.open.costs + this.open.interest
  }

  /** Fees and interest that were charged and not taken back, paid or not. */
  charged(bucket: 'costs' | 'interest', type?: string): number {
    const of = this.charges.filter((charge) => type === undefined || charge.type === type)
    return of.reduce((sum, charge) => sum + charge[bucket], 0)
  }

  /** Takes an amount off what is open, in an order. Answers what came off which bucket, and what was too much. */
  settle(minor: number, order: readonly Bucket[] = PAID_IN_ORDER): Settled {
    const off: Record<Bucket, number> = { principal: 0, costs: 0, interest: 0 }
    let left = minor
    for (const bucket of order) {
      off[bucket] = Math.min(left, this.open[bucket])
      this.open[bucket] -= off[bucket]
      left -= off[bucket]
    }
    return { ...off, surplus: left }
  }

  /** Money of a day. What of it is too much is owed back. */
  pay(minor: number, on: Day): Settled {
    const before = this.open.principal
    const off = this.settle(minor)
    this.#paid += minor - off.surplus
    this.hasPaid = true
    this.wasOwedUntil(before - this.open.principal, on)
    return off
  }

  /** The house may give up a small rest once something has been paid. Answers what of it nobody owed: that is owed back. */
  giveUp(minor: number, owedTo: Day): Settled {
    const most = SMALL_REST[currencyOf(this.terms.country)] ?? 0
    if (minor > most || !this.hasPaid) throw new Error(`${minor} of ${this.id} may not be given up`)
    this.#favour('a small rest after a payment is written off', minor)
    const before = this.open.principal
    const off = this.settle(minor)
    this.givenUp += minor
    this.wasOwedUntil(before - this.open.principal, owedTo)
    return off
  }

  /** A person gives up so much. Had that been paid by then, it is owed back. */
  writeOff(minor: number): number {
    this.givenUp += minor
    const { surplus } = this.settle(minor)
    if (this.total === 0) this.dropLate()
    return Math.min(surplus, this.#paid)
  }

  private dropLate(): void {
    this.late = []
    this.#letBe = 0
  }

  /** A person waives charges, the newest first. What was paid of one pays what else is owed; answers what is owed back. */
  waive({ bucket, minor, isAll, on }: Extract<Fact, { kind: 'waived' }>): number {
    let [left, back] = [minor, 0]
    for (const charge of this.charges.toReversed()) {
      const part = Math.min(left, charge[bucket])
      charge[bucket] -= part
      left -= part
      // It has been charged all the same, where the law has a ceiling.
      if (bucket === 'costs') this.chargedBefore += part
      back += this.undoGivenUp(this.settle(this.settle(part, [bucket]).surplus).surplus)
    }
    if (!isAll) return back
    this.toldTo = on
    this.rest = 0n
    this.dropLate()
    return back
  }

  wasOwedUntil(minor: number, to: Day): void {
    if (minor !== 0 && to > this.bearsAfter()) this.late.push({ minor, to })
  }

  bearsAfter(): Day {
    return this.toldTo > this.dueOn ? this.toldTo : this.dueOn
  }

  /** Unrounded interest of the days that nobody has asked it for, up to a day. A day's principal is never below nothing. */
  accrued(to: Day): bigint {
    const owed = [{ minor: this.open.principal, to }, ...this.late.filter((late) => late.to <= to)]
    const ends = [...new Set(owed.map((one) => one.to))].sort()
    let [from, parts] = [addDays(this.bearsAfter(), 1), 0n]
    for (const end of ends) {
      if (end < from) continue
      const minor = owed.filter((one) => one.to >= end).reduce((sum, one) => sum + one.minor, 0)
      if (minor > 0) parts += interestParts(this.terms, { minor, from, to: end })
      from = addDays(end, 1)
    }
    return parts
  }

  /** A letter tells the interest up to its day. Answers how much more is owed by it. */
  tellInterest(on: Day, isSilent = false): number {
    const parts = this.rest + this.accrued(on)
    const minor = rounded(parts)
    if (minor < SMALLEST_POSTING || isSilent) {
      if (minor > 0)
        this.#favour(isSilent ? 'unsent interest waits' : 'interest under 1.00 is not posted', minor)
      return 0
    }
    this.toldTo = on
    this.dropLate()
    this.rest = parts - BigInt(minor) * PARTS
    this.open.interest += minor
    return minor
  }

  /** A letter was sent, or a claim's demand: what it may ask for on top. */
  step({ type, number, on, application, isSilent }: StepFact): void {
    if (this.total <= 0 || this.isHeld || this.isDisputed) return
    if (type === COURT && application === undefined) return
    // Money that was heard of late had left so little by then that the house gives it up: no letter would have been sent.
    if (this.hasPaid && this.total <= (SMALL_REST[currencyOf(this.terms.country)] ?? 0)) return
    const { principal } = this.open
    const isSmall = this.isSmallRest(this.total, on)
    if (isSmall && (this.id !== this.terms.id || type !== 'REMINDER')) return
    const costs = feeOf({
      terms: { ...this.terms, dueOn: this.dueOn },
      type,
      number,
      on,
      principalMinor: principal,
      chargedMinor: this.charged('costs') - this.charged('costs', COURT) + this.chargedBefore,
      before: this.charges.findLast((charge) => charge.type === type)?.on,
    })
    const interest = TELLS_INTEREST.includes(type) ? this.tellInterest(on, isSilent) : 0
    if (isSmall && costs > 0) this.#favour('no further fee on a small rest', costs)
    const asked = isSmall ? 0 : costs
    this.open.costs += asked
    this.charges.push({ type, on, costs: asked, interest, ground: principal, credited: 0 })
  }

  /** Handed over although it is a small rest: the interest that would have been asked for by that is let be. */
  isLetBe(on: Day): boolean {
    if (!this.isSmallRest(this.total, on)) return false
    const minor = rounded(this.rest + this.accrued(on))
    if (minor > 0) this.#favour('no further fee on a small rest', minor)
    return true
  }

  /** So little is left after a payment that nothing more may be charged. */
  private isSmallRest(minor: number, on: Day): boolean {
    if (!this.hasPaid) return false
    const fee = reminderFeeOf(this.terms, on)
    return minor <= Math.max(2 * fee, SMALL_REST[currencyOf(this.terms.country)] ?? 0)
  }

  /** The creditor credits principal; with what is left of no ground goes what was charged for it. Answers what is owed back. */
  credit(minor: number): number {
    const before = this.open.principal
    const { surplus } = this.settle(minor, CREDITED_IN_ORDER)
    this.creditLate(minor - before)
    let back = this.undoGivenUp(surplus)
    for (const charge of this.charges) {
      charge.credited += minor
      if (charge.ground > 0 && charge.credited >= charge.ground) back += this.takeBack(charge)
    }
    return back
  }

  private undoGivenUp(minor: number): number {
    const undone = Math.min(minor, this.givenUp)
    this.givenUp -= undone
    return minor - undone
  }

  /** What was paid of a principal that was never owed was not owed on its days either: the last of it first. */
  private creditLate(minor: number): void {
    let left = minor
    for (const late of this.late.toSorted((a, b) => (a.to < b.to ? 1 : -1))) {
      if (left <= 0) return
      const part = Math.min(left, late.minor)
      late.minor -= part
      left -= part
    }
  }

  /** A charge falls; what was paid of it settles what else is owed, and is owed back beyond that. */
  private takeBack(charge: Charge): number {
    const costs = this.settle(charge.costs, ['costs'])
    const interest = this.settle(charge.interest, ['interest'])
    charge.costs = 0
    charge.interest = 0
    return this.undoGivenUp(this.settle(costs.surplus + interest.surplus).surplus)
  }

  /** The debtor was right: a credit, and all fees and interest so far, also of what has joined. Answers what is owed back. */
  uphold(minor: number, dueOn: Day, members: readonly Debt[]): number {
    const { surplus } = this.settle(minor, CREDITED_IN_ORDER)
    let fees = 0
    for (const debt of [this, ...members]) {
      fees += this.settle(debt.charged('costs') + debt.charged('interest')).surplus
      debt.charges = []
      debt.dropLate()
    }
    if (dueOn > this.dueOn) this.dueOn = dueOn
    return this.undoGivenUp(surplus) + fees
  }

  /** Nothing was owed after all. */
  forgive(): void {
    this.open.costs = 0
    this.open.interest = 0
    this.late = []
    this.billed = 0
  }

  /** Once nothing is owed, what was paid late is billed by itself, if it is worth it. */
  bill(night: Day): void {
    if (this.total > 0 || this.late.length === this.#letBe || this.late.some(({ to }) => to >= night)) return
    const minor = rounded(this.accrued(night))
    if (minor >= (SMALLEST_BILL[currencyOf(this.terms.country)] ?? 0)) {
      this.billed += minor
      this.late = []
      return
    }
    this.#letBe = this.late.length
    if (minor > 0) this.#favour('interest that was paid late is not billed when it is little', minor)
  }
}
