/** Work that goes through many matters of many people: one that fails must not hold up the others. */
import { endsAllWork, retryOnce } from '../platform/database/retry.ts'
import type { Connection } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'
import { insertTaskRows } from './tasks.queries.ts'

export type Workplace = { readonly db: Connection; readonly log: Log }

/** Which matter it is: `about` names it for the operator, without personal data. */
export type Matter = { readonly instanceId: string; readonly about: string | (() => string) }

/**
 * Does one matter, as retryOnce. When it fails the error is logged, an operator is asked to look, and undefined comes back;
 * the matter is tried again whenever it is met again. Throws only when the
 * database is out of reach or another process has taken the work over.
 */
export async function quarantine<Result>(
  { db, log }: Workplace,
  { instanceId, about }: Matter,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await retryOnce(work)
  } catch (error) {
    if (endsAllWork(error)) throw error
    const name = typeof about === 'string' ? about : about()
    const { code, name: sort } = error as { code?: unknown; name?: unknown }
    log.error({ err: error, instanceId, about: name }, 'set aside')
    const details = { error: typeof code === 'string' ? code : String(sort) }
    await insertTaskRows(db, [{ instanceId, kind: 'work_stuck', about: name, details }])
    return undefined
  }
}
