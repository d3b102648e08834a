/**
 * Whom another figure was charged than is to hold. What is in the books stays there: a correction holds for what has not been charged
 * yet, and a person decides about the rest, by a task that names it.
 */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import {
  COUNTRY_PARAMS,
  creditCapOn,
  hundredthsOf,
  type Figures,
} from '@kvitt/domain/collection/country-params.ts'
import {
  CREDIT_CAP,
  figuresWith,
  isHalfYearly,
  isSameValue,
  REFERENCE_RATE,
  ratesOfFigure,
  rowOn,
  rowsOf,
  stepOfFigure,
  type EnteredFigure,
  type NewFigure,
} from '@kvitt/domain/collection/entered-figures.ts'
import { halfYearOf } from '@kvitt/domain/collection/half-years.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { openTask } from '../tasks/tasks.ts'
import { readCostlyPlans, readFeesCharged, readOtherInterest } from './charged-otherwise.queries.ts'
import { readEnteredRows, readIsLive } from './country-figures.queries.ts'

/** The last day that a row of a first day can hold; null: none is known. */
function lastDayOf({ country, figure, from }: NewFigure, figures: Figures): CalendarDate | null {
  if (isHalfYearly(country, figure)) return halfYearOf(date(from)).to
  const next = rowsOf(country, figure, figures).find((row) => row.from !== null && row.from > from)
  return next?.from ? addDays(date(next.from), -1) : null
}

type Search = {
  readonly entered: readonly EnteredFigure[]
  /** How many are enough. */
  readonly most: number
}

/** Numbers of the invoices, claims and plans that another value was charged or agreed for days on which this one would hold. */
export async function readChargedOtherwise(
  db: Connection,
  instanceId: string,
  wanted: NewFigure,
  { entered, most }: Search,
): Promise<string[]> {
  const { country, figure, from, value } = wanted
  const to = lastDayOf(wanted, figuresWith(entered))
  const of = { instanceId, country, from, most }
  const found: string[] = []
  const fee = stepOfFigure(figure)
  if (fee) {
    const kind = fee.kind === 'business' ? 'COMPANY' : 'PERSON'
    found.push(...(await readFeesCharged(db, { ...of, kind }, { to, step: fee.step })))
  }
  if (figure === REFERENCE_RATE && 'percent' in value)
    for (const [debtors, percents] of Object.entries(ratesOfFigure(country, value.percent))) {
      const kind = debtors === 'business' ? 'COMPANY' : 'PERSON'
      found.push(...(await readOtherInterest(db, { ...of, kind }, { to: to ?? from, percents })))
    }
  if (figure === REFERENCE_RATE || figure === CREDIT_CAP) {
    const figures = figuresWith([...entered, { ...wanted, source: '' }])
    found.push(...(await readPlansAbove(db, of, { to, figures })))
  }
  return [...new Set(found)].toSorted().slice(0, most)
}

/** Plans whose rate exceeds the ceiling of the day on which they were agreed. */
async function readPlansAbove(
  db: Connection,
  of: { readonly instanceId: string; readonly country: string; readonly from: string },
  { to, figures }: { readonly to: CalendarDate | null; readonly figures: Figures },
): Promise<string[]> {
  const isLive = await readIsLive(db, of.instanceId)
  const rows = await readCostlyPlans(db, of, { to })
  return rows.flatMap(({ number, day, percent }) => {
    const cap = creditCapOn(of.country, date(day), { isLive, figures })
    return cap && hundredthsOf(percent) > hundredthsOf(cap.percent) ? [number] : []
  })
}

/** As many as a task names; it says how many there are. */
const NAMED = 50
const ALL = 1_000_000

/** Opens the task `restate_by_hand` about whom another value was charged, once for a cause. */
export async function askToRestate(
  db: Connection,
  instanceId: string,
  wanted: NewFigure,
  { entered, cause }: Omit<Search, 'most'> & { readonly cause: string },
): Promise<void> {
  const numbers = await readChargedOtherwise(db, instanceId, wanted, { entered, most: ALL })
  if (numbers.length === 0) return
  const { country, figure, from } = wanted
  await openTask(db, {
    instanceId,
    kind: 'restate_by_hand',
    about: `figure:${country}:${figure}:${from}:${cause}`,
    details: {
      reason: 'figure',
      country,
      figure,
      from,
      chargedOtherwise: numbers.length,
      references: numbers.slice(0, NAMED),
    },
  })
}

/** Where this program has confirmed another value than was entered for the same day, and debts were charged by that: a person is told once. */
export async function askAboutContradicted(tx: Transaction, instanceId: string): Promise<void> {
  const entered = await readEnteredRows(tx, instanceId)
  const last = new Map(entered.map((row) => [`${row.country} ${row.figure} ${row.from}`, row]))
  for (const { country, figure, from, value } of last.values()) {
    const known = rowOn(country, figure, { day: date(from), figures: COUNTRY_PARAMS })
    if (!known || known.isAssumed || known.from !== from || isSameValue(known.value, value)) continue
    const wanted = { country, figure, from, value: known.value }
    await askToRestate(tx, instanceId, wanted, { entered, cause: 'confirmed' })
  }
}
