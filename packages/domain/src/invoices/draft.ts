/** What an invoice is over, from its rows: quantity times price, and value added tax on the sum of each rate. */
import { divideRounded, fraction, money, percentOf, type Currency } from '../money.ts'

/** As it was written: numbers, or decimal texts with a point. */
export type DraftRow = {
  readonly quantity: string | number
  /** Without value added tax, in the main unit, with up to four decimals. */
  readonly unitPrice: string | number
  readonly vatPercent: string | number
  /** Why no tax is taken; needed at 0 %. */
  readonly vatReason?: string | null | undefined
}

export type PricedRow = {
  readonly quantity: string
  readonly unitPrice: string
  readonly vatPercent: string
  /** Without value added tax. */
  readonly netMinor: number
}

export type PricedDraft = {
  readonly rows: readonly PricedRow[]
  /** By rate, in the order in which the rates come. */
  readonly taxes: readonly {
    readonly percent: string
    readonly baseMinor: number
    readonly taxMinor: number
  }[]
  readonly totalMinor: number
}

const UP_TO_FOUR = /^-?\d{1,9}(\.\d{1,4})?$/
const PERCENT = /^(100|\d{1,2})(\.\d)?$/
/** 10,000,000,000.00 in the main unit: far below where a number stops being exact. */
const MOST_MINOR = 1_000_000_000_000

/** A decimal without needless zeros: `25.50` as `25.5`, `-0` as `0`. */
function plain(value: string | number): string {
  const text = String(value)
    .trim()
    .replace(/^(-?)0+(?=\d)/, '$1')
  const short = text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text
  return short === '-0' ? '0' : short
}

/** The rows with their sums, or the name of the field that is wrong: `rows.2.vatPercent`. */
export function priceDraft(
  rows: readonly DraftRow[],
  currency: Currency,
): PricedDraft | { readonly field: string } {
  const priced: PricedRow[] = []
  for (const [index, row] of rows.entries()) {
    const one = priceRow(row)
    if ('field' in one) return { field: `rows.${index}.${one.field}` }
    priced.push(one)
  }
  const bases = new Map<string, number>()
  for (const { vatPercent, netMinor } of priced) {
    bases.set(vatPercent, (bases.get(vatPercent) ?? 0) + netMinor)
  }
  const taxes = [...bases].map(([percent, baseMinor]) => ({
    percent,
    baseMinor,
    taxMinor: percentOf(money(baseMinor, currency), percent, 'half-up').minor,
  }))
  const totalMinor = taxes.reduce((sum, { baseMinor, taxMinor }) => sum + baseMinor + taxMinor, 0)
  return totalMinor > 0 && totalMinor <= MOST_MINOR ? { rows: priced, taxes, totalMinor } : { field: 'rows' }
}

function priceRow(row: DraftRow): PricedRow | { readonly field: string } {
  const [quantity, unitPrice, vatPercent] = [row.quantity, row.unitPrice, row.vatPercent].map(plain) as [
    string,
    string,
    string,
  ]
  if (!UP_TO_FOUR.test(quantity) || Number(quantity) === 0) return { field: 'quantity' }
  if (!UP_TO_FOUR.test(unitPrice)) return { field: 'unitPrice' }
  if (!PERCENT.test(vatPercent)) return { field: 'vatPercent' }
  if (vatPercent === '0' && !row.vatReason?.trim()) return { field: 'vatReason' }
  const [many, price] = [fraction(quantity), fraction(unitPrice)]
  const net = divideRounded(
    many.numerator * price.numerator * 100n,
    many.denominator * price.denominator,
    'half-up',
  )
  if (net > BigInt(MOST_MINOR) || net < -BigInt(MOST_MINOR)) return { field: 'unitPrice' }
  return { quantity, unitPrice, vatPercent, netMinor: Number(net) }
}
