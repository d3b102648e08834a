/** What belongs together: the money of a debt may have paid it under another name. */
import type { Connection } from '../platform/database/database.ts'
import { family } from './family.queries.ts'

/** These debts and all that they were paid as: a claim's invoices, what one plan pays, and the invoices that it billed. */
export async function readFamily(
  db: Connection,
  instanceId: string,
  debts: readonly string[],
): Promise<string[]> {
  return (await db.rows<{ id: string }>(family, [instanceId, debts])).map(({ id }) => id)
}
