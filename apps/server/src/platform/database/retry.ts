/** What may be tried once more, and what would fail for everybody. */

import { isDatabaseAway, isDatabaseBusy } from './database-away.ts'

/** Said to a write of work that another process has taken over. */
const TAKEN_OVER = 'KV005'

/** Would nothing else of this work succeed either: is the database out of reach, or the work somebody else's by now? */
export function endsAllWork(error: unknown): boolean {
  return isDatabaseAway(error) || (error as { code?: unknown } | null)?.code === TAKEN_OVER
}

/** Does the work, and once more when somebody stood in its way. So it must have no effects outside the database. */
export async function retryOnce<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isDatabaseBusy(error)) throw error
    return work()
  }
}
