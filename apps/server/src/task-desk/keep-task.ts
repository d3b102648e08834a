/** A task is given to somebody, put aside for some days, or written on. It stays open: only its cause or a decision ends it. */
import { isDeepStrictEqual } from 'node:util'
import { addDays, date, parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { deadlineOf, TASK_KINDS } from '@kvitt/domain/tasks/task-kind.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import {
  insertNote,
  lockKept,
  readTask,
  updateKept,
  type Kept,
  type TaskKey,
  type TaskRow,
} from '../tasks/tasks.ts'
import { TaskRefused } from './task-refused.ts'

export type Keeping =
  /** Null: nobody in particular. */
  | { readonly assignee: string | null; readonly membershipId?: string }
  /** A day to come, its last one at the latest, on which it is back in the list; null: it is back now. */
  | { readonly snoozedUntil: string | null }
  | { readonly note: string }

const LONGEST_NAME = 60
const LONGEST_NOTE = 1_000
/** What is put aside for longer is forgotten. */
export const MOST_DAYS_ASIDE = 90

/** Does it and writes down who did, with what was before. The same again changes nothing. Throws TaskRefused. */
export async function keepTask(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  key: TaskKey,
  { keeping, by }: { readonly keeping: Keeping; readonly by: string },
): Promise<void> {
  const seen = await readTask(db, key)
  if (!seen) throw new TaskRefused(`The provider has no task ${key.id}.`)
  const wanted = checked(keeping, seen, clock.today(seen.time_zone))
  await db.transaction(async (tx) => {
    const before = await lockKept(tx, key)
    if (!before) throw new TaskRefused(`The task ${key.id} is done.`, 'task_done')
    if ('note' in wanted) return insertNote(tx, key, { text: wanted.note, by })
    const now = { ...before, ...changeOf(wanted) }
    if (isDeepStrictEqual(now, before)) return
    await updateKept(tx, key, now)
    await noteKept(tx, key, { by, before: byReference(before), now: byReference(now) })
  })
}

function changeOf(wanted: Exclude<Keeping, { readonly note: string }>): Partial<Kept> {
  if ('snoozedUntil' in wanted) return { snoozed_until: wanted.snoozedUntil }
  return { assignee: wanted.assignee, assignee_id: wanted.membershipId ?? null }
}

/** Whoever has a membership is written down by it, so that erasing a person breaks no chain. */
function byReference({ assignee, assignee_id: id, snoozed_until }: Kept): object {
  return { assignee: id === null ? assignee : `membership:${id}`, snoozed_until }
}

function checked(keeping: Keeping, task: TaskRow, today: CalendarDate): Keeping {
  if ('note' in keeping) return { note: wordsOf(keeping.note, 'A note', LONGEST_NOTE) }
  if ('assignee' in keeping) {
    const { assignee } = keeping
    return { ...keeping, assignee: assignee === null ? null : wordsOf(assignee, 'A name', LONGEST_NAME) }
  }
  const { snoozedUntil } = keeping
  if (snoozedUntil === null) return keeping
  const [day, last] = [parseDate(snoozedUntil), lastDayAside(task, today)]
  if (day && day > today && day <= last) return { snoozedUntil: day }
  throw new TaskRefused(
    `A task is put aside until a day after ${today} and up to ${last}, not ${snoozedUntil}.`,
    'snooze_day_invalid',
  )
}

/** No task is out of sight on its last day. Throws TaskRefused when that has come. */
function lastDayAside({ kind, made_on: madeOn, country }: TaskRow, today: CalendarDate): CalendarDate {
  const farthest = addDays(today, MOST_DAYS_ASIDE)
  if (TASK_KINDS[kind].clock === 'at_once')
    throw new TaskRefused(`A task ${kind} is to be done at once: it is not put aside.`, 'snooze_day_invalid')
  const deadline = deadlineOf(kind, date(madeOn), country)
  if (deadline !== null && deadline <= today)
    throw new TaskRefused(
      `The task was to be done by ${deadline}: it is not put aside any more.`,
      'snooze_day_invalid',
    )
  return deadline !== null && deadline < farthest ? deadline : farthest
}

function wordsOf(text: string, what: string, longest: number): string {
  const words = text.replaceAll(/\s+/g, ' ').trim()
  if (words !== '' && words.length <= longest && !/\p{C}/u.test(words)) return words
  throw new TaskRefused(`${what} has 1 to ${longest} characters.`)
}

type Change = { readonly by: string; readonly before: object; readonly now: object }

function noteKept(tx: Transaction, { instanceId, id }: TaskKey, { by, before, now }: Change): Promise<void> {
  return noteDeed(tx, { instanceId, kind: 'task_kept', by, about: `task:${id}`, before, after: now })
}
