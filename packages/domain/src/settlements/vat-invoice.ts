/** The invoice that an operator gives a creditor for what a settlement takes off. */
import { registrationKey } from '../people/party-identity.ts'
import { LINE_PARTS, type SettlementLineKind } from './settlement.ts'

/** Who sells or buys, as of the day of issue. */
export type VatParty = {
  readonly name: string
  /** Of the register of companies, as it was entered. */
  readonly number: string | null
  readonly country: string
  readonly address: readonly string[]
}

/** What a line of a settlement has that its invoice needs; minor units, what is taken off positive. */
export type FeeLine = {
  readonly kind: SettlementLineKind
  readonly minor: number
  readonly baseMinor: number | null
  readonly rateBp: number | null
}

export const VAT_INVOICE_KINDS = ['INVOICE', 'CREDIT_NOTE'] as const

export type VatInvoice = {
  readonly kind: (typeof VAT_INVOICE_KINDS)[number]
  /** One for each kind of fee, without VAT. */
  readonly fees: readonly { readonly kind: SettlementLineKind; readonly minor: number }[]
  /** One for each rate, the highest first. What bears none comes last, with a rate of zero. */
  readonly rates: readonly {
    readonly rateBp: number
    readonly baseMinor: number
    readonly vatMinor: number
  }[]
  readonly netMinor: number
  readonly vatMinor: number
  readonly totalMinor: number
  /** What the settlement had too little for, and carries on as owed; positive. */
  readonly unpaidMinor: number
}

/**
 * The invoice of a settlement's lines. What goes back to the creditor on balance is a credit note (Directive 2006/112/EC, article
 * 219). The amounts by rate are those of article 226 (8) to (10).
 */
export function vatInvoiceOf(lines: readonly FeeLine[]): VatInvoice {
  const fees = new Map<SettlementLineKind, number>()
  for (const { kind, minor } of lines)
    if (LINE_PARTS[kind] === 'fees') fees.set(kind, (fees.get(kind) ?? 0) + minor)
  const taxed = lines.flatMap(({ kind, minor, baseMinor, rateBp }) =>
    kind === 'VAT' ? [{ rateBp: rateBp ?? 0, baseMinor: baseMinor ?? 0, vatMinor: minor }] : [],
  )
  const netMinor = [...fees.values()].reduce((sum, minor) => sum + minor, 0)
  const vatMinor = taxed.reduce((sum, rate) => sum + rate.vatMinor, 0)
  const untaxedMinor = netMinor - taxed.reduce((sum, rate) => sum + rate.baseMinor, 0)
  const totalMinor = netMinor + vatMinor
  const carriedMinor = lines.reduce((sum, { kind, minor }) => sum + (kind === 'CARRIED_OUT' ? minor : 0), 0)
  return {
    kind: totalMinor < 0 ? 'CREDIT_NOTE' : 'INVOICE',
    fees: [...fees].map(([kind, minor]) => ({ kind, minor })),
    rates: [
      ...taxed.toSorted((a, b) => b.rateBp - a.rateBp),
      ...(untaxedMinor === 0 ? [] : [{ rateBp: 0, baseMinor: untaxedMinor, vatMinor: 0 }]),
    ],
    netMinor,
    vatMinor,
    totalMinor,
    unpaidMinor: 0 - Math.min(0, carriedMinor),
  }
}

/**
 * The number under which a company accounts for VAT, made of its number in the register of companies: Sweden SE, ten digits, 01
 * (Skatteverket); Norway nine digits, MVA (merverdiavgiftsloven § 2-1, Brønnøysund); Denmark DK, eight (CVR); Finland FI, eight
 * without the hyphen (Vero). Undefined elsewhere, and for a number that is none.
 */
export function vatNumberOf({ number, country }: Pick<VatParty, 'number' | 'country'>): string | undefined {
  const digits = registrationKey(country, number ?? '').replace(/\D/g, '')
  const form = {
    SE: [10, (text: string) => `SE${text}01`],
    NO: [9, (text: string) => `${text} MVA`],
    DK: [8, (text: string) => `DK${text}`],
    FI: [8, (text: string) => `FI${text}`],
  }[country] as [number, (text: string) => string] | undefined
  return form && digits.length === form[0] ? form[1](digits) : undefined
}

/**
 * Does the buyer account for the VAT? So it is where a service is sold to a company in another country and bears none here
 * (articles 44 and 196; merverdiavgiftsloven §§ 3-30 and 6-22). The invoice has to say so (article 226 (11a)).
 */
export function isReverseCharge(
  { rates }: Pick<VatInvoice, 'rates'>,
  {
    seller,
    buyer,
  }: { readonly seller: Pick<VatParty, 'country'>; readonly buyer: Pick<VatParty, 'country'> },
): boolean {
  return rates.every(({ rateBp }) => rateBp === 0) && seller.country !== buyer.country
}
