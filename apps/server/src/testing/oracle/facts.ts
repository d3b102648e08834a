/** The bare facts from which the oracle works out what is owed: what people, banks and letters did, and on which day. */

/** `2026-03-31` */
export type Day = string

/** Minor units of one currency. */
type Minor = number

export type DocumentFact = {
  readonly kind: 'document'
  readonly id: string
  readonly debtor: string
  /** Of the creditor: SE, NO, DK, FI. */
  readonly country: string
  readonly debtorKind: 'consumer' | 'business'
  readonly minor: Minor
  readonly sentOn: Day
  readonly dueOn: Day
  /** A reminder fee was agreed before the debt arose. */
  readonly isFeeAgreed: boolean
}

/** A debt is a document, or the claim that documents have joined. */
export type PaymentFact = {
  readonly kind: 'payment'
  readonly id: string
  readonly debt: string
  readonly minor: Minor
  /** The day on which the money was on the account. */
  readonly on: Day
}

export type StepFact = {
  readonly kind: 'step'
  readonly debt: string
  readonly type: string
  /** 1 for the first of its type on this debt. */
  readonly number: number
  readonly on: Day
  /** Of a court step: a person has applied, and this is the case's number. The schedule alone applies for nothing. */
  readonly application?: string
  /** Interest had just been told by a letter that was never sent after all: the next letter tells it. */
  readonly isSilent?: boolean
}

type LetOff = { readonly debt: string; readonly minor: Minor; readonly on: Day }

export type Fact =
  | DocumentFact
  | PaymentFact
  | StepFact
  /** The bank took the money of a payment away again. */
  | { readonly kind: 'taken-back'; readonly payment: string; readonly on: Day }
  /** All that the document owes is owed on the claim from now on. */
  | { readonly kind: 'joined'; readonly document: string; readonly claim: string; readonly on: Day }
  /** What was left after a payment is not worth a letter: given up by the house when it heard of the payment. */
  | {
      readonly kind: 'given-up'
      readonly id: string
      readonly debt: string
      readonly minor: Minor
      readonly on: Day
      /** The day of the payment: until then it was owed. */
      readonly owedTo: Day
    }
  | { readonly kind: 'credit'; readonly document: string; readonly minor: Minor; readonly on: Day }
  | { readonly kind: 'dispute'; readonly debt: string; readonly on: Day }
  | {
      readonly kind: 'answer'
      readonly debt: string
      readonly on: Day
      /** What is credited of a document; null when the creditor stands by the debt. Of a claim `all` alone is answered here. */
      readonly credit: Minor | 'all' | null
      /** The new last day to pay of what is left. */
      readonly dueOn?: Day
    }
  /** A person waived so much of what was charged; `isAll`: also what the days up to then have borne. */
  | ({ readonly kind: 'waived'; readonly bucket: 'costs' | 'interest'; readonly isAll?: boolean } & LetOff)
  | ({ readonly kind: 'written-off' } & LetOff)
  | { readonly kind: 'pause' | 'resume'; readonly debt: string; readonly on: Day }
  /** A night has run: what was paid late and is not owed any more is billed or let be. */
  | { readonly kind: 'night'; readonly on: Day }

export type Owed = { readonly principal: Minor; readonly costs: Minor; readonly interest: Minor }

/** What the debtor is let off by the house's own rules, beyond the law. */
export type FavourName =
  | 'a small rest after a payment is written off'
  | 'interest under 1.00 is not posted'
  | 'unsent interest waits'
  | 'interest that was paid late is not billed when it is little'
  | 'no further fee on a small rest'

export type Favour = { readonly name: FavourName; readonly debt: string; readonly minor: Minor }

export type Verdict = {
  /** By document or claim. */
  readonly owed: ReadonlyMap<string, Owed>
  /** What each debtor has paid too much. */
  readonly owedBack: ReadonlyMap<string, Minor>
  /** Interest billed by itself, by the debt that was paid late. */
  readonly billed: ReadonlyMap<string, Minor>
  readonly favours: readonly Favour[]
}
