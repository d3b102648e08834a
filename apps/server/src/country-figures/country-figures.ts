/**
 * Rates, fees and ceilings of the law at a provider: what the product knows, and what two people have entered since (staff.md 1). What
 * charges reads them through `holdFigures` in its own transaction, so that no figure changes between the reading and the books.
 */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { paramsOf, type Figures } from '@kvitt/domain/collection/country-params.ts'
import {
  figuresWith,
  isHalfYearly,
  isSameValue,
  REFERENCE_RATE,
  ratesOfFigure,
  rowOn,
  rowsOf,
  stepOfFigure,
  whyNotFigure,
  type EnteredFigure,
  type FigureValue,
} from '@kvitt/domain/collection/entered-figures.ts'
import { halfYearOf } from '@kvitt/domain/collection/half-years.ts'
import { isFigureKnown } from '@kvitt/domain/collection/missing-figure.ts'
import { readFigure } from '@kvitt/domain/collection/read-figure.ts'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type { proposeCountryFigure } from '@kvitt/domain/country-figures/country-figure.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { propose, type ProposalWork, type ProposedState } from '../proposals/proposals.ts'
import type { OperatorMember } from '../staff/staff.ts'
import { endTasks } from '../tasks/tasks.ts'
import {
  insertFigureRow,
  isFeeCharged,
  isOtherInterest,
  lockFigures,
  readAskedRows,
  readEnteredRows,
  readIsLive,
  shareFigures,
} from './country-figures.queries.ts'

/** For what is only shown: nothing keeps another from being entered meanwhile. */
export async function readFigures(db: Connection, instanceId: string): Promise<Figures> {
  return figuresWith(await readEnteredRows(db, instanceId))
}

/** For what is charged: none is entered before the transaction has ended. Call it before tasks and the audit log are written. */
export async function holdFigures(tx: Transaction, instanceId: string): Promise<Figures> {
  await shareFigures(tx, instanceId)
  return readFigures(tx, instanceId)
}

/** Ends the tasks that ask for a figure which is known by now. */
export async function endKnownFigures(
  db: Connection,
  instanceId: string,
  { figures, today }: { readonly figures: Figures; readonly today: CalendarDate },
): Promise<void> {
  const asked = await readAskedRows(db, instanceId)
  if (asked.length === 0) return
  const isLive = await readIsLive(db, instanceId)
  for (const kind of ['rate_unknown', 'ceiling_unknown'] as const) {
    const abouts = asked
      .filter((row) => row.kind === kind && isFigureKnown(row.about, { isLive, figures }, today))
      .map(({ about }) => about)
    if (abouts.length > 0) await endTasks(db, { instanceId, kind, abouts })
  }
}

type Written = BodyOf<typeof proposeCountryFigure>
type Place = Pick<EnteredFigure, 'country' | 'figure' | 'from'>

const aboutOf = ({ country, figure, from }: Place): string => `country-figure:${country}:${figure}:${from}`

function placeOf(about: string): Place {
  const [, country = '', figure = '', from = ''] = about.split(':')
  return { country, figure, from }
}

/** What holds on its first day without it. */
async function stateOf(tx: Transaction, instanceId: string, place: Place): Promise<ProposedState> {
  const figures = await readFigures(tx, instanceId)
  const row = rowOn(place.country, place.figure, { day: date(place.from), figures })
  if (!row) return place
  return { ...place, ...row.value, source: row.source, isAssumed: row.isAssumed }
}

/** The last day that a row of a first day can hold; null: none is known. */
function lastDayOf({ country, figure, from }: Place, figures: Figures): CalendarDate | null {
  if (isHalfYearly(country, figure)) return halfYearOf(date(from)).to
  const next = rowsOf(country, figure, figures).find((row) => row.from !== null && row.from > from)
  return next?.from ? addDays(date(next.from), -1) : null
}

/**
 * Has somebody been charged by another value for days from its first one on? What is in the books stays there: so the figure would
 * not be the one that these debts were charged by.
 */
