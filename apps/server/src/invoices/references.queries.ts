/** The SQL of payment references: whose each is. */
import { statement, type Transaction } from '../platform/database/database.ts'

export type ReferenceRow = { reference: string; debtor_id: string; creditor_id: string }

const insertReferences = statement(
  'references.insert',
  `insert into payment_reference (instance_id, reference, debtor_id, creditor_id)
   select $1, r.* from unnest($2::text[], $3::uuid[], $4::uuid[]) as r (reference, debtor_id, creditor_id)
   order by reference
   on conflict do nothing returning reference`,
)
const referenceOwners = statement(
  'references.owners',
  `select reference, debtor_id, creditor_id from payment_reference
   where instance_id = $1 and reference = any($2)`,
)

/** Takes references for their debtors and creditors. Answers those that were free until now. */
export async function insertReferenceRows(
  tx: Transaction,
  instanceId: string,
  rows: readonly ReferenceRow[],
): Promise<Set<string>> {
  const taken = await tx.rows<{ reference: string }>(insertReferences, [
    instanceId,
    rows.map((row) => row.reference),
    rows.map((row) => row.debtor_id),
    rows.map((row) => row.creditor_id),
  ])
  return new Set(taken.map((row) => row.reference))
}

export function readReferenceOwners(
  tx: Transaction,
  instanceId: string,
  references: readonly string[],
): Promise<ReferenceRow[]> {
  return tx.rows<ReferenceRow>(referenceOwners, [instanceId, references])
}
