/** The calls about a creditor's tasks, beside the use cases that answer them. */
import * as many from '@kvitt/domain/acts/bulk.contract.ts'
import * as contract from '@kvitt/domain/tasks/office-task.contract.ts'
import { actOf, bindMany, openSharedAct, type OfficeAct } from '../../acts/acts.ts'
import type { Binding } from '../../platform/http/call.ts'
import { bind, bindSharedRow } from '../../sign-in/bind.ts'
import {
  assignOfficeTask,
  findAssignee,
  findOfficeTask,
  noteOfficeTask,
  presentOfficeTask,
  searchOfficeTasks,
  settleOfficeTask,
  snoozeOfficeTask,
} from './office-tasks.ts'
import { taskSet } from './office-tasks.queries.ts'

/** Who looks after a task, and when: for one, or for many. */
export const OFFICE_TASK_ACTS: readonly OfficeAct[] = [
  openSharedAct(contract.assignOfficeTask, findOfficeTask, ({ context, principal, row, body }) =>
    assignOfficeTask(context, principal, row, body.assignee),
  ),
  openSharedAct(contract.snoozeOfficeTask, findOfficeTask, ({ context, principal, row, body }) =>
    snoozeOfficeTask(context, principal, row, body.until),
  ),
]

export const OFFICE_TASK_BINDINGS: readonly Binding[] = [
  bind(contract.searchOfficeTasks, ({ context, principal, query, body }) =>
    searchOfficeTasks(context, principal, query, body),
  ),
  bindSharedRow(contract.getOfficeTask, findOfficeTask, ({ context, principal, row }) =>
    presentOfficeTask(context, principal, row),
  ),
  ...OFFICE_TASK_ACTS.map(({ binding }) => binding),
  bindSharedRow(contract.noteOfficeTask, findOfficeTask, ({ context, principal, row, body }) =>
    noteOfficeTask(context, principal, row, body.text),
  ),
  bindSharedRow(contract.settleTask, findOfficeTask, ({ context, principal, row, body }) =>
    settleOfficeTask(context, principal, row, body.reason),
  ),
  bindMany(many.assignTasks, actOf(OFFICE_TASK_ACTS, contract.assignOfficeTask), {
    set: taskSet,
    check: async ({ context, principal }, { assignee }) => {
      if (typeof assignee === 'string') await findAssignee(context, principal, assignee)
    },
  }),
  bindMany(many.snoozeTasks, actOf(OFFICE_TASK_ACTS, contract.snoozeOfficeTask), { set: taskSet }),
]
