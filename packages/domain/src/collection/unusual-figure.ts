/** A figure that is far from the one before it: a slip of the hand more often than a new law, so it is asked about a second time. */
import { parseAmount } from '../money.ts'
import { hundredthsOf } from './country-params.ts'
import type { FigureValue } from './entered-figures.ts'

/** In hundredths of a percentage point. Since 2013 no rate of the four countries has moved as much at once. */
const MOST_MOVED = 300
/** Amounts of a law rise by a few percent: twice or half as much is another amount. */
const MOST_TIMES = 2

type Row = { readonly from: string | null; readonly value: FigureValue }

/** What held before a first day; undefined when nothing did. Rows in order. */
export function valueBefore(rows: readonly Row[], from: string): FigureValue | undefined {
  return rows.findLast((row) => row.from === null || row.from < from)?.value
}

/** Is it far from what held before? Values of two sorts, such as a rate and one over the reference rate, are. */
export function isUnusual(value: FigureValue, before: FigureValue | undefined): boolean {
  if (!before) return false
  if ('bands' in value || 'bands' in before) {
    const [now, then] = [highestOf(value), highestOf(before)]
    return now > then * MOST_TIMES || now * MOST_TIMES < then
  }
  const [now, then] = [value, before].map((one) => 'isOverReference' in one && one.isOverReference)
  return now !== then || Math.abs(hundredthsOf(value.percent) - hundredthsOf(before.percent)) > MOST_MOVED
}

function highestOf(value: FigureValue): number {
  if (!('bands' in value)) return 0
  return Math.max(...value.bands.map(({ amount }) => parseAmount(amount, 'SEK')?.minor ?? 0))
}
