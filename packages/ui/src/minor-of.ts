/** Amounts as they come over the wire. */
import { parseAmount } from '@kvitt/domain/money.ts'

/**
 * Minor units of an amount from the wire, where it is a JSON number with two decimals. Read from its digits.
 * Throws RangeError when it has more decimals than money has.
 */
export function minorOf(amount: number): number {
  const money = parseAmount(String(amount), 'EUR')
  if (!money) throw new RangeError(`${amount} is not an amount`)
  return money.minor
}
