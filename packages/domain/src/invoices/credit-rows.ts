/** What rows of an invoice are worth when they are credited: with value added tax, taken once on the sum of each rate. */
import { divideRounded, fraction, money, parseAmount, percentOf, type Currency } from '../money.ts'

export type CreditableRow = {
  readonly line: string
  readonly quantity: string | null
  /** Without tax. */
  readonly amountMinor: number
  readonly unitPrice?: string | undefined
  readonly vatPercent?: string | undefined
}

export type WantedRow = {
  readonly line: string | number
  readonly quantity?: string | number | null | undefined
  /** With tax. */
  readonly amount?: string | number | null | undefined
}

type Invoice = {
  readonly rows: readonly CreditableRow[]
  /** The rates of the document, for rows that do not say theirs. */
  readonly taxes: readonly { readonly percent: string }[]
  readonly currency: Currency
}

const DECIMAL = /^\d{1,9}(\.\d{1,4})?$/

/** In minor units with tax; or the name of the field that is wrong. */
export function priceCreditedRows(
  wanted: readonly WantedRow[],
  { rows, taxes, currency }: Invoice,
): number | { readonly field: string } {
  const bases = new Map<string, number>()
  const seen = new Set<string>()
  let total = 0
  for (const [index, { line, quantity, amount }] of wanted.entries()) {
    const at = (name: string) => ({ field: `rows.${index}.${name}` })
    const row = rows.find((one) => one.line === String(line))
    if (!row || seen.has(row.line)) return at('line')
    seen.add(row.line)
    const rate =
      row.vatPercent ?? (taxes.length === 0 ? '0' : taxes.length === 1 ? taxes[0]?.percent : undefined)
    if ((quantity ?? null) === null) {
      const given = parseAmount(String(amount ?? ''), currency)
      const gross =
        rate && row.amountMinor + percentOf(money(row.amountMinor, currency), rate, 'half-up').minor
      if (!given || given.minor <= 0 || (gross && given.minor > gross)) return at('amount')
      total += given.minor
      continue
    }
    if ((amount ?? null) !== null) return at('amount')
    const net = netOf(row, String(quantity))
    if (net === undefined || rate === undefined) return at('quantity')
    bases.set(rate, (bases.get(rate) ?? 0) + net)
  }
  for (const [percent, base] of bases) {
    total += base + percentOf(money(base, currency), percent, 'half-up').minor
  }
  return total > 0 ? total : { field: 'rows' }
}

/** What so many of a row cost; all of it is what the row says, to the minor unit. */
function netOf(
  { quantity: whole, unitPrice, amountMinor }: CreditableRow,
  quantity: string,
): number | undefined {
  if (!DECIMAL.test(quantity) || whole === null || !/^\d+(\.\d+)?$/.test(whole)) return undefined
  const [many, all] = [fraction(quantity), fraction(whole)]
  const [left, right] = [many.numerator * all.denominator, all.numerator * many.denominator]
  if (left <= 0n || left > right) return undefined
  if (left === right) return amountMinor
  if (unitPrice === undefined) return Number(divideRounded(BigInt(amountMinor) * left, right, 'half-up'))
  const price = fraction(unitPrice)
  return Number(
    divideRounded(many.numerator * price.numerator * 100n, many.denominator * price.denominator, 'half-up'),
  )
}
