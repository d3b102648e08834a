/** A task as a creditor's staff sees it. */

/** SNOOZED: somebody has put it aside until a day to come. RESTING: it cannot be done while its debtor’s debts rest (M-34). */
export const OFFICE_TASK_STATES = ['OPEN', 'SNOOZED', 'RESTING', 'DONE'] as const
export type OfficeTaskState = (typeof OFFICE_TASK_STATES)[number]
