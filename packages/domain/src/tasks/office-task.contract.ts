/** What staff have to do, and who looks after it: a creditor's staff its own, an operator's staff all of the instance. */
import { z } from 'zod'
import { adminCall, amount, officeCall, day, instant, LIST_QUERY, searchBody } from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { OFFICE_TASK_STATES } from './office-task.ts'
import { ALL_TASKS } from './task-kind.ts'
import { typedLines } from '../typed-text.contract.ts'

/** What stands in a list, and first in a detail. */
const listed = {
  id: z.uuid(),
  version: z.number().int(),
  kind: z.enum(ALL_TASKS),
  /** What it is about: the resource where that is found, and its row. `number` is what people call it. */
  subject: z.strictObject({
    type: z.enum([
      'disputes',
      'conversations',
      'invoices',
      'collection-batches',
      'bank-lines',
      'debtor-flags',
      'data-requests',
      'imports',
      'webhooks',
      'outbox',
      'proposals',
      'settlements',
      'payouts',
      'payments',
      'bank-accounts',
      'tasks',
    ]),
    id: z.uuid(),
    number: z.string().nullable(),
  }),
  debtor: z.strictObject({ id: z.uuid(), name: z.string() }).nullable(),
  /** Null for what is the operator's own to do. */
  creditor: creditorOfRow.nullable(),
  /** What is owed, or what is to be sent back. */
  amount: amount.nullable(),
  currency: z.string().nullable(),
  createdAt: instant,
  /** The last day on which it is done in time. */
  deadline: day.nullable(),
  /** The membership that looks after it, and its person's name. */
  assignee: z.uuid().nullable(),
  assigneeName: z.string().nullable(),
  state: z.enum(OFFICE_TASK_STATES),
  snoozedUntil: day.nullable(),
}

export const officeTask = z.strictObject(listed)

export const officeTaskDetail = z.strictObject({
  ...listed,
  /** What is known of the cause of a task, by name, for the operator's people where that helps (EXPLAINED); else null. */
  details: z.record(z.string(), z.unknown()).nullable(),
  /** What people have written beside it, the oldest first. */
  notes: z.array(z.strictObject({ text: z.string(), by: z.string(), at: instant })),
})
export type OfficeTaskDetail = z.output<typeof officeTaskDetail>

export const searchOfficeTasks = officeCall({
  name: 'searchOfficeTasks',
  right: 'see',
  method: 'POST',
  path: '/tasks/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(officeTask),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getOfficeTask = officeCall({
  name: 'officeTask',
  right: 'see',
  path: '/tasks/:id',
  response: officeTaskDetail,
})

const keeping = {
  right: 'tasks',
  method: 'POST',
  response: officeTaskDetail,
  refusals: ['invalid_request', 'task_done'],
} as const

/** To a membership of the same creditor; null: to nobody in particular. */
export const assignOfficeTask = officeCall({
  ...keeping,
  name: 'assignOfficeTask',
  path: '/tasks/:id/assign',
  body: z.strictObject({ assignee: z.uuid().nullable() }),
  refusals: [...keeping.refusals, 'assignee_unknown'],
})

/** Until a day to come, on which it is back in the list; null: it is back now. */
export const snoozeOfficeTask = officeCall({
  ...keeping,
  name: 'snoozeOfficeTask',
  path: '/tasks/:id/snooze',
  body: z.strictObject({ until: z.string().max(10).nullable() }),
  refusals: [...keeping.refusals, 'snooze_day_invalid'],
})

export const noteOfficeTask = officeCall({
  ...keeping,
  name: 'noteOfficeTask',
  path: '/tasks/:id/note',
  body: z.strictObject({ text: typedLines(1000).min(1) }),
})

/**
 * It has been settled with the bank or the gateway, and nothing is booked here: ends a task of those kinds (SETTLED_BY_HAND). Said
 * again by the same person it changes nothing. `invalid_request` for a kind that is not ended so, and for money that has to be placed.
 */
export const settleTask = adminCall({
  name: 'settleTask',
  right: 'bank_files',
  method: 'POST',
  path: '/tasks/:id/settle',
  body: z.strictObject({ reason: typedLines(1000).min(1) }),
  response: officeTaskDetail,
  refusals: ['invalid_request', 'task_done'],
})
