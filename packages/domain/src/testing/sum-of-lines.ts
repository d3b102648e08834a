import type { Line } from '../ledger/booking.ts'
import { sum, type Money } from '../money.ts'

/** The sum of a booking's lines; zero for every booking. */
export function sumOfLines(lines: readonly Line[]): Money {
  return sum(
    lines.map(({ amount }) => amount),
    lines[0]?.amount.currency ?? 'SEK',
  )
}
