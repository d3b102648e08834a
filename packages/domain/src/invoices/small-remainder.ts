/** What is too little to go on with, once something has been paid. */
import { type Currency, type Money, money } from '../money.ts'

const LIMITS_MINOR: Readonly<Partial<Record<Currency, number>>> = {
  SEK: 2500,
  NOK: 2500,
  DKK: 2500,
  EUR: 250,
}

/** A rest up to this is written off; zero in currencies without a limit. */
export function smallRemainder(currency: Currency): Money {
  return money(LIMITS_MINOR[currency] ?? 0, currency)
}

/** Is `remainder`, left after a payment, written off and the invoice closed? Never what has not been paid on. */
export function isSmallRemainder(remainder: Money): boolean {
  return remainder.minor > 0 && remainder.minor <= smallRemainder(remainder.currency).minor
}

/** May nothing more be charged on `remainder`, left after a payment? Up to twice the reminder fee; notices are free. */
export function stopsFees(remainder: Money, reminderFeeMinor: number): boolean {
  return remainder.minor <= Math.max(2 * reminderFeeMinor, smallRemainder(remainder.currency).minor)
}
