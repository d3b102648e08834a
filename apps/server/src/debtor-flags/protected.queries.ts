/** The SQL of how a person with a protected identity is reached (M-36). Nothing else shows it to somebody. */
import { isProtected } from '../ledger/protected-persons.queries.ts'
import { statement, type Connection } from '../platform/database/database.ts'

export type ReachRow = {
  readonly creditor: string | null
  readonly guardian: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly address: string | null
  readonly address2: string | null
  readonly zip: string
  readonly city: string | null
}

const reached = statement(
  'debtorFlags.reached',
  `select null as creditor, null as guardian, d.email, d.phone, d.address, d.address2, d.zip, d.city from debtor d
   where d.instance_id = $1 and d.id = $2 and ${isProtected('d')}
   union all
   select * from (select k.name, null, h.email, h.phone, h.address, h.address2, h.zip, h.city
     from debtor_contact h join debtor d on d.instance_id = h.instance_id and d.id = h.debtor_id
     join creditor k on k.instance_id = h.instance_id and k.id = h.creditor_id
     where h.instance_id = $1 and h.debtor_id = $2 and ${isProtected('d')} order by k.name, k.id) of_creditors
   union all
   select null, g.name, g.email, g.phone, g.address, g.address2, g.zip, g.city
   from acting_guardian g join debtor d on d.instance_id = g.instance_id and d.id = g.debtor_id
   where g.instance_id = $1 and g.debtor_id = $2 and ${isProtected('d')}`,
)

/** As it was told first, as each creditor tells it, and of who acts for them; nothing of whoever is not protected. */
export function readReached(
  db: Connection,
  { instanceId, debtorId }: { readonly instanceId: string; readonly debtorId: string },
): Promise<ReachRow[]> {
  return db.rows<ReachRow>(reached, [instanceId, debtorId])
}
