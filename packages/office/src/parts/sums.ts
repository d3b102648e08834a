/** Sums of amounts as they come over the wire. */
import { minorOf } from '@kvitt/ui/minor-of.ts'

/** What `amountOf` of all rows comes to, in minor units. */
export function sumOf<Row>(rows: readonly Row[], amountOf: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + minorOf(amountOf(row)), 0)
}
