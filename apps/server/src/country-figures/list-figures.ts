/** What holds in each country, what is not known, what is asked for and what is proposed: as the portal shows it. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { paramsOf, type Figures } from '@kvitt/domain/collection/country-params.ts'
import {
  CREDIT_CAP,
  FIGURE_COUNTRIES,
  figuresOf,
  figuresWith,
  isHalfYearly,
  isSameValue,
  kindOfFigure,
  REFERENCE_RATE,
  rowOn,
  rowsOf,
  stepOfFigure,
  type FigureRow,
  type FigureValue,
} from '@kvitt/domain/collection/entered-figures.ts'
import { halfYearOf } from '@kvitt/domain/collection/half-years.ts'
import { figureAsked } from '@kvitt/domain/collection/missing-figure.ts'
import type { Context } from '../context.ts'
import type { OperatorMember } from '../staff/staff.ts'
import {
  countCreditors,
  countOpenDebts,
  countWithoutCost,
  readAskedRows,
  readIsLive,
  readListedRows,
  readProposedRows,
  type AskedRow,
  type ListedFigure,
  type ProposedFigure,
} from './country-figures.queries.ts'

/** All of its parts, null where the figure has none. */
function presentValue(
  value:
    | (Partial<Extract<FigureValue, { percent: string; isOverReference: boolean }>> & { bands?: unknown })
    | FigureValue,
) {
  const {
    percent = null,
    isOverReference = null,
    costAtMostCredit = null,
    bands = null,
  } = value as {
    percent?: string
    isOverReference?: boolean
    costAtMostCredit?: boolean
    bands?: { upTo: string | null; amount: string }[]
  }
  return { percent, isOverReference, costAtMostCredit, bands }
}

type Of = { readonly country: string; readonly figure: string }
type Known = {
  readonly figures: Figures
  readonly listed: readonly ListedFigure[]
  readonly today: CalendarDate
}

const own = <One extends Of>(rows: readonly One[], { country, figure }: Of): One[] =>
  rows.filter((row) => row.country === country && row.figure === figure)

const isRow = (row: FigureRow, entry: ListedFigure): boolean =>
  row.from === entry.from && row.source === entry.source && isSameValue(row.value, entry.value)

const NOBODY = { enteredBy: null, agreedBy: null, agreedAt: null }

/** A row that holds, or would on its days, with who entered it. */
function presentRow(row: FigureRow, of: Of, { listed }: Pick<Known, 'listed'>) {
  const { from, source, value, isAssumed } = row
  const entry = isAssumed ? undefined : own(listed, of).findLast((one) => isRow(row, one))
  const state = isAssumed ? ('ASSUMED' as const) : entry ? ('ENTERED' as const) : ('CONFIRMED' as const)
  const { enteredBy, agreedBy, agreedAt } = entry ?? NOBODY
  return { ...presentValue(value), from, source, state, enteredBy, agreedBy, agreedAt }
}

/** All rows of a figure: those that count, and entries that another one has taken the place of. The newest first. */
function presentRows(of: Of, { figures, listed, today }: Known) {
  // That an entry is taken to go on is said when its half-year is over.
  const counting = rowsOf(of.country, of.figure, figures).filter(
    ({ from, isAssumed }) => !isAssumed || from === null || from <= today,
  )
  const replaced = own(listed, of)
    .filter(
      (entry) =>
        own(listed, of).findLast(({ from }) => from === entry.from) !== entry ||
        !counting.some((row) => !row.isAssumed && isRow(row, entry)),
    )
    .map(({ from, source, value, enteredBy, agreedBy, agreedAt }) => ({
      ...presentValue(value),
      from,
      source,
      state: 'REPLACED' as const,
      enteredBy,
      agreedBy,
      agreedAt,
    }))
  const rows = [...counting.map((row) => presentRow(row, of, { listed })), ...replaced]
  // Of one day the row that counts stands first.
  return rows.toSorted((a, b) =>
    (a.from ?? '') === (b.from ?? '') ? 0 : (a.from ?? '') < (b.from ?? '') ? 1 : -1,
  )
}

/** What is to be entered. A ceiling that goes by the reference rate is known again with that. */
function neededFor(about: string, { figures, today }: Known): (Of & { from: string | null }) | undefined {
  const asked = figureAsked(about)
  if (!asked) return undefined
  const { country, figure, from = null } = asked
  if (figure !== CREDIT_CAP || !rowOn(country, figure, { day: today, figures }))
    return { country, figure, from }
  return { country, figure: REFERENCE_RATE, from: halfYearOf(today).from }
}

function presentAsked(rows: readonly AskedRow[], of: Of, known: Known) {
  return rows.flatMap(({ id, about, debt, neededOn }) => {
    const needed = neededFor(about, known)
    if (needed?.country !== of.country || needed.figure !== of.figure) return []
    return [{ taskId: id, from: needed.from, debt, neededOn }]
  })
}

function presentProposed({ id, after, proposedBy, proposedAt }: ProposedFigure) {
  const { from, source } = after
  return { ...presentValue(after), id, from, source, proposedBy, proposedAt }
}

type Applications = Awaited<ReturnType<typeof countWithoutCost>>

function withoutCostOf({ country, figure }: Of, applications: Applications): number {
  const fee = stepOfFigure(figure)
  if (fee?.step !== 'BAILIFF_PAYMENT_INJUCTION') return 0
  const kind = fee.kind === 'business' ? 'COMPANY' : 'PERSON'
  return applications.find((one) => one.country === country && one.kind === kind)?.count ?? 0
}

export async function listFigures(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { instance }: OperatorMember,
) {
  const { id: instanceId, timeZone } = instance
  const [listed, proposed, asked, debts, creditors, isLive, applications] = await Promise.all([
    readListedRows(db, instanceId),
    readProposedRows(db, instanceId),
    readAskedRows(db, instanceId),
    countOpenDebts(db, instanceId),
    countCreditors(db, instanceId),
    readIsLive(db, instanceId),
    countWithoutCost(db, instanceId),
  ])
  const today = clock.today(timeZone)
  const known = { figures: figuresWith(listed), listed, today }
  const present = (country: string, figure: string) => {
    const of = { country, figure }
    const row = rowOn(country, figure, { day: today, figures: known.figures })
    const now = row ? presentRow(row, of, known) : null
    const kind = kindOfFigure(figure)
    const { currency } = paramsOf(country) ?? {}
    const concerned = debts.filter(
      (one) =>
        one.country === country &&
        one.currency === currency &&
        (!kind || (kind === 'business') === (one.kind === 'COMPANY')),
    )
    return {
      figure,
      state: now?.state ?? ('UNKNOWN' as const),
      isHalfYearly: isHalfYearly(country, figure),
      now,
      rows: presentRows(of, known),
      proposed: proposed
        .filter(({ after }) => after.country === country && after.figure === figure)
        .map(presentProposed),
      asked: presentAsked(asked, of, known),
      openDebts: concerned.reduce((sum, { count }) => sum + count, 0),
      withoutCost: withoutCostOf(of, applications),
    }
  }
  return {
    isLive,
    today,
    countries: FIGURE_COUNTRIES.flatMap((country) => {
      const found = paramsOf(country)
      if (!found) return []
      return {
        country,
        currency: found.currency,
        margin: found.rates.margin,
        creditors: creditors.find((one) => one.country === country)?.count ?? 0,
        figures: figuresOf(country).map((figure) => present(country, figure)),
      }
    }),
  }
}
