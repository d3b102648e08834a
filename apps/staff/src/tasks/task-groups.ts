/** When a task has to be done: what the to-do list is grouped by. */
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
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
  const deeds: Readonly<Record<string, MessageId>> = {
    dispute_to_answer: 'task.dispute_to_answer',
    question_asked: 'task.question_asked',
    more_time_asked: 'task.more_time_asked',
    said_paid: 'task.said_paid',
    import_with_errors: 'task.import_with_errors',
    webhook_off: 'task.webhook_off',
    schedule_ended: 'task.schedule_ended',
    creditor_refund: 'task.creditor_refund',
  }
  return deeds[kind] ?? 'task.other'
}
