/** A task is given to somebody, put aside for some days, or written on. It stays open: only its cause or a decision ends it. */
import { addDays, date, parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { deadlineOf, TASK_KINDS } from '@kvitt/domain/tasks/task-kind.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { insertNote, lockKept, readTask, updateKept, type TaskKey, type TaskRow } from '../tasks/tasks.ts'
import { TaskRefused } from './task-refused.ts'

export type Keeping =
  /** Null: nobody in particular. */
  | { readonly assignee: string | null }
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
    if (!before) throw new TaskRefused(`The task ${key.id} is done.`)
    if ('note' in wanted) return insertNote(tx, key, { text: wanted.note, by })
    const now = {
      assignee: 'assignee' in wanted ? wanted.assignee : before.assignee,
      snoozed_until: 'snoozedUntil' in wanted ? wanted.snoozedUntil : before.snoozed_until,
    }
    if (now.assignee === before.assignee && now.snoozed_until === before.snoozed_until) return
    await updateKept(tx, key, now)
    await noteKept(tx, key, { by, before, now })
  })
}

function checked(keeping: Keeping, task: TaskRow, today: CalendarDate): Keeping {
  if ('note' in keeping) return { note: wordsOf(keeping.note, 'A note', LONGEST_NOTE) }
  if ('assignee' in keeping) {
    const { assignee } = keeping
    return { assignee: assignee === null ? null : wordsOf(assignee, 'A name', LONGEST_NAME) }
  }
  const { snoozedUntil } = keeping
  if (snoozedUntil === null) return keeping
  const [day, last] = [parseDate(snoozedUntil), lastDayAside(task, today)]
  if (day && day > today && day <= last) return { snoozedUntil: day }
  throw new TaskRefused(
    `A task is put aside until a day after ${today} and up to ${last}, not ${snoozedUntil}.`,
  )
}

/** No task is out of sight on its last day. Throws TaskRefused when that has come. */
function lastDayAside({ kind, made_on: madeOn, country }: TaskRow, today: CalendarDate): CalendarDate {
  const farthest = addDays(today, MOST_DAYS_ASIDE)
  if (TASK_KINDS[kind].clock === 'at_once')
    throw new TaskRefused(`A task ${kind} is to be done at once: it is not put aside.`)
  const deadline = deadlineOf(kind, date(madeOn), country)
  if (deadline !== null && deadline <= today)
    throw new TaskRefused(`The task was to be done by ${deadline}: it is not put aside any more.`)
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
