/** The form of a new invoice: what was typed, what it comes to, and the body of the call. */
import type { createOfficeInvoice } from '@kvitt/domain/invoices/draft.contract.ts'
import type { SentBody } from '@kvitt/domain/contract.ts'
import { readNumber } from '@kvitt/domain/form/field-rules.ts'
import { priceDraft, type PricedDraft } from '@kvitt/domain/invoices/draft.ts'
import type { Currency } from '@kvitt/domain/money.ts'

export type TypedRow = {
  readonly key: number
  readonly description: string
  readonly quantity: string
  readonly unitPrice: string
  readonly vatPercent: string
  readonly vatReason: string
}

export type Typed = Readonly<Record<string, string>>

export const DRAFT_CURRENCIES = ['SEK', 'NOK', 'DKK', 'EUR'] as const satisfies readonly Currency[]
const COUNTRIES: Readonly<Record<string, string>> = { SEK: 'SE', NOK: 'NO', DKK: 'DK', EUR: 'FI' }

/** The country whose currency it is. */
export function countryOf(currency: string): string {
  return COUNTRIES[currency] ?? 'SE'
}

export function emptyRow(key: number, vatPercent: string): TypedRow {
  return { key, description: '', quantity: '1', unitPrice: '', vatPercent, vatReason: '' }
}

const numeral = (text: string): string => readNumber(text) ?? text

function asDraft({ quantity, unitPrice, vatPercent, vatReason }: TypedRow) {
  return {
    quantity: numeral(quantity),
    unitPrice: numeral(unitPrice),
    vatPercent: numeral(vatPercent),
    ...(vatReason.trim() === '' ? {} : { vatReason: vatReason.trim() }),
  }
}

/** What the rows come to, or the name of the field that is wrong: `rows.2.vatPercent`. */
export function priceRows(
  rows: readonly TypedRow[],
  currency: Currency,
): PricedDraft | { readonly field: string } {
  const blank = rows.findIndex(({ description }) => description.trim() === '')
  const priced = priceDraft(rows.map(asDraft), currency)
  return !('field' in priced) && blank >= 0 ? { field: `rows.${blank}.description` } : priced
}

/** What one row comes to without tax, as far as it can be told; undefined while it is being typed. */
export function netOf(row: TypedRow, currency: Currency): number | undefined {
  const priced = priceDraft([{ ...asDraft(row), vatPercent: '25' }], currency)
  return 'field' in priced ? undefined : priced.rows[0]?.netMinor
}

const DEBTOR_FIELDS = [
  'identificationNumber',
  'email',
  'phone',
  'address',
  'zip',
  'city',
  'countryCode',
  'customerNumber',
] as const

/** The body of the call: what was left empty is left out. */
export function draftBody(typed: Typed, rows: readonly TypedRow[]): SentBody<typeof createOfficeInvoice> {
  const text = (name: string): string => (typed[name] ?? '').trim()
  const given = DEBTOR_FIELDS.filter((name) => text(name) !== '').map((name) => [name, text(name)] as const)
  return {
    ...(text('invoiceNumber') === '' ? {} : { invoiceNumber: text('invoiceNumber') }),
    debtor: {
      type: text('type') === 'COMPANY' ? 'COMPANY' : 'PERSON',
      name: text('name'),
      ...Object.fromEntries(given),
    },
    invoiceDate: text('invoiceDate'),
    expireDate: text('expireDate'),
    currency: text('currency') as Currency,
    rows: rows.map((row) => ({ description: row.description.trim(), ...asDraft(row) })),
  }
}
