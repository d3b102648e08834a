/** The audit log as an operator's auditor and managers read it. */
import { z } from 'zod'
import { adminCall, day, instant, LIST_QUERY, searchBody } from '../contract.ts'
import { AUDIT_LOGS } from './audit-log.ts'

const details = z.record(z.string(), z.unknown()).nullable()

export const auditEntry = z.strictObject({
  /** The log's name and its place in it. */
  id: z.string(),
  log: z.enum(AUDIT_LOGS),
  /** Its place in its log, which has no gaps. */
  seq: z.number().int(),
  at: instant,
  kind: z.string(),
  actor: z.string(),
  /** The name of the person or program; null for what has none, such as a network. */
  name: z.string().nullable(),
  /** What it was done to, such as `invoice:{id}`. */
  about: z.string(),
  reason: z.string().nullable(),
  before: details,
  after: details,
  /** The first eight digits of the hash that seals this entry and all before it. */
  seal: z.string(),
})

export const searchAudit = adminCall({
  name: 'searchAudit',
  right: 'audit',
  method: 'POST',
  path: '/audit/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(auditEntry),
  refusals: ['invalid_filter', 'invalid_paging'],
})

/** Everything between two days of the instance, both included; the newest first. */
export const listAudit = adminCall({
  name: 'listAudit',
  right: 'audit',
  path: '/audit',
  query: z.object({ ...LIST_QUERY, from: day.optional(), to: day.optional() }),
  response: z.array(auditEntry),
  refusals: ['invalid_filter', 'invalid_paging'],
})

/** Looks at every entry of the instance's two logs: is each as it was written, and the one before it there? */
export const verifyAudit = adminCall({
  name: 'verifyAudit',
  right: 'audit',
  path: '/audit/verify',
  response: z.strictObject({
    intact: z.boolean(),
    /** How many entries were looked at. */
    checked: z.number().int(),
    firstBroken: z.strictObject({ log: z.enum(AUDIT_LOGS), seq: z.number().int(), at: instant }).optional(),
  }),
})

/**
 * Compares the logs with what was written down outside the database, now and not with the next day: a row that is gone or another is
 * a task `audit_cut`, and one that fits again ends it. `files`: how many days were compared; null where
 * nothing can be said: no file is here, one cannot be read, or none from before the task holds its log and fits. Then nothing ends.
 */
export const compareAudit = adminCall({
  name: 'compareAudit',
  right: 'run_jobs',
  method: 'POST',
  path: '/audit/compare',
  response: z.strictObject({ intact: z.boolean(), files: z.number().int().nullable() }),
})
