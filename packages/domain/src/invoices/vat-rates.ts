/**
 * The rates of value added tax that a form offers, by country and day; any other rate may be typed. Sources: SE lag 2023:200,
 * chapter 9; NO Stortinget's yearly decision on merverdiavgift; DK momsloven section 33; FI arvonlisäverolaki 84 to 85 a.
 */
import type { CalendarDate } from '../calendar.ts'

type Rates = { readonly from: string; readonly rates: readonly string[] }

/** The newest first. */
const RATES: Readonly<Record<string, readonly Rates[]>> = {
  SE: [{ from: '0000-01-01', rates: ['25', '12', '6', '0'] }],
  NO: [{ from: '0000-01-01', rates: ['25', '15', '12', '0'] }],
  DK: [{ from: '0000-01-01', rates: ['25', '0'] }],
  FI: [
    { from: '2026-01-01', rates: ['25.5', '13.5', '10', '0'] },
    { from: '2024-09-01', rates: ['25.5', '14', '10', '0'] },
    { from: '0000-01-01', rates: ['24', '14', '10', '0'] },
  ],
}
const ELSEWHERE = ['25', '0']

/** The rates in force in `country` (two letters) on `day`, as decimal texts, the usual one first. */
export function vatRatesOf(country: string, day: CalendarDate): readonly string[] {
  return RATES[country]?.find(({ from }) => from <= day)?.rates ?? ELSEWHERE
}
