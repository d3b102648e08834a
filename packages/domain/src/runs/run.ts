/** What the product does by itself for each provider, day by day, and what is kept of each time. */

/** DAILY_RUN: the steps of a day. SETTLEMENTS: the settlements of periods that have ended. */
export const RUN_WORKS = ['DAILY_RUN', 'SETTLEMENTS'] as const
export type RunWork = (typeof RUN_WORKS)[number]

/**
 * ASKED: somebody wants it, and it begins within seconds. WAITS: somebody held what was due, and it is tried again. CUT_OFF: its
 * process died; another goes on with what was left.
 */
export const RUN_STATUSES = ['ASKED', 'RUNNING', 'DONE', 'WAITS', 'FAILED', 'CUT_OFF'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]
