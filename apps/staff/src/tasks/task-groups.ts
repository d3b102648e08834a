/** When a task has to be done: what the to-do list is grouped by. */
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { isTaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import type { MessageId } from '../text.ts'

const WEEK = 7

/** The group of a last day, as the message that names it; no day is no hurry. */
export function groupOf(deadline: string | null, today: string): MessageId {
  if (deadline === null) return 'todo.no_date'
  if (deadline < today) return 'todo.late'
  if (deadline === today) return 'todo.today'
  return deadline <= addDays(today as CalendarDate, WEEK) ? 'todo.week' : 'todo.later'
}

/** What a task is called: the deed. One that has no words of its own is a task. */
export function deedOf(kind: string): MessageId {
  return isTaskKind(kind) ? `task.${kind}` : 'task.other'
}