async function isChargedOtherwise(
  tx: Transaction,
  instanceId: string,
  { value, ...place }: Place & { readonly value: FigureValue },
): Promise<boolean> {
  const { country, figure, from } = place
  const figures = await readFigures(tx, instanceId)
  const now = rowOn(country, figure, { day: date(from), figures })
  if (now && isSameValue(now.value, value)) return false
  const to = lastDayOf(place, figures)
  if (figure === REFERENCE_RATE && 'percent' in value) {
    for (const [kind, percents] of Object.entries(ratesOfFigure(country, value.percent))) {
      const of = { instanceId, country, from, kind: kind === 'business' ? 'COMPANY' : 'PERSON' } as const
      if (await isOtherInterest(tx, of, { to: to ?? from, percents })) return true
    }
    return false
  }
  const fee = stepOfFigure(figure)
  if (!fee) return false
  const of = { instanceId, country, from, kind: fee.kind === 'business' ? 'COMPANY' : 'PERSON' } as const
  return isFeeCharged(tx, of, { to, step: fee.step })
}

/** The field that a refusal is about, where it is not the day. */
const FIELDS: Readonly<Record<string, string>> = { figure_unknown: 'figure', figure_same: 'value' }

/** Refuses what may not be entered, with the field. Under lockFigures. */
async function requireEnterable(
  tx: Transaction,
  instanceId: string,
  {
    written,
    today,
  }: { readonly written: Place & { readonly value: FigureValue }; readonly today: CalendarDate },
): Promise<void> {
  const figures = await readFigures(tx, instanceId)
  const code = whyNotFigure(written, { today, figures })
  if (code) throw new Refusal(code, {}, [FIELDS[code] ?? 'from'])
  if (await isChargedOtherwise(tx, instanceId, written)) throw new Refusal('figure_charged', {}, ['from'])
}

/**
 * Proposes a figure from a day on. Answers the proposal. Refuses `figure_unknown`, `figure_value_wrong`, `figure_day_wrong`,
 * `figure_confirmed`, `figure_same` and `figure_charged`, and `proposal_open` while one for the same day waits.
 */
export async function proposeFigure(
  context: Context,
  principal: OperatorMember,
  { country, figure, from, source, ...written }: Written,
): Promise<string> {
  const { id: instanceId, timeZone } = principal.instance
  if (!paramsOf(country)) throw new Refusal('figure_unknown', {}, ['country'])
  const value = readFigure(country, figure, written)
  const today = context.clock.today(timeZone)
  if ('field' in value) {
    // What is no figure has no value either.
    const code = whyNotFigure({ country, figure, from, value: { percent: '' } }, { today, figures: {} })
    if (code === 'figure_unknown') throw new Refusal(code, {}, ['figure'])
    throw new Refusal('figure_value_wrong', {}, [value.field])
  }
  const place = { country, figure, from }
  return context.db.transaction(async (tx) => {
    await lockFigures(tx, instanceId)
    await requireEnterable(tx, instanceId, { written: { ...place, value }, today })
    return propose(tx, context, principal, {
      kind: 'country_figure',
      about: aboutOf(place),
      creditorId: null,
      before: await stateOf(tx, instanceId, place),
      after: { ...place, ...value, source },
    })
  })
}

/** From then on it is charged by: the steps that waited go on the next night, and nobody is asked for it any more. */
export const COUNTRY_FIGURE_WORK: ProposalWork = {
  readNow: async (tx, { instanceId, about }) => {
    await lockFigures(tx, instanceId)
    return stateOf(tx, instanceId, placeOf(about))
  },
  carryOut: async (tx, { context, principal: { instance }, proposal }) => {
    const { id: instanceId, timeZone } = instance
    const today = context.clock.today(timeZone)
    const { country, figure, from, source, ...value } = proposal.after as Place & {
      source: string
    } & FigureValue
    const place = { country, figure, from }
    await requireEnterable(tx, instanceId, { written: { ...place, value }, today })
    const row = { ...place, value, source, id: newId(context.clock.now()), proposalId: proposal.id }
    await insertFigureRow(tx, instanceId, row)
    await endKnownFigures(tx, instanceId, { figures: await readFigures(tx, instanceId), today })
  },
}
