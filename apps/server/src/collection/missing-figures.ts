/** Fees and rates that nobody has entered: what is missing, for what, and from when. It is asked for, never guessed. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { firstUnknownRate, type DebtorKind, type Figures } from '@kvitt/domain/collection/country-params.ts'
import { halfYearOf, type HalfYear } from '@kvitt/domain/collection/half-years.ts'
import { missingName } from '@kvitt/domain/collection/missing-figure.ts'
import type { OwedDays } from '@kvitt/domain/collection/interest-posting.ts'
import { openTasks } from '../tasks/tasks.ts'
import type { Transaction } from '../platform/database/database.ts'

/** A figure is set for half-years: it is asked for once in each, and not every day. */
export type Missing = {
  /** Country, kind of debtor, what, and half-year. */
  readonly about: string
  readonly from: CalendarDate
  readonly to: CalendarDate
}

type Asked = {
  readonly country: string
  readonly debtorKind: DebtorKind
  readonly isLive: boolean
  readonly figures: Figures
}

/** Whose rate goes by the day on which it fell due. */
type AskedOfDebt = Asked & { readonly fellDueOn: CalendarDate }

function missing(of: Asked, step: string | undefined, half: HalfYear): Missing {
  return { about: missingName(of, step, half), from: half.from, to: half.to }
}

/** The fee of a step on a day. */
export function missingFee(of: Asked, step: string, day: CalendarDate): Missing {
  return missing(of, step, halfYearOf(day))
}

/** The rate of a day. */
export function missingRateOn(of: Asked, day: CalendarDate): Missing {
  return missing(of, undefined, halfYearOf(day))
}

/** The first rate that is missing for interest on what was owed; undefined when none is. */
export function missingRate(of: AskedOfDebt, owed: readonly OwedDays[]): Missing | undefined {
  const halves = owed.flatMap(({ from, to, principalMinor }) => {
    if (principalMinor === 0 || from > to) return []
    const half = firstUnknownRate(of.country, of.debtorKind, { ...of, from, to })
    return half ? [half] : []
  })
  const [first] = halves.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  return first && missing(of, undefined, first)
}

/** What is missing, and the number of the invoice or claim that needs it. */
export type Need = Missing & { readonly number: string; readonly neededOn: string }

/** Asks a person once for each figure and half-year, naming what needs it first. */
export async function askForFigures(
  tx: Transaction,
  instanceId: string,
  needs: readonly Need[],
): Promise<void> {
  if (needs.length === 0) return
  const first = new Map<string, Need>()
  for (const need of needs.toSorted((a, b) => (a.neededOn < b.neededOn ? -1 : 1)))
    if (!first.has(need.about)) first.set(need.about, need)
  await openTasks(
    tx,
    [...first.values()].map(({ about, from, to, number, neededOn }) => ({
      instanceId,
      kind: 'rate_unknown' as const,
      about,
      details: { missing: about, debt: number, period: { from, to }, neededOn: date(neededOn) },
    })),
  )
}
