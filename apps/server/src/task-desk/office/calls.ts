/** The calls about a creditor's tasks, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/tasks/office-task.contract.ts'
import type { Binding } from '../../platform/http/call.ts'
import { bind, bindSharedRow } from '../../sign-in/bind.ts'
import {
  assignOfficeTask,
  findOfficeTask,
  noteOfficeTask,
  presentOfficeTask,
  searchOfficeTasks,
  snoozeOfficeTask,
} from './office-tasks.ts'

export const OFFICE_TASK_BINDINGS: readonly Binding[] = [
  bind(contract.searchOfficeTasks, ({ context, principal, query, body }) =>
    searchOfficeTasks(context, principal, query, body),
  ),
  bindSharedRow(contract.getOfficeTask, findOfficeTask, ({ context, principal, row }) =>
    presentOfficeTask(context, principal, row),
  ),
  bindSharedRow(contract.assignOfficeTask, findOfficeTask, ({ context, principal, row, body }) =>
    assignOfficeTask(context, principal, row, body.assignee),
  ),
  bindSharedRow(contract.snoozeOfficeTask, findOfficeTask, ({ context, principal, row, body }) =>
    snoozeOfficeTask(context, principal, row, body.until),
  ),
  bindSharedRow(contract.noteOfficeTask, findOfficeTask, ({ context, principal, row, body }) =>
    noteOfficeTask(context, principal, row, body.text),
  ),
]
