/**
 * Rates, fees and ceilings of the law at a provider: what the product knows, and what two people have entered since. What
 * charges reads them through `holdFigures` in its own transaction, so that no figure changes between the reading and the books.
 */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { paramsOf, type Figures } from '@kvitt/domain/collection/country-params.ts'
import {
  figuresWith,
  isSameValue,
  rowOn,
  rowsOf,
  whyNotFigure,
  type EnteredFigure,
  type FigureValue,
  type NewFigure,
} from '@kvitt/domain/collection/entered-figures.ts'
import { isFigureKnown } from '@kvitt/domain/collection/missing-figure.ts'
import { readFigure } from '@kvitt/domain/collection/read-figure.ts'
import { isUnusual, valueBefore } from '@kvitt/domain/collection/unusual-figure.ts'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type { proposeCountryFigure } from '@kvitt/domain/country-figures/country-figure.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { propose, type ProposalWork, type ProposedState } from '../proposals/proposals.ts'
import type { OperatorMember } from '../staff/staff.ts'
import { endTasks } from '../tasks/tasks.ts'
import { askToRestate, readChargedOtherwise } from './charged-otherwise.ts'
import {
  insertFigureRow,
  readAskedRows,
  readEnteredRows,
  readIsLive,
  shareFigures,
  tryFigures,
} from './country-figures.queries.ts'

export { askAboutContradicted } from './charged-otherwise.ts'

/** What was entered at a provider, in the order of its entry; the product's own figures stand beside it. */
export function readEnteredFigures(db: Connection, instanceId: string): Promise<EnteredFigure[]> {
  return readEnteredRows(db, instanceId)
}

/** For what is only shown: nothing keeps another from being entered meanwhile. */
export async function readFigures(db: Connection, instanceId: string): Promise<Figures> {
  return figuresWith(await readEnteredRows(db, instanceId))
}

/**
 * For what is charged: none is entered before the transaction has ended. One order for all: debts, then figures, then the books (which each
 * posting shares, and the closing of a month has alone), then accounts of the ledger, then tasks, then the audit log. Whoever enters a figure holds no debt and no account, and waits for nobody's while others wait for it.
 */
export async function holdFigures(tx: Transaction, instanceId: string): Promise<Figures> {
  await shareFigures(tx, instanceId)
  return readFigures(tx, instanceId)
}

/** For what is entered: nobody charges before the transaction has ended. Refuses `figures_busy` where somebody charged all the time. */
export async function lockFigures(tx: Transaction, instanceId: string): Promise<void> {
  if (!(await tryFigures(tx, instanceId))) throw new Refusal('figures_busy')
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
      .filter((row) => row.kind === kind)
      .filter(({ about, neededOn }) =>
        isFigureKnown(about, { isLive, figures }, today, neededOn === null ? today : date(neededOn)),
      )
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

/** The field that a refusal is about, where it is not the day. */
const FIELDS: Readonly<Record<string, string>> = {
  figure_unknown: 'figure',
  figure_closed: 'figure',
  figure_same: 'value',
}

type Wanted = {
  readonly written: NewFigure
  readonly today: CalendarDate
  /** It is known that another value was charged, and that it stays in the books. */
  readonly corrects: boolean
}

/** Refuses what may not be entered, with the field. Answers whether it corrects what was charged. */
async function requireEnterable(
  db: Connection,
  instanceId: string,
  { written, today, corrects }: Wanted,
): Promise<boolean> {
  const entered = await readEnteredRows(db, instanceId)
  const figures = figuresWith(entered)
  const code = whyNotFigure(written, { today, figures })
  if (code) throw new Refusal(code, {}, [FIELDS[code] ?? 'from'])
  const { country, figure, from, value } = written
  const now = rowOn(country, figure, { day: date(from), figures })
  if (now && isSameValue(now.value, value)) return false
  const isCharged = (await readChargedOtherwise(db, instanceId, written, { entered, most: 1 })).length > 0
  if (isCharged && !corrects) throw new Refusal('figure_charged', {}, ['corrects'])
  return isCharged
}

/**
 * Proposes a figure from a day on. Answers the proposal. Refuses `figure_unknown`, `figure_closed`, `figure_value_wrong`, `figure_day_wrong`,
 * `figure_confirmed` and `figure_same`; `figure_unusual` and `figure_charged` until whoever proposes has said that it is so; and
 * `proposal_open` while one for the same day waits.
 */
export async function proposeFigure(
  context: Context,
  principal: OperatorMember,
  { country, figure, from, source, confirmed = false, corrects = false, ...written }: Written,
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
  const wanted = { ...place, value }
  const { db } = context
  // Before anybody waits for it: the books may be long, and the agreement looks again.
  const isCorrection = await requireEnterable(db, instanceId, { written: wanted, today, corrects })
  const rows = rowsOf(country, figure, await readFigures(db, instanceId))
  if (!confirmed && isUnusual(value, valueBefore(rows, from)))
    throw new Refusal('figure_unusual', {}, ['confirmed'])
  return db.transaction(async (tx) => {
    await lockFigures(tx, instanceId)
    return propose(tx, context, principal, {
      kind: 'country_figure',
      about: aboutOf(place),
      creditorId: null,
      before: await stateOf(tx, instanceId, place),
      after: { ...place, ...value, source, ...(isCorrection ? { corrects: true } : {}) },
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
    const {
      country,
      figure,
      from,
      source,
      corrects = false,
      ...value
    } = proposal.after as Place & { source: string; corrects?: boolean } & FigureValue
    const written = { country, figure, from, value }
    const entered = await readEnteredRows(tx, instanceId)
    if (await requireEnterable(tx, instanceId, { written, today, corrects }))
      await askToRestate(tx, instanceId, written, { entered, cause: proposal.id })
    const row = { ...written, source, id: newId(context.clock.now()), proposalId: proposal.id }
    await insertFigureRow(tx, instanceId, row)
    await endKnownFigures(tx, instanceId, { figures: await readFigures(tx, instanceId), today })
  },
}
