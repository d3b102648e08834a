/** The SQL of creditors as a person names them: the one way for every command. */
import { statement, type Connection } from '../platform/database/database.ts'

const named = statement(
  'creditors.named',
  `select id from creditor
   where instance_id = $1 and ($2 in (id::text, name, identification_number)
     or ($3 <> '' and regexp_replace(identification_number, '\\D', '', 'g') = $3))
   order by id limit 6 for no key update`,
)

/** Six at most, locked until the transaction ends. `digits` is the name without its hyphens where it may be a number, else empty. */
export async function findCreditorIds(
  db: Connection,
  instanceId: string,
  { name, digits }: { readonly name: string; readonly digits: string },
): Promise<string[]> {
  return (await db.rows<{ id: string }>(named, [instanceId, name, digits])).map(({ id }) => id)
}
