/** The SQL of what stands in messages. */
import { statement, type Connection } from '../platform/database/database.ts'
import { SHOWN } from '../sign-in/shown.ts'

const known = statement(
  'messages.known',
  `select exists (select from invoice i where i.instance_id = $1 and i.payment_reference = any($2) and ${SHOWN})
     or exists (select from claim c where c.instance_id = $1 and c.payment_reference = any($2))
     or exists (select from account_address a where a.instance_id = $1 and a.address = any($3)) as is_known`,
)

/** Has the instance an invoice or claim with one of these references, or an account with one of these addresses? */
export async function knowsAny(
  db: Connection,
  instanceId: string,
  asked: { readonly references: readonly string[]; readonly addresses: readonly string[] },
): Promise<boolean> {
  const rows = await db.rows<{ is_known: boolean }>(known, [instanceId, asked.references, asked.addresses])
  return rows[0]?.is_known === true
}
