/** What ran by itself, as an operator's people see it, and how they have it run again. */
import { z } from 'zod'
import { adminCall, day, instant, LIST_QUERY, searchBody } from '../contract.ts'
import { RUN_STATUSES, RUN_WORKS } from './run.ts'

export const run = z.strictObject({
  id: z.uuid(),
  version: z.number().int(),
  work: z.enum(RUN_WORKS),
  /** Whose work it did: the day of the provider, which is an earlier one where days are made up for. */
  day,
  status: z.enum(RUN_STATUSES),
  /** Null for what began by itself. */
  askedBy: z.string().nullable(),
  askedAt: instant.nullable(),
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  /** All tries together, in milliseconds. Null while it runs the first time, and of runs from before they were measured. */
  tookMs: z.number().int().nullable(),
  /** How often it was begun: more than once when it had to wait, failed or was cut off. */
  tries: z.number().int(),
  /** How much of each sort: kinds of steps, `HAND_OVERS`, `PLANS`, `SETTLEMENTS`. */
  done: z.record(z.string(), z.number().int()),
  /** What was left for a person, each with a task `work_stuck`; the next run tries again. */
  quarantined: z.array(z.strictObject({ about: z.string(), error: z.string() })),
  /** The code of the error that ended it. */
  error: z.string().nullable(),
})

export const searchRuns = adminCall({
  name: 'searchRuns',
  right: 'see',
  method: 'POST',
  path: '/jobs/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(run),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getRun = adminCall({
  name: 'run',
  right: 'see',
  path: '/jobs/:id',
  response: run,
})

/** Has the work done once more, as of today. What is due is done once, however often it is asked for. */
export const askForRun = adminCall({
  name: 'askForRun',
  right: 'run_jobs',
  method: 'POST',
  path: '/jobs/run',
  status: 202,
  body: z.strictObject({ work: z.enum(RUN_WORKS) }),
  response: run,
})
