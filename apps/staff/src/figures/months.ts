/** What was received, month by month: each of the last twelve has a place, also one in which nothing came. */
import { minorOf } from '@kvitt/ui/minor-of.ts'
import type { Figures } from './figure-calls.ts'

export type Month = {
  /** "2026-11" */
  readonly month: string
  readonly minor: number
}

const MONTHS = 12

/** @param today the last month is its own */
export function monthsOf(received: Figures['received'], currency: string, today: string): readonly Month[] {
  const [year = 0, number = 1] = today.split('-').map(Number)
  return Array.from({ length: MONTHS }, (_, back) => {
    const at = new Date(Date.UTC(year, number - MONTHS + back, 1))
    const month = at.toISOString().slice(0, 7)
    const found = received.find((one) => one.month === month && one.currency === currency)
    return { month, minor: minorOf(found?.amount ?? 0) }
  })
}

/** The currencies in which anything was received, the one with most first. */
export function currenciesOf(received: Figures['received']): readonly string[] {
  const sums = new Map<string, number>()
  for (const { currency, amount } of received) {
    sums.set(currency, (sums.get(currency) ?? 0) + minorOf(amount))
  }
  return [...sums].toSorted(([, a], [, b]) => b - a).map(([currency]) => currency)
}
