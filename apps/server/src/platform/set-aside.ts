/** What may be tried once more, and what would fail for everybody. */

import { isDatabaseBusy } from './database-away.ts'

export { isDatabaseAway } from './database-away.ts'

/** Does the work, and once more when somebody stood in its way. So it must have no effects outside the database. */
export async function onceMore<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isDatabaseBusy(error)) throw error
    return work()
  }
}
