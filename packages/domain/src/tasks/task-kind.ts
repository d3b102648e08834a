/**
 * What needs a person: one closed list. A task is made once for its cause and is done when the cause is gone, however that
 * came about.
 */

/** Who solves a task: the creditor (or the operator's handler where the agreement says so), or the operator. */
export type TaskSolver = 'creditor' | 'operator'

/**
 * How long a person has, counted from the day after the task was made. `days` are calendar days; a clock that would end on
 * a day without banks ends on the next bank day. `at_once` and `none` have no last day.
 */
export type TaskClock = { readonly days: number } | { readonly bankDays: number } | 'at_once' | 'none'

export type TaskRule = { readonly solver: TaskSolver; readonly clock: TaskClock }

export const TASK_KINDS = {
  dispute_to_answer: { solver: 'creditor', clock: { days: 14 } },
  schedule_ended: { solver: 'creditor', clock: { days: 30 } },
  creditor_refund: { solver: 'creditor', clock: { days: 5 } },
  bank_line: { solver: 'operator', clock: { bankDays: 2 } },
  refund: { solver: 'operator', clock: { days: 5 } },
  payment_contradiction: { solver: 'operator', clock: { days: 1 } },
  refund_contradiction: { solver: 'operator', clock: { days: 1 } },
  payment_late: { solver: 'operator', clock: { days: 1 } },
  refund_late: { solver: 'operator', clock: { days: 1 } },
  refund_failed: { solver: 'operator', clock: { days: 1 } },
  clearing_late: { solver: 'operator', clock: { bankDays: 1 } },
  bank_file_missing: { solver: 'operator', clock: { bankDays: 1 } },
  bank_file_gap: { solver: 'operator', clock: { bankDays: 1 } },
  bank_day_doubtful: { solver: 'operator', clock: { bankDays: 2 } },
  account_files_unset: { solver: 'operator', clock: { bankDays: 1 } },
  account_holder_unset: { solver: 'operator', clock: { bankDays: 1 } },
  restate_by_hand: { solver: 'operator', clock: { bankDays: 2 } },
  rate_unknown: { solver: 'operator', clock: 'at_once' },
  ceiling_unknown: { solver: 'operator', clock: 'at_once' },
  court_to_file: { solver: 'operator', clock: { days: 5 } },
  mail_undeliverable: { solver: 'operator', clock: { days: 3 } },
  work_stuck: { solver: 'operator', clock: { days: 1 } },
  audit_cut: { solver: 'operator', clock: 'at_once' },
} as const satisfies Readonly<Record<string, TaskRule>>

export type TaskKind = keyof typeof TASK_KINDS

export function isTaskKind(text: string): text is TaskKind {
  return Object.hasOwn(TASK_KINDS, text)
}
