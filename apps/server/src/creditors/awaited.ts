/** Whose files a daily run still waits for: debts that are paid to such an account wait with it. */
import { isWaitedFor, untoldSpans, type DaySpan } from '@kvitt/domain/bank-files/told-days.ts'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { CURRENCIES } from '@kvitt/domain/money.ts'
import type { Connection } from '../platform/database/database.ts'
import { openTasks } from '../tasks/tasks.ts'
import {
  readFilesRows,
  readGaps,
  readJoined,
  readUnset,
  readWaitSettings,
  type FilesRow,
  type GapRow,
} from './account-files.queries.ts'

export type Awaited = {
  readonly isNobody: boolean
  /** Accounts that are not told of up to the day before the daily run. */
  readonly accountIds: readonly string[]
  /** Of these the instance's own: what is owed in these currencies, and has no account of its own, is paid there. */
  readonly currencies: readonly string[]
}

const NOBODY: Awaited = { isNobody: true, accountIds: [], currencies: [] }

/** An account with bank days that nothing has told of. */
type Untold = { readonly account: GapRow; readonly span: DaySpan }

export type FilesOfRun = {
  readonly awaited: Awaited
  /** What nobody waits for any more, and is asked for. */
  readonly missing: readonly Untold[]
}

function untoldOf(country: string, rows: readonly GapRow[]): Untold[] {
  const byAccount = new Map<string, GapRow[]>()
  for (const row of rows) byAccount.set(row.account_id, [...(byAccount.get(row.account_id) ?? []), row])
  return [...byAccount.values()].flatMap((of) => {
    const gaps = of.map(({ first, last }) => ({ first: date(first), last: date(last) }))
    return untoldSpans(country, gaps).flatMap((span) => (of[0] ? [{ account: of[0], span }] : []))
  })
}

/** What an account of the instance is asked for: a giro takes kronor, an IBAN what was said of it, else anything. */
function currenciesOf({ creditor_id: creditorId, currency, is_giro: isGiro }: GapRow): readonly string[] {
  if (creditorId !== null) return []
  if (currency) return [currency]
  return isGiro ? ['SEK'] : CURRENCIES
}

/**
 * What the daily run of `day` knows of files, read once: all bank days before it are to be told of. Whoever is not told is waited
 * for, until it is so late that nobody waits any more.
 */
export async function readFilesOfRun(
  db: Connection,
  instanceId: string,
  day: CalendarDate,
): Promise<FilesOfRun> {
  const { country, wait_days: waitDays, has_files: hasFiles } = await readWaitSettings(db, instanceId)
  if (!hasFiles) return { awaited: NOBODY, missing: [] }
  const untold = untoldOf(country, await readGaps(db, instanceId, day))
  const isAwaited = ({ span }: Untold): boolean => isWaitedFor(country, span, { day, waitDays })
  const missing = untold.filter((one) => !isAwaited(one))
  const awaited = untold.filter(isAwaited)
  if (awaited.length === 0) return { awaited: NOBODY, missing }
  const ids = [...new Set(awaited.map(({ account }) => account.account_id))]
  const accountIds = [...ids, ...(await readJoined(db, instanceId, ids))]
  const currencies = [...new Set(awaited.flatMap(({ account }) => currenciesOf(account)))]
  return { awaited: { isNobody: false, accountIds, currencies }, missing }
}

/**
 * Asks, as every daily run does as long as it is so, for the files that nobody waits for any more, once by account and first day,
 * and in a live instance how the files of an account come.
 */
export async function askForFiles(
  db: Connection,
  instanceId: string,
  { missing }: Pick<FilesOfRun, 'missing'>,
): Promise<void> {
  const unset = await readUnset(db, instanceId)
  await openTasks(db, [
    ...unset.map(({ id, creditor_id: creditorId }) => ({
      instanceId,
      kind: 'account_files_unset' as const,
      about: `account:${id}`,
      details: { creditorId },
    })),
    ...missing.map(({ account, span }) => ({
      instanceId,
      kind: 'bank_file_missing' as const,
      about: `account:${account.account_id}:${span.first}`,
      details: { accountId: account.account_id, from: span.first, to: span.last },
    })),
  ])
}

/** What is known of an account's files on a day. */
export type AccountFilesNow = FilesRow & {
  /** All that came up to and with this day is here; null: nothing is told yet, or nobody waits for its files. */
  readonly toldTo: CalendarDate | null
  /** Bank days before today that the daily run waits for, and those that it goes on without. */
  readonly awaited: readonly DaySpan[]
  readonly missing: readonly DaySpan[]
}

/** Of each account that can be paid to: how its files come, up to when it is told on `today`, and what is missing. */
export async function readAccountFiles(
  db: Connection,
  instanceId: string,
  today: CalendarDate,
): Promise<AccountFilesNow[]> {
  const { country, wait_days: waitDays } = await readWaitSettings(db, instanceId)
  const untold = untoldOf(country, await readGaps(db, instanceId, addDays(today, 1)))
  const before = untoldOf(country, await readGaps(db, instanceId, today))
  const isAwaited = ({ span }: Untold): boolean => isWaitedFor(country, span, { day: today, waitDays })
  return (await readFilesRows(db, instanceId)).map((row) => {
    const isOf = ({ account }: Untold): boolean => account.account_id === row.id
    const first = untold.find(isOf)?.span.first
    const last = first === undefined ? today : addDays(first, -1)
    const isTold = row.files_since !== null && last >= row.files_since
    const of = before.filter(isOf)
    return {
      ...row,
      toldTo: isTold ? last : null,
      awaited: of.filter(isAwaited).map(({ span }) => span),
      missing: of.filter((one) => !isAwaited(one)).map(({ span }) => span),
    }
  })
}
