/**
 * Money: whole minor units (öre, cent) and a currency, never a float.
 *
 * `minor` is a checked safe integer, so every sum below is exact or throws.
 */

/** ISO 4217 codes that the product keeps books in. All of them have two decimals. */
export const CURRENCIES = [
  'SEK',
  'NOK',
  'DKK',
  'EUR',
  'GBP',
  'USD',
  'CHF',
  'PLN',
  'CZK',
  'HUF',
  'RON',
  'BGN',
] as const
export type Currency = (typeof CURRENCIES)[number]

export type Money = { readonly minor: number; readonly currency: Currency }

/** How a fraction of a minor unit is settled: half away from zero, or always towards zero. */
export type Rounding = 'half-up' | 'down'

/** A money rule was broken by the program itself: a bug, never something that a user typed. */
export class MoneyError extends Error {
  override name = 'MoneyError'
}

export function isCurrency(code: string): code is Currency {
  return (CURRENCIES as readonly string[]).includes(code)
}

/** Money of `minor` minor units. Throws MoneyError when it is not a safe integer. */
export function money(minor: number, currency: Currency): Money {
  if (!Number.isSafeInteger(minor)) throw new MoneyError(`${minor} is not a whole number of minor units`)
  return { minor: minor === 0 ? 0 : minor, currency }
}

export function zero(currency: Currency): Money {
  return money(0, currency)
}

function sameCurrency(a: Money, b: Money): Currency {
  if (a.currency !== b.currency) throw new MoneyError(`${a.currency} and ${b.currency} cannot be mixed`)
  return a.currency
}

export function add(a: Money, b: Money): Money {
  return money(a.minor + b.minor, sameCurrency(a, b))
}

export function subtract(a: Money, b: Money): Money {
  return money(a.minor - b.minor, sameCurrency(a, b))
}

export function negate(a: Money): Money {
  return money(-a.minor, a.currency)
}

/** Negative when a < b, 0 when equal, positive when a > b. */
export function compare(a: Money, b: Money): number {
  sameCurrency(a, b)
  return a.minor - b.minor
}

export function sum(amounts: readonly Money[], currency: Currency): Money {
  return amounts.reduce(add, zero(currency))
}

/** A decimal text such as "19.90" as an exact fraction; throws MoneyError for anything else. */
export function fraction(decimal: string): { numerator: bigint; denominator: bigint } {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal)
  if (!match) throw new MoneyError(`"${decimal}" is not a decimal number`)
  const decimals = match[3] ?? ''
  const digits = BigInt(`${match[2]}${decimals}`)
  return { numerator: match[1] ? -digits : digits, denominator: 10n ** BigInt(decimals.length) }
}

/** numerator / denominator rounded to a whole number; `half-up` goes away from zero at exactly one half. */
export function divideRounded(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (denominator <= 0n) throw new MoneyError('the denominator must be positive')
  const sign = numerator < 0n ? -1n : 1n
  const whole = numerator * sign
  const quotient = whole / denominator
  const up = rounding === 'half-up' && (whole % denominator) * 2n >= denominator
  return (quotient + (up ? 1n : 0n)) * sign
}

/** `percent` (a decimal text, "12.5" is 12.5 %) of `base`, rounded to whole minor units. */
export function percentOf(base: Money, percent: string, rounding: Rounding): Money {
  const p = fraction(percent)
  return money(
    Number(divideRounded(BigInt(base.minor) * p.numerator, p.denominator * 100n, rounding)),
    base.currency,
  )
}

/**
 * Reads "1234", "1234.5" or "-1234.50" digit by digit; more than two decimals only when they are zeros.
 * Answers undefined for everything else, also exponents, spaces and commas.
 */
export function parseAmount(text: string, currency: Currency): Money | undefined {
  const match = /^(-?)(\d{1,13})(?:\.(\d{1,6}))?$/.exec(text)
  if (!match) return undefined
  const decimals = (match[3] ?? '').padEnd(2, '0')
  if (/[1-9]/.test(decimals.slice(2))) return undefined
  const minor = Number(match[2]) * 100 + Number(decimals.slice(0, 2))
  return Number.isSafeInteger(minor) ? money(match[1] ? -minor : minor, currency) : undefined
}

/** Minor units as text with two decimals and a point: 84200 -> "842.00". The form of the wire and of files. */
export function amountText(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0')
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** An amount on its way to the wire: the JSON writer prints it as a number with two decimals (D-25). */
export class Amount {
  readonly minor: number
  constructor(minor: number) {
    this.minor = money(minor, 'SEK').minor
  }
}
