/** Closing a month: with what it came to, by one person of finance, for good (M-33). */
import { createHash } from 'node:crypto'
import { Refusal } from '@kvitt/domain/errors.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { closableMonths, lastDayOf, parseMonth, type Month } from '@kvitt/domain/month-close/month-close.ts'
import { parseDate } from '@kvitt/domain/calendar.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Connection } from '../platform/database/database.ts'
import { inOneSnapshot } from '../platform/database/within.ts'
import { firstBookedDay } from '../receivables/receivables.ts'
import { actorOf, type OperatorMember } from '../staff/staff.ts'
import {
  insertClosing,
  readClosing,
  readClosings,
  readMark,
  standStill,
  type ClosedRow,
} from './month-close.queries.ts'
import { reportMonth, type MonthReport } from './month-report.ts'

type Reading = Pick<Context, 'db' | 'clock'>

/** With who closed it; null while it is open. */
export type ReadReport = MonthReport & { readonly closed: ClosedRow | null }

/** Which months are closed, the newest first, and which may be now. */
export async function listClosings(
  { db, clock }: Reading,
  { instance }: OperatorMember,
): Promise<{ readonly open: Month[]; readonly closed: ClosedRow[] }> {
  const closed = await readClosings(db, instance.id)
  return { open: await openMonths(db, clock, { instance, closed }), closed }
}

async function openMonths(
  db: Connection,
  clock: Context['clock'],
  { instance, closed }: { instance: OperatorMember['instance']; closed: readonly ClosedRow[] },
): Promise<Month[]> {
  const first = await firstBookedDay(db, instance.id)
  return closableMonths({
    lastClosed: closed[0]?.month,
    firstBooked: first === null ? undefined : parseDate(first),
    today: clock.today(instance.timeZone),
  })
}

/** Refuses `invalid_request`. */
function monthMeant(text: string): Month {
  const month = parseMonth(text)
  if (month === undefined) throw new Refusal('invalid_request', {}, ['month'])
  return month
}

/** Of a closed month as it was closed; of one that may be closed now, as it stands. Refuses `not_found` for any other. */
export async function readReport(
  context: Reading,
  { instance }: OperatorMember,
  text: string,
): Promise<ReadReport> {
  const { db, clock } = context
  const month = parseMonth(text)
  if (month === undefined) throw new Refusal('not_found')
  const kept = await keptReport(db, instance.id, month)
  if (kept) return kept
  const closed = await readClosings(db, instance.id)
  if (!(await openMonths(db, clock, { instance, closed })).includes(month)) throw new Refusal('not_found')
  return { ...(await reportMonth(context, instance, month)), closed: null }
}

async function keptReport(db: Connection, instanceId: string, month: Month): Promise<ReadReport | undefined> {
  const row = await readClosing(db, instanceId, month)
  if (!row) return undefined
  const { report, ...closed } = row
  // As this program has written it (month-report.ts).
  return { ...(report as MonthReport), closed }
}

/** Of what a report says. What is counted of now and not of its day is left out: it would never stand still. */
export function versionOf({ month, checks, currencies }: MonthReport): string {
  const said = currencies.map(({ suspense, ...one }) => ({ ...one, suspense: suspense.minor }))
  return createHash('sha256')
    .update(JSON.stringify([month, checks, said]))
    .digest('base64url')
    .slice(0, 22)
}

type Closing = {
  readonly month: string
  readonly version: string
  readonly note?: string | null | undefined
}

/**
 * What was shown is written down while the books stand still, and from then on nothing is booked into the month. It is counted before
 * that, and nothing that it is counted of has changed. Closed before, it answers that. Refuses `month_not_closable` while something is
 * in the way, `changed_meanwhile` where it is not what was shown, `why_required` where nothing is said of what is not in order, and
 * `books_busy` where others book all the time.
 */
export async function closeMonth(
  { db, clock }: Reading,
  principal: OperatorMember,
  { month: text, version, note }: Closing,
): Promise<ReadReport> {
  const { instance } = principal
  const { id: instanceId } = instance
  const month = monthMeant(text)
  const before = await keptReport(db, instanceId, month)
  if (before) return before
  const day = lastDayOf(month)
  const { report, mark } = await inOneSnapshot(db, async (here) => {
    const closed = await readClosings(here, instanceId)
    if (!(await openMonths(here, clock, { instance, closed })).includes(month))
      throw new Refusal('month_not_closable', {}, ['month'])
    return {
      mark: await readMark(here, instanceId, day),
      report: await reportMonth({ db: here, clock }, instance, month),
    }
  })
  if (report.checks.some(({ state }) => state === 'BLOCKS'))
    throw new Refusal('month_not_closable', {}, ['month'])
  if (versionOf(report) !== version) throw new Refusal('changed_meanwhile')
  const said = note?.trim() ?? ''
  if (report.checks.some(({ state }) => state === 'NAME') && !saysSomething(said))
    throw new Refusal('why_required', {}, ['note'])
  const by = actorOf(principal)
  return db.transaction(async (tx) => {
    if (!(await standStill(tx, instanceId))) throw new Refusal('books_busy')
    const other = await keptReport(tx, instanceId, month)
    if (other) return other
    if ((await readMark(tx, instanceId, day)) !== mark) throw new Refusal('changed_meanwhile')
    await insertClosing(tx, {
      instanceId,
      month,
      closedTo: day,
      by,
      note: said,
      report,
      sums: report.currencies.map(({ currency, receivables, heldMinor }) => ({
        currency,
        owedMinor: receivables.totalMinor,
        heldMinor,
      })),
    })
    // After the books: whoever notes a deed before it books would wait here for good.
    await noteDeed(tx, {
      instanceId,
      kind: 'month_closed',
      by,
      about: `month:${month}`,
      reason: said,
      after: { month, checks: report.checks },
    })
    const kept = await keptReport(tx, instanceId, month)
    if (!kept) throw new Error(`month ${month} was not kept`)
    return kept
  })
}
