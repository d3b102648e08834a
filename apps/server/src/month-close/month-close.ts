/** Closing a month: with what it came to, by one person of finance, for good (staff.md 6; M-33). */
import { Refusal } from '@kvitt/domain/errors.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { closableMonths, lastDayOf, parseMonth, type Month } from '@kvitt/domain/month-close/month-close.ts'
import { parseDate } from '@kvitt/domain/calendar.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Connection } from '../platform/database/database.ts'
import { firstBookedDay } from '../receivables/receivables.ts'
import { actorOf, type OperatorMember } from '../staff/staff.ts'
import {
  insertClosing,
  readClosing,
  readClosings,
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

/**
 * While the books stand still: what the month comes to is written down, and from then on nothing is booked into it. Closed before, it
 * answers that. Refuses `month_not_closable` while something is in the way, and `why_required` where nothing is said of what is not in
 * order.
 */
export function closeMonth(
  { db, clock }: Reading,
  principal: OperatorMember,
  { month: text, note }: { readonly month: string; readonly note?: string | null | undefined },
): Promise<ReadReport> {
  const { instance } = principal
  const { id: instanceId } = instance
  const month = monthMeant(text)
  return db.transaction(async (tx) => {
    await standStill(tx, instanceId)
    const before = await keptReport(tx, instanceId, month)
    if (before) return before
    const closed = await readClosings(tx, instanceId)
    if (!(await openMonths(tx, clock, { instance, closed })).includes(month))
      throw new Refusal('month_not_closable', {}, ['month'])
    const report = await reportMonth({ db: tx, clock }, instance, month)
    if (report.checks.some(({ state }) => state === 'BLOCKS'))
      throw new Refusal('month_not_closable', {}, ['month'])
    const said = note?.trim() ?? ''
    if (report.checks.some(({ state }) => state === 'NAME') && !saysSomething(said))
      throw new Refusal('why_required', {}, ['note'])
    const by = actorOf(principal)
    await insertClosing(tx, {
      instanceId,
      month,
      closedTo: lastDayOf(month),
      by,
      note: said,
      report,
      sums: report.currencies.map(({ currency, receivables, heldMinor }) => ({
        currency,
        owedMinor: receivables.totalMinor,
        heldMinor,
      })),
    })
    await noteDeed(tx, {
      instanceId,
      kind: 'month_closed',
      by,
      about: `month:${month}`,
      reason: said === '' ? 'in order' : said,
      after: { month, checks: report.checks },
    })
    const kept = await keptReport(tx, instanceId, month)
    if (!kept) throw new Error(`month ${month} was not kept`)
    return kept
  })
}
