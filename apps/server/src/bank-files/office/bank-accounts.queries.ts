/** The SQL of the accounts that money comes to, of the instance $1. */
import { statement, type Connection } from '../../platform/database/database.ts'

export type BankAccountRow = {
  readonly id: string
  readonly scheme: string
  readonly number: string
  readonly currency: string | null
  readonly receiver_name: string
  /** Null: nobody has said it. */
  readonly holder: 'INSTANCE' | 'CREDITOR' | null
  readonly creditor_id: string | null
  readonly creditor: string | null
}

const accounts = statement(
  'bankAccounts.all',
  `select p.id, case when p.iban is null then p.scheme else 'IBAN' end as scheme,
     coalesce(p.iban, regexp_replace(p.account_number, '[^0-9A-Za-z]', '', 'g')) as number, p.currency, p.receiver_name, p.holder,
     p.creditor_id, c.name as creditor
   from payment_account p left join creditor c on c.instance_id = p.instance_id and c.id = p.creditor_id
   where p.instance_id = $1 and p.is_usable and p.joined_to is null
   order by p.creditor_id is not null, c.name, p.scheme, p.id`,
)

/** All that can be paid to, the provider's own first. */
export function readBankAccountRows(db: Connection, instanceId: string): Promise<BankAccountRow[]> {
  return db.rows<BankAccountRow>(accounts, [instanceId])
}
