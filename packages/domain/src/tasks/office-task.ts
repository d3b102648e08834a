/** A task as a creditor's staff sees it. */

/** SNOOZED: somebody has put it aside until a day to come. */
export const OFFICE_TASK_STATES = ['OPEN', 'SNOOZED', 'DONE'] as const
export type OfficeTaskState = (typeof OFFICE_TASK_STATES)[number]
