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

/** What of a row a credit note has taken, with tax; `quantity` when it was so many of it. */
export type CreditedRow = {
  readonly line: string
  readonly minor: number
  readonly quantity: string | null
}

type Invoice = {
  readonly rows: readonly CreditableRow[]
  /** The rates of the document, for rows that do not say theirs. */
  readonly taxes: readonly { readonly percent: string }[]
  readonly currency: Currency
  /** What the document asks for, with tax: less than its rows when it has a discount on all of them. */
  readonly totalMinor: number
  /** By earlier credit notes. */
  readonly credited: readonly CreditedRow[]
  /** What is left of the document, in minor units with tax. */
  readonly leftMinor: number
}

/** In minor units with tax, with what is taken of each row. */
export type PricedCredit = { readonly minor: number; readonly rows: readonly CreditedRow[] }
type WrongField = { readonly field: string }

const DECIMAL = /^\d{1,9}(\.\d{1,4})?$/

/** What these rows are worth; or the name of the field that is wrong. No row is credited above what is left of it. */
export function priceCreditedRows(wanted: readonly WantedRow[], invoice: Invoice): PricedCredit | WrongField {
  const bases = new Map<string, number>()
  const taken: CreditedRow[] = []
  let total = 0
  for (const [index, { line, ...wish }] of wanted.entries()) {
    const at = (name: string): WrongField => ({ field: `rows.${index}.${name}` })
    const row = invoice.rows.find((one) => one.line === String(line))
    if (!row || taken.some((one) => one.line === row.line)) return at('line')
    const isAmount = (wish.quantity ?? null) === null
    if (!isAmount && (wish.amount ?? null) !== null) return at('amount')
    const part = isAmount
      ? amountOf(row, wish.amount, invoice)
      : quantityOf(row, String(wish.quantity), invoice)
    if (!part) return at(isAmount ? 'amount' : 'quantity')
    const { base, ...of } = part
    taken.push(of)
    if (base) bases.set(base.rate, (bases.get(base.rate) ?? 0) + base.netMinor)
    else total += of.minor
  }
  for (const [percent, base] of bases) total += withTax(base, percent, invoice.currency)
  total = withoutRest(total, taken, invoice)
  return total > 0 ? { minor: total, rows: taken } : { field: 'rows' }
}

/**
 * The tax of rows that are credited one after the other is rounded more often than the document's: with the last of all rows goes
 * what is left of the document, so that nothing of it stays owed and nothing is refused.
 */
function withoutRest(minor: number, taken: readonly CreditedRow[], invoice: Invoice): number {
  const credited = [...invoice.credited, ...taken]
  const isLast = invoice.rows.every((row) => row.amountMinor === 0 || isTaken(row, { ...invoice, credited }))
  return isLast && Math.abs(invoice.leftMinor - minor) <= invoice.rows.length ? invoice.leftMinor : minor
}

function isTaken(row: CreditableRow, invoice: Invoice): boolean {
  const parts = invoice.credited.filter(({ line }) => line === row.line)
  const quantities = parts.flatMap(({ quantity }) => quantity ?? [])
  const isWhole = row.quantity !== null && quantities.length === parts.length && parts.length > 0
  return isWhole ? compareSum(quantities, row.quantity ?? '') === 0 : leftOf(row, invoice) === 0
}

/** `base`: what of it is still to be taxed with others of its rate. */
type Part = CreditedRow & {
  readonly base?: { readonly rate: string; readonly netMinor: number } | undefined
}

/** Without an amount: all that is left of the row. */
function amountOf(row: CreditableRow, amount: WantedRow['amount'], invoice: Invoice): Part | undefined {
  const left = leftOf(row, invoice)
  if ((amount ?? null) === null) return left > 0 ? { line: row.line, minor: left, quantity: null } : undefined
  const given = parseAmount(String(amount ?? ''), invoice.currency)
  if (!given || given.minor <= 0 || given.minor > leftOf(row, invoice)) return undefined
  return { line: row.line, minor: given.minor, quantity: null }
}

