/** The demo's cast as it is written down: people, and what happened to each invoice, relative to today. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type CastInstance = {
  readonly key: string
  readonly name: string
  readonly country: string
  readonly language: string
  readonly timeZone: string
  readonly identificationNumber: string
  readonly urlAlias: string
  readonly urlDomain: string
  readonly isDefault: boolean
  readonly isProductOwner: boolean
  readonly phone: string
  readonly postalAddress: string
  readonly email: string
  readonly colours: { readonly primary: string; readonly secondary: string; readonly button: string }
  readonly bankgiro: string | null
  readonly logo: string
  readonly loginBackground: string | null
  /** Where money in other currencies than the bankgiro's is paid to. */
  readonly accounts?: readonly {
    readonly currency: string
    readonly accountNumber: string
    readonly bankName: string
    readonly iban: string
    readonly bic: string
  }[]
}

export type CastCreditor = {
  readonly key: string
  readonly name: string
  readonly country: string
  readonly identificationNumber: string | null
  readonly email: string
  readonly phone: string
  readonly address: string
  readonly zip: string
  readonly city: string
  readonly logo: string
  readonly account: {
    readonly scheme: 'BANKGIRO' | 'PLUSGIRO' | 'IBAN' | 'LOCAL'
    readonly accountNumber: string
    readonly receiverName: string
    readonly bankName: string
    readonly iban: string
    readonly bic: string
  }
}

export type CastDebtor = {
  readonly key: string
  readonly kind: 'PERSON' | 'COMPANY'
  readonly name: string
  readonly country: string
  readonly identificationNumber: string | null
  /** For whom is written to on paper. */
  readonly address?: string
  readonly zip: string
  readonly city: string
  readonly email: string | null
}

/** How an invoice's story ends, by the product's own doing. */
export type Ending =
  | 'draft'
  | 'approved'
  | 'owed'
  | 'signed'
  | 'declined'
  | 'paid'
  | 'archived'
  | 'credited'
  | 'paused'
  | 'disputed'
  | 'stopped'
  | 'paidLate'
  | 'paidInPart'
  | 'denied'
  | 'unpayable'

export type CastInvoice = {
  readonly key: string
  readonly invoiceNumber: string
  readonly paymentReference: string
  readonly debtor: string
  readonly creditor: string
  readonly currency: string
  /** Negative for a credit invoice. */
  readonly total: string
  /** Days from today to the due date. */
  readonly due: number
  readonly text: string
  readonly end: Ending
  /** Days from today between which nothing was asked for: the schedule waited. */
  readonly respite?: { readonly from: number; readonly to: number }
}

/**
 * What somebody did about a claim, so many days from today. `sign`: signed at the bank, and held there. `plan`: put
 * into the plan of that code. `apply`, `order`, `noAssets`: recorded of the authority, under the case number.
 */
export type ClaimAct = {
  readonly on: number
  readonly act:
    | 'pause'
    | 'resume'
    | 'dispute'
    | 'stop'
    | 'pay'
    | 'sign'
    | 'plan'
    | 'apply'
    | 'order'
    | 'noAssets'
  readonly reason?: string
  readonly plan?: string
  readonly caseNumber?: string
}

export type CastClaim = {
  readonly key: string
  readonly claimNumber: string
  readonly paymentReference: string
  readonly debtor: string
  /** All that it holds; `invoices` are those that are in the cast for its sake alone. */
  readonly invoiceNumbers: readonly string[]
  readonly invoices: readonly CastInvoice[]
  readonly acts: readonly ClaimAct[]
}

/** What the default instance offers. Amounts are decimals, in SEK; other currencies have no plans. */
export type CastPlanSetting = {
  readonly code: string
  readonly variant: 'PART_PAYMENT' | 'ONGOING_PAYMENT' | 'PART_PAYMENT_ACCOUNT'
  readonly months: number | null
  readonly startFee: string
  readonly monthlyFee: string
  readonly percent: string
  readonly thresholdPercent: string | null
  readonly addToExisting: boolean
  readonly legalVisible: boolean
  readonly termsVisible: boolean
}

/** A plan that a debtor has started, and the numbers of the instalments that were billed since, first one first. */
export type CastPlan = {
  /** Key of the invoice. */
  readonly invoice: string
  readonly code: string
  /** Days from today to the due date of the last of those instalments. */
  readonly lastDue: number
  readonly instalments: readonly { readonly invoiceNumber: string; readonly paymentReference: string }[]
}

export type Cast = {
  /** The number of the first invoice for interest. */
  readonly interestInvoicesFrom: number
  readonly instances: readonly CastInstance[]
  readonly creditors: readonly CastCreditor[]
  readonly debtors: readonly CastDebtor[]
  readonly invoices: readonly CastInvoice[]
  readonly planSettings: readonly CastPlanSetting[]
  readonly plans: readonly CastPlan[]
  readonly claims: readonly CastClaim[]
}

export function readCast(folder: string): Cast {
  const cast = JSON.parse(readFileSync(join(folder, 'cast.json'), 'utf8')) as Cast
  return { ...cast, invoices: [...cast.invoices, ...cast.claims.flatMap(({ invoices }) => invoices)] }
}

export function readCastFile(folder: string, name: string): Buffer {
  return readFileSync(join(folder, 'files', name))
}
