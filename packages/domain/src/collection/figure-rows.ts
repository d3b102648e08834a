/** How the dated figures of a country are written: its rates, fees and ceilings, each with its first day and its source. */
import type { Bucket } from '../ledger/booking.ts'

export type DebtorKind = 'consumer' | 'business'

/** `upToMinor` null has no upper limit; the first band that holds the principal counts. */
export type Band = {
  readonly upToMinor: number | null
  readonly feeMinor: number
  readonly assumed?: boolean | undefined
}

/** Holds from `from` (null: as long as the product knows) until the next row. */
export type FeeRow = {
  readonly from: string | null
  readonly bands: readonly Band[]
  readonly source: string
  readonly assumed?: boolean | undefined
}

export type FeeParams = {
  /** Newest last; none when the fee exists but no amount is known. */
  readonly rows: readonly FeeRow[]
  /** May only be charged when it was agreed before the debt arose. */
  readonly needsAgreement?: boolean
  /**
   * What was charged on the debt before counts towards it: only what exceeds that. So late payment compensation takes
   * the place of what the collection of the same debt may cost.
   */
  readonly lessCharged?: boolean
  /** Set anew each half-year: a row that is not assumed says nothing about the half-year after. */
  readonly halfYearly?: boolean
  /** Only of debts that fell due on this day or later: before, no law gave it. */
  readonly fellDueFrom?: string
  /** How often the whole fee may be charged on one debt; once when not given. */
  readonly atMost?: number
  /** What the second step of the type costs, as a part of the first. */
  readonly again?: { readonly times: number; readonly over: number }
}

export type RateRow = {
  readonly from: string
  readonly consumer: string
  readonly business: string
  readonly assumed?: boolean | undefined
  /** Of a row that was entered; the product's have one source together. */
  readonly source?: string
}

/**
 * A law that raised the rate, and left the old one to what had fallen due before it: those debts bear so many points less than
 * the rows say, on every day. What fell due before `fellDueFrom` goes by a law that is not here.
 */
type OlderDebts = {
  readonly fellDueFrom: string
  readonly fellDueBefore: string
  readonly less: Readonly<Record<DebtorKind, string>>
  readonly source: string
}

/** From a day on until the next one. One of the rates: as so much over the reference rate, or as it is. */
export type CreditCapRow = {
  readonly source: string
  readonly from: string
  readonly overReference?: string
  readonly percent?: string
  /** Fees and interest come to no more than the credit itself. */
  readonly costAtMostCredit: boolean
}

export type CountryParams = {
  readonly currency: string
  /** The order in which a payment settles what is owed, unless the debtor has said another. */
  readonly allocationOrder: readonly Bucket[]
  /** Whole yearly percentages, set each half-year. */
  readonly rates: {
    readonly source: string
    /** What the law adds to the rate that is published; nothing where that is the late interest rate itself. */
    readonly margin: Readonly<Record<DebtorKind, string>>
    readonly olderDebts?: OlderDebts
    readonly rows: readonly RateRow[]
  }
  /** The most that a consumer credit may cost. */
  readonly creditCaps?: readonly CreditCapRow[]
  /** The most that all costs of one debt may come to. */
  readonly costCap?: Readonly<Partial<Record<DebtorKind, readonly FeeRow[]>>>
  /** By step type; a step that is not here is free. */
  readonly fees: Readonly<Record<DebtorKind, Readonly<Partial<Record<string, FeeParams>>>>>
}

/** What the product knows, or that with what has been entered at one provider. By country. */
export type Figures = Readonly<Record<string, CountryParams>>