function quantityOf(row: CreditableRow, quantity: string, invoice: Invoice): Part | undefined {
  const rate = rateOf(row, invoice)
  const { quantity: whole } = row
  if (rate === undefined || whole === null) return undefined
  if (!DECIMAL.test(quantity) || !/^\d+(\.\d+)?$/.test(whole) || Number(quantity) <= 0) return undefined
  const before = invoice.credited.filter(({ line }) => line === row.line)
  const so = [quantity, ...before.flatMap((one) => one.quantity ?? [])]
  const far = compareSum(so, whole)
  if (far > 0) return undefined
  const left = leftOf(row, invoice)
  // The last of it is whatever the others have left.
  if (far === 0 && before.length > 0) return left > 0 ? { line: row.line, minor: left, quantity } : undefined
  const netMinor = far === 0 ? row.amountMinor : netOf(row, { quantity, whole })
  const gross = withTax(netMinor, rate, invoice.currency)
  const discount = discountOf(invoice)
  const minor = discount ? shareOf(gross, discount) : gross
  if (minor > left) return undefined
  return { line: row.line, minor, quantity, base: discount ? undefined : { rate, netMinor } }
}

function rateOf({ vatPercent }: CreditableRow, { taxes }: Invoice): string | undefined {
  return vatPercent ?? (taxes.length === 0 ? '0' : taxes.length === 1 ? taxes[0]?.percent : undefined)
}

function withTax(netMinor: number, rate: string, currency: Currency): number {
  return netMinor + percentOf(money(netMinor, currency), rate, 'half-up').minor
}

/** With tax; where the row's rate is not known, at the highest of the document. */
function grossOf(row: CreditableRow, invoice: Invoice): number {
  const own = rateOf(row, invoice)
  const rates = own === undefined ? invoice.taxes.map(({ percent }) => percent) : [own]
  return Math.max(...rates.map((rate) => withTax(row.amountMinor, rate, invoice.currency)))
}

function leftOf(row: CreditableRow, invoice: Invoice): number {
  const discount = discountOf(invoice)
  const gross = grossOf(row, invoice)
  const before = invoice.credited.filter(({ line }) => line === row.line)
  return (discount ? shareOf(gross, discount) : gross) - before.reduce((sum, { minor }) => sum + minor, 0)
}

type Discount = { readonly asked: number; readonly rows: number }

/** Undefined when the rows come to what the document asks for, but for the rounding of their taxes. */
function discountOf(invoice: Invoice): Discount | undefined {
  if (invoice.rows.some((row) => rateOf(row, invoice) === undefined)) return undefined
  const rows = invoice.rows.reduce((sum, row) => sum + grossOf(row, invoice), 0)
  return rows > invoice.totalMinor + invoice.rows.length ? { asked: invoice.totalMinor, rows } : undefined
}

const shareOf = (minor: number, { asked, rows }: Discount): number =>
  Number(divideRounded(BigInt(minor) * BigInt(asked), BigInt(rows), 'down'))

/** Less than zero when the quantities together are less than the whole. */
function compareSum(quantities: readonly string[], whole: string): number {
  const parts = [...quantities, whole].map(fraction)
  const over = parts.reduce((all, { denominator }) => all * denominator, 1n)
  const scaled = parts.map(({ numerator, denominator }) => numerator * (over / denominator))
  const sum = scaled.slice(0, -1).reduce((all, one) => all + one, 0n)
  const all = scaled.at(-1) ?? 0n
  return sum === all ? 0 : sum < all ? -1 : 1
}

/** What so many of a row cost, without tax: by its price, unless a discount made the row cheaper than that. */
function netOf(
  { unitPrice, amountMinor }: CreditableRow,
  { quantity, whole }: { readonly quantity: string; readonly whole: string },
): number {
  const [many, all] = [fraction(quantity), fraction(whole)]
  const priced = (of: ReturnType<typeof fraction>, price: ReturnType<typeof fraction>): number =>
    Number(
      divideRounded(of.numerator * price.numerator * 100n, of.denominator * price.denominator, 'half-up'),
    )
  if (unitPrice !== undefined && priced(all, fraction(unitPrice)) === amountMinor)
    return priced(many, fraction(unitPrice))
  const [left, right] = [many.numerator * all.denominator, all.numerator * many.denominator]
  return Number(divideRounded(BigInt(amountMinor) * left, right, 'half-up'))
}
