/** The SQL of who owns what a creditor's debtors are charged. */
import { NOT_AGREED, type ChargeOwner } from '@kvitt/domain/ledger/charge-owner.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type ChargeOwnerRow = {
  creditor_id: string
  name: string
  identification_number: string | null
  /** Null: nothing has been agreed. */
  from_day: string | null
  fees: ChargeOwner
  interest: ChargeOwner
  source: string | null
}

/** Each creditor with what was agreed for it, the newest first; of two about one day only that which holds. */
const owners = statement(
  'creditors.chargeOwners',
  `select c.id as creditor_id, c.name, c.identification_number, o.from_day::text,
     coalesce(o.fees, '${NOT_AGREED.fees}') as fees, coalesce(o.interest, '${NOT_AGREED.interest}') as interest, o.source
   from creditor c
   left join (select distinct on (instance_id, creditor_id, from_day) * from charge_owner
     order by instance_id, creditor_id, from_day, id desc) o on o.instance_id = c.instance_id and o.creditor_id = c.id
   where c.instance_id = $1 and ($2::uuid is null or c.id = $2)
   order by c.name, c.id, o.from_day desc`,
)

/** What is agreed with all creditors of the instance, or with one, by name and day. */
export function readChargeOwners(
  db: Connection | Transaction,
  instanceId: string,
  creditorId: string | null = null,
): Promise<ChargeOwnerRow[]> {
  return db.rows<ChargeOwnerRow>(owners, [instanceId, creditorId])
}

const insertOwner = statement(
  'creditors.insertChargeOwner',
  `insert into charge_owner (instance_id, creditor_id, from_day, fees, interest, source, entered_by)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)

export function insertChargeOwnerRow(
  tx: Transaction,
  row: {
    readonly instanceId: string
    readonly creditorId: string
    readonly from: string
    readonly fees: ChargeOwner
    readonly interest: ChargeOwner
    readonly source: string
    readonly by: string
  },
): void {
  tx.send(insertOwner, [row.instanceId, row.creditorId, row.from, row.fees, row.interest, row.source, row.by])
}
