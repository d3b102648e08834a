/**
 * Every row of the late interest rates against the laws and the central banks' own rates, which were written down here without
 * looking at the rows: what the banks' decisions set, and from which day.
 *
 * SE: räntelagen 6 and 9 §§, the Riksbank's policy rate at the end of the half-year before, up to the nearest half, + 8.
 * NO: forsinkelsesrenteloven § 3, Norges Bank's policy rate on 1 January and 1 July, + 7 and from 2013 H2 + 8.
 * DK: renteloven § 5, Nationalbanken's lending rate on 1 January and 1 July, + 8.
 * FI: korkolaki 4, 4 a and 12 §§, the ECB's rate of main refinancing in the last operation of the half-year before, up to the
 * nearest half, + 7 and between companies + 8.
 */
import { expect, test } from 'vitest'
import { addDays, date } from '../calendar.ts'
import { COUNTRY_PARAMS, type DebtorKind } from './country-params.ts'

/** In hundredths of a percent, from the first day on which each held. */
type Decisions = readonly (readonly [from: string, hundredths: number])[]

const RIKSBANK: Decisions = [
  ['2012-12-19', 100],
  ['2013-12-18', 75],
  ['2014-07-09', 25],
  ['2014-10-29', 0],
  ['2015-02-18', -10],
  ['2015-03-25', -25],
  ['2015-07-08', -35],
  ['2016-02-17', -50],
  ['2019-01-09', -25],
  ['2020-01-08', 0],
  ['2022-05-04', 25],
  ['2022-07-06', 75],
  ['2022-09-21', 175],
  ['2022-11-30', 250],
  ['2023-02-15', 300],
  ['2023-05-03', 350],
  ['2023-07-05', 375],
  ['2023-09-27', 400],
  ['2024-05-15', 375],
  ['2024-08-21', 350],
  ['2024-10-02', 325],
  ['2024-11-13', 275],
  ['2025-01-08', 250],
  ['2025-02-05', 225],
  ['2025-06-25', 200],
  ['2025-10-01', 175],
]
const NORGES_BANK: Decisions = [
  ['2012-03-15', 150],
  ['2014-12-12', 125],
  ['2015-06-19', 100],
  ['2015-09-25', 75],
  ['2016-03-18', 50],
  ['2018-09-21', 75],
  ['2019-03-22', 100],
  ['2019-06-21', 125],
  ['2019-09-20', 150],
  ['2020-03-13', 100],
  ['2020-03-20', 25],
  ['2020-05-08', 0],
  ['2021-09-24', 25],
  ['2021-12-17', 50],
  ['2022-03-25', 75],
  ['2022-06-24', 125],
  ['2022-08-19', 175],
  ['2022-09-23', 225],
  ['2022-11-04', 250],
  ['2022-12-16', 275],
  ['2023-03-24', 300],
  ['2023-05-05', 325],
  ['2023-06-23', 375],
  ['2023-08-18', 400],
  ['2023-09-22', 425],
  ['2023-12-15', 450],
  ['2025-06-20', 425],
  ['2025-09-19', 400],
]
const NATIONALBANKEN: Decisions = [
  ['2012-07-06', 20],
  ['2013-01-25', 30],
  ['2013-05-03', 20],
  ['2015-01-20', 5],
  ['2021-03-19', -35],
  ['2021-10-01', -45],
  ['2022-07-22', 5],
  ['2022-09-09', 80],
  ['2022-10-28', 140],
  ['2022-12-16', 190],
  ['2023-02-03', 225],
  ['2023-03-17', 275],
  ['2023-05-05', 300],
  ['2023-06-16', 325],
  ['2023-07-28', 350],
  ['2023-09-15', 375],
  ['2024-06-07', 350],
  ['2024-09-13', 325],
  ['2024-10-18', 300],
  ['2024-12-13', 275],
  ['2025-02-03', 250],
  ['2025-03-07', 225],
  ['2025-04-18', 200],
  ['2025-06-06', 175],
]
const ECB: Decisions = [
  ['2012-07-11', 75],
  ['2013-05-08', 50],
  ['2013-11-13', 25],
  ['2014-06-11', 15],
  ['2014-09-10', 5],
  ['2016-03-16', 0],
  ['2022-07-27', 50],
  ['2022-09-14', 125],
  ['2022-11-02', 200],
  ['2022-12-21', 250],
  ['2023-02-08', 300],
  ['2023-03-22', 350],
  ['2023-05-10', 375],
  ['2023-06-21', 400],
  ['2023-08-02', 425],
  ['2023-09-20', 450],
  ['2024-06-12', 425],
  ['2024-09-18', 365],
  ['2024-10-23', 340],
  ['2024-12-18', 315],
  ['2025-02-05', 290],
  ['2025-03-12', 265],
  ['2025-04-23', 240],
  ['2025-06-11', 215],
]
/** No decision after this day is known here. */
const KNOWN_TO = '2026-01-01'

const on = (bank: Decisions, day: string): number => bank.findLast(([from]) => from <= day)?.[1] ?? Number.NaN
const upToHalf = (hundredths: number): number => Math.ceil(hundredths / 50) * 50
const dayBefore = (day: string): string => addDays(date(day), -1)

const LAW: Readonly<Record<string, (from: string, kind: DebtorKind) => number>> = {
  SE: (from) => upToHalf(on(RIKSBANK, dayBefore(from))) + 800,
  NO: (from) => on(NORGES_BANK, from) + (from < '2013-07-01' ? 700 : 800),
  DK: (from) => on(NATIONALBANKEN, from) + 800,
  FI: (from, kind) => upToHalf(on(ECB, dayBefore(from))) + (kind === 'business' ? 800 : 700),
}

const rows = Object.entries(COUNTRY_PARAMS).flatMap(([country, { rates }]) =>
  rates.rows.map((row) => ({ country, ...row })),
)
const checked = rows.filter(({ from }) => from <= KNOWN_TO)

test.each(checked)('$country from $from', ({ country, from, consumer, business }) => {
  const written = (kind: DebtorKind) => ((LAW[country]?.(from, kind) ?? Number.NaN) / 100).toFixed(2)
  expect([consumer, business]).toEqual([written('consumer'), written('business')])
})

test('all but the half-year whose rates were not known when they were written are checked, and those are assumed', () => {
  expect(rows.length - checked.length).toBe(4)
  const unchecked = rows.filter(({ from }) => from > KNOWN_TO)
  expect(unchecked.map(({ country, from, assumed }) => [country, from, assumed])).toEqual(
    ['SE', 'NO', 'DK', 'FI'].map((country) => [country, '2026-07-01', true]),
  )
})
