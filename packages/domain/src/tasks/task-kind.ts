/**
 * What needs a person: one closed list. A task is made once for its cause and is done when the cause is gone, however that
 * came about.
 */
import { addDays, type CalendarDate } from '../calendar.ts'
import { addBankDays } from '../collection/bank-days.ts'

/** Who solves a task: the creditor (or the operator's handler where the agreement says so), or the operator. */
export type TaskSolver = 'creditor' | 'operator'

/**
 * How long a person has, counted from the day after the task was made. `days` are calendar days; a clock that would end on
 * a day without banks ends on the next bank day, unless it `isNeverLater`: a law has set the day. `at_once` and `none` have no last day.
 */
export type TaskClock =
  | { readonly days: number; readonly isNeverLater?: boolean }
  | { readonly bankDays: number }
  | 'at_once'
  | 'none'

export type TaskRule = { readonly solver: TaskSolver; readonly clock: TaskClock }

export const TASK_KINDS = {
  dispute_to_answer: { solver: 'creditor', clock: { days: 14 } },
  question_asked: { solver: 'creditor', clock: { days: 5 } },
  more_time_asked: { solver: 'creditor', clock: { days: 5 } },
  plan_proposed: { solver: 'creditor', clock: { days: 5 } },
  said_paid: { solver: 'creditor', clock: { days: 5 } },
  schedule_ended: { solver: 'creditor', clock: { days: 30 } },
  creditor_refund: { solver: 'creditor', clock: { days: 5 } },
  import_with_errors: { solver: 'creditor', clock: 'none' },
  webhook_off: { solver: 'creditor', clock: { days: 3 } },
  bank_line: { solver: 'operator', clock: { bankDays: 2 } },
  refund: { solver: 'operator', clock: { days: 5 } },
  payment_contradiction: { solver: 'operator', clock: { days: 1 } },
  refund_contradiction: { solver: 'operator', clock: { days: 1 } },
  payment_unsettled: { solver: 'operator', clock: { days: 1 } },
  payment_late: { solver: 'operator', clock: { days: 1 } },
  payment_lost: { solver: 'operator', clock: { bankDays: 2 } },
  refund_late: { solver: 'operator', clock: { days: 1 } },
  refund_failed: { solver: 'operator', clock: { days: 1 } },
  send_back: { solver: 'operator', clock: { days: 5 } },
  clearing_late: { solver: 'operator', clock: { bankDays: 1 } },
  bank_file_missing: { solver: 'operator', clock: { bankDays: 1 } },
  bank_file_gap: { solver: 'operator', clock: { bankDays: 1 } },
  bank_file_refused: { solver: 'operator', clock: { bankDays: 1 } },
  bank_day_doubtful: { solver: 'operator', clock: { bankDays: 2 } },
  account_files_unset: { solver: 'operator', clock: { bankDays: 1 } },
  account_holder_unset: { solver: 'operator', clock: { bankDays: 1 } },
  restate_by_hand: { solver: 'operator', clock: { bankDays: 2 } },
  rate_unknown: { solver: 'operator', clock: 'at_once' },
  ceiling_unknown: { solver: 'operator', clock: 'at_once' },
  debtor_flagged: { solver: 'operator', clock: { days: 5 } },
  // The law gives a month from the day on which it came: 28 days are never later. The case has the law's day.
  data_request: { solver: 'operator', clock: { days: 28, isNeverLater: true } },
  court_to_file: { solver: 'operator', clock: { days: 5 } },
  settlement_to_approve: { solver: 'operator', clock: { bankDays: 1 } },
  payout_to_confirm: { solver: 'operator', clock: { bankDays: 1 } },
  payout_refused: { solver: 'operator', clock: { days: 1 } },
  paid_twice: { solver: 'operator', clock: { days: 5 } },
  advance_wanted: { solver: 'operator', clock: { bankDays: 1 } },
  proposal: { solver: 'operator', clock: { days: 5 } },
  mail_undeliverable: { solver: 'operator', clock: { days: 3 } },
  work_stuck: { solver: 'operator', clock: { days: 1 } },
  audit_cut: { solver: 'operator', clock: 'at_once' },
} as const satisfies Readonly<Record<string, TaskRule>>

export type TaskKind = keyof typeof TASK_KINDS

export const ALL_TASKS = Object.keys(TASK_KINDS) as TaskKind[]

/** The kinds that a creditor solves. */
export const CREDITOR_TASKS = ALL_TASKS.filter((kind) => TASK_KINDS[kind].solver === 'creditor')

/** What is not done while the debts of its debtor rest: nothing is taken to a court, and nobody decides what comes next. */
export const RESTS_WITH_DEBTOR = ['court_to_file', 'schedule_ended'] as const satisfies readonly TaskKind[]

/** What a person ends by saying that it is settled with the bank or the gateway. Of `bank_line` only what the bank took back. */
export const SETTLED_BY_HAND: readonly TaskKind[] = [
  'bank_line',
  'payment_contradiction',
  'refund_contradiction',
  'payment_unsettled',
  'payment_lost',
  'bank_file_gap',
  'bank_file_refused',
  'bank_day_doubtful',
  'restate_by_hand',
]

/** What an operator's people are told of its cause. */
export const EXPLAINED: readonly TaskKind[] = [...SETTLED_BY_HAND, 'payment_late', 'clearing_late']

export function isTaskKind(text: string): text is TaskKind {
  return Object.hasOwn(TASK_KINDS, text)
}

/**
 * The last day for a task that was made on `madeOn`, which is not counted itself. A clock that would end on a day without
 * banks in `country` (two letters) ends on the next bank day, unless a law has set the day. Null where the kind has no last day.
 */
export function deadlineOf(kind: TaskKind, madeOn: CalendarDate, country: string): CalendarDate | null {
  const { clock }: TaskRule = TASK_KINDS[kind]
  if (typeof clock === 'string') return null
  if ('bankDays' in clock) return addBankDays(country, madeOn, clock.bankDays)
  const last = addDays(madeOn, clock.days)
  return clock.isNeverLater ? last : addBankDays(country, last, 0)
}
