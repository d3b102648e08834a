/** How the files of an account come, and up to when it is told: chosen and confirmed by persons, told by files. */
import type { NumberedFile } from '@kvitt/domain/bank-files/bank-file.ts'
import type { AccountFiles, DaySpan } from '@kvitt/domain/bank-files/told-days.ts'
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { isUuid } from '@kvitt/domain/ids.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { newId } from '../platform/identity.ts'
import type { Database, Transaction } from '../platform/database/database.ts'
import { endTask, endTasks } from '../tasks/tasks.ts'
import {
  insertToldRows,
  lockFilesRow,
  readGaps,
  readOpenMissing,
  setFilesRow,
  type FilesRow,
} from './account-files.queries.ts'
import { findNamed } from './add-address.ts'
import { AccountRefused } from './own-accounts.ts'

type At = {
  readonly instanceId: string
  readonly today: CalendarDate
  /** The account by any of its numbers, or by its identifier. */
  readonly of: string
  /** Who says it, for the audit log. */
  readonly by: string
}

async function lockNamed(tx: Transaction, { instanceId, of }: At): Promise<FilesRow> {
  const id = isUuid(of) ? of : (await findNamed(tx, instanceId, of)).account_id
  const account = await lockFilesRow(tx, instanceId, id)
  if (!account) throw new AccountRefused(`${of} is no account of this provider that can be paid to.`)
  return account
}

/**
 * Keeps how the files of an account come. Its bank days have to be told of from today on, or from when that was asked for
 * first. The same again changes nothing. Throws AccountRefused.
 */
export async function chooseFiles(
  { db }: Pick<Context, 'db'>,
  at: At & { readonly files: AccountFiles },
): Promise<void> {
  const { instanceId, today, files, by } = at
  await db.transaction(async (tx) => {
    const before = await lockNamed(tx, at)
    if (before.files === files) return
    const since = files === 'none' ? null : (before.files_since ?? today)
    await setFilesRow(tx, instanceId, { id: before.id, files, files_since: since })
    const about = `account:${before.id}`
    await endTask(tx, { instanceId, kind: 'account_files_unset', about })
    await endFoundFiles(tx, instanceId)
    await noteDeed(tx, {
      instanceId,
      kind: 'account_files_chosen',
      by,
      about,
      before: { files: before.files, since: before.files_since },
      after: { files, since },
    })
  })
}

/** A person has made sure that all money of the account up to and with the day `to` is here. Throws AccountRefused. */
export async function confirmTold(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  at: At & { readonly to: CalendarDate },
): Promise<void> {
  const { instanceId, today, to, by } = at
  if (to > today) throw new AccountRefused(`${to} is still to come.`)
  await db.transaction(async (tx) => {
    const { id, files_since: since } = await lockNamed(tx, at)
    if (since === null) throw new AccountRefused(`Say first how the files of ${at.of} come, with --files.`)
    if (to < since) throw new AccountRefused(`Files of ${at.of} are asked for from ${since} on only.`)
    await insertToldRows(tx, instanceId, [
      { id: newId(clock.now()), accountId: id, first: date(since), last: to, by },
    ])
    await endFoundFiles(tx, instanceId)
    await noteDeed(tx, {
      instanceId,
      kind: 'account_told',
      by,
      about: `account:${id}`,
      after: { upTo: to },
    })
  })
}

type ToldByFile = { readonly days?: DaySpan | undefined; readonly numbered?: NumberedFile | undefined }

/** Keeps of which days a file tells. The same again, also from another file, adds nothing. */
export async function keepTold(
  tx: Transaction,
  { instanceId, accountId, clock }: { instanceId: string; accountId: string; clock: Context['clock'] },
  told: readonly ToldByFile[],
): Promise<void> {
  const rows = told.flatMap(({ days, numbered }) => [
    ...(days ? [{ id: newId(clock.now()), accountId, ...days }] : []),
    ...(numbered ? [{ id: newId(clock.now()), accountId, ...numbered, numbered }] : []),
  ])
  await insertToldRows(tx, instanceId, rows)
}

/** After all that may come. */
const FOR_EVER = '9999-12-31'

/** Ends the tasks of files that have come, that a person says are none, or that nobody asks for any more. */
export async function endFoundFiles(db: Database | Transaction, instanceId: string): Promise<void> {
  const open = await readOpenMissing(db, instanceId)
  if (open.length === 0) return
  const gaps = await readGaps(db, instanceId, FOR_EVER)
  const isMissing = (about: string): boolean => {
    const [, id, day = ''] = about.split(':')
    return gaps.some(({ account_id: of, first, last }) => of === id && first <= day && day <= last)
  }
  const abouts = open.filter((about) => !isMissing(about))
  await endTasks(db, { instanceId, kind: 'bank_file_missing', abouts })
}
