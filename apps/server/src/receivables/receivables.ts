/** What debtors owed at the end of a day, by the books: the list, what it comes to, and both as a file. */
import { parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { AGE_BUCKETS } from '@kvitt/domain/receivables/ageing.ts'
import type { Context } from '../context.ts'
import type { Connection, Database } from '../platform/database/database.ts'
import { inOneSnapshot } from '../platform/database/within.ts'
import type { JsonText } from '../platform/http/json.ts'
import type { Listed } from '../platform/http/paging.ts'
import type { OfficeQuery } from '../staff/office-list.ts'
import type { OwedSum } from './owed-on-paper.ts'
import type { OfficePrincipal } from '../staff/staff.ts'
import {
  readFirstBooked,
  readKept,
  readOwedSums,
  searchOwedRows,
  type OwedOf,
} from './receivables.queries.ts'

export { sidesOfOwed, type OwedSum } from './owed-on-paper.ts'

type Reading = Pick<Context, 'db' | 'clock'>
export type ReceivablesQuery = OfficeQuery & { readonly day?: string | undefined }

/**
 * The day that is meant, today where none is. Refuses `day_out_of_reach` for a day to come and one before the books begin,
 * `invalid_request` for what is no day.
 */
export async function dayMeant(
  { db, clock }: Reading,
  { instance }: Pick<OfficePrincipal, 'instance'>,
  wanted: string | undefined,
): Promise<CalendarDate> {
  const today = clock.today(instance.timeZone)
  if (wanted === undefined) return today
  const day = parseDate(wanted)
  if (!day) throw new Refusal('invalid_request', {}, ['day'])
  const from = (await readFirstBooked(db, instance.id)) ?? today
  if (day > today || day < from) throw new Refusal('day_out_of_reach', { from, to: today }, ['day'])
  return day
}

/** The first day on which anything was booked; null before that. */
export function firstBookedDay(db: Connection, instanceId: string): Promise<string | null> {
  return readFirstBooked(db, instanceId)
}

/** The open debts of the day that is meant, one page of them. */
export async function searchReceivables(
  context: Reading,
  principal: OfficePrincipal,
  { day: wanted, ...query }: ReceivablesQuery,
  body: Readonly<Record<string, unknown>> | undefined,
): Promise<Listed<JsonText>> {
  const day = await dayMeant(context, principal, wanted)
  const { clock } = context
  // The list's own day is the one that is meant.
  const then = { now: () => clock.now(), today: () => day }
  return searchOwedRows({ db: context.db, clock: then }, principal, query, body)
}

/** What was owed at the end of a day by currency, and what the books kept of it: read at one moment. */
export function sumUpReceivables(db: Database, of: OwedOf): Promise<OwedSum[]> {
  return inOneSnapshot(db, (here) => sumUpWithin(here, of))
}

/** The same where the caller keeps the books still meanwhile, or reads all of one moment. */
export async function sumUpWithin(db: Connection, of: OwedOf): Promise<OwedSum[]> {
  const rows = await readOwedSums(db, of)
  const kept = await readKept(db, of)
  const currencies = [...new Set([...rows, ...kept].map(({ currency }) => currency))].toSorted()
  return currencies
    .map((currency) => {
      const own = rows.filter((row) => row.currency === currency)
      const sum = (part: 'count' | 'principalMinor' | 'costsMinor' | 'interestMinor' | 'totalMinor') =>
        own.reduce((all, row) => all + row[part], 0)
      return {
        currency,
        count: sum('count'),
        principalMinor: sum('principalMinor'),
        costsMinor: sum('costsMinor'),
        interestMinor: sum('interestMinor'),
        totalMinor: sum('totalMinor'),
        ages: AGE_BUCKETS.map((bucket) => {
          const { count = 0, totalMinor = 0 } = own.find((row) => row.bucket === bucket) ?? {}
          return { bucket, count, totalMinor }
        }),
        keptMinor: kept.find((row) => row.currency === currency)?.minor ?? 0,
      }
    })
    .filter(({ count, keptMinor }) => count > 0 || keptMinor !== 0)
}
