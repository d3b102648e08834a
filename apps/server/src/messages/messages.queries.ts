/** The SQL of what stands in messages. */
import { statement, type Connection } from '../platform/database/database.ts'
import { SHOWN } from '../sign-in/shown.ts'

const known = statement(
  'messages.known',
  `select exists (select from invoice i where i.instance_id = $1 and i.payment_reference = any($2) and ${SHOWN})
     or exists (select from claim c where c.instance_id = $1 and c.payment_reference = any($2)) as is_reference,
     exists (select from account_address a where a.instance_id = $1 and a.address = any($3)) as is_account`,
)

/** Has the instance an invoice or claim with one of these references, and an account with one of these addresses? */
export async function knowsAny(
  db: Connection,
  instanceId: string,
  asked: { readonly references: readonly string[]; readonly addresses: readonly string[] },
): Promise<{ readonly isReference: boolean; readonly isAccount: boolean }> {
  const rows = await db.rows<{ is_reference: boolean; is_account: boolean }>(known, [
    instanceId,
    asked.references,
    asked.addresses,
  ])
  return { isReference: rows[0]?.is_reference === true, isAccount: rows[0]?.is_account === true }
}
