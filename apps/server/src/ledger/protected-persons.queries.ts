/** M-36: whose address nobody is shown, as conditions for whatever shows a person or lets somebody in by what a letter says. */
import { statement, type Connection } from '../platform/database/database.ts'

/** SQL: the row `alias` of `debtor` is of a person with a protected identity. */
export const isProtected = (alias: string): string =>
  `exists (select from protected_debtor h where h.instance_id = ${alias}.instance_id and h.debtor_id = ${alias}.id)`

/**
 * SQL: the row `alias` of `invoice` or `claim` is of nobody with a protected identity. It stands in the query that looks for a reference and
 * zip, so that a right pair of such a person is a wrong one: it finds nothing, is counted, and is answered the same.
 */
export const isOpenToPairs = (alias: string): string =>
  `not exists (select from protected_debtor h where h.instance_id = ${alias}.instance_id and h.debtor_id = ${alias}.debtor_id)`

const protectedOf = statement(
  'ledger.isProtected',
  'select from protected_debtor where instance_id = $1 and debtor_id = any ($2::uuid[]) limit 1',
)

/** Whether one of these rows of `debtor` is of a person with a protected identity. */
export async function isAnyProtected(
  db: Connection,
  instanceId: string,
  debtorIds: readonly string[],
): Promise<boolean> {
  return (await db.rows(protectedOf, [instanceId, debtorIds])).length > 0
}
