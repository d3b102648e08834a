/** The SQL of an instance's own accounts. */
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection, type Transaction } from '../platform/database.ts'

export type OwnAccountRow = {
  id: string
  scheme: 'BANKGIRO' | 'PLUSGIRO' | 'IBAN'
  account_number: string | null
  iban: string | null
  bic: string | null
  receiver_name: string
  bank_name: string | null
  /** Null: any that its form takes. */
  currency: Currency | null
}

const COLUMNS = 'id, scheme, account_number, iban, bic, receiver_name, bank_name, currency'

const ownAccounts = statement(
  'ownAccounts.all',
  `select ${COLUMNS} from payment_account where instance_id = $1 and creditor_id is null and is_usable
   order by currency nulls last, chosen_at desc, id`,
)

/** By currency, the one that is shown first. */
export function readOwnAccounts(db: Connection, instanceId: string): Promise<OwnAccountRow[]> {
  return db.rows<OwnAccountRow>(ownAccounts, [instanceId])
}

const chooseAccount = statement(
  'ownAccounts.choose',
  `insert into payment_account as a (instance_id, id, scheme, account_number, iban, bic, receiver_name, bank_name, currency,
     is_usable, number_key)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, true, $10)
   on conflict (instance_id, number_key) do update set receiver_name = excluded.receiver_name,
     bank_name = excluded.bank_name, bic = excluded.bic, currency = excluded.currency, chosen_at = clock_timestamp()
     where a.creditor_id is null and a.is_usable
   returning ${COLUMNS}`,
)

/** Undefined when a creditor has the number. */
export async function chooseAccountRow(
  tx: Transaction,
  instanceId: string,
  account: OwnAccountRow & { readonly numberKey: string },
): Promise<OwnAccountRow | undefined> {
  const { id, scheme, account_number, iban, bic, receiver_name, bank_name, currency, numberKey } = account
  const values = [id, scheme, account_number, iban, bic, receiver_name, bank_name, currency, numberKey]
  return (await tx.rows<OwnAccountRow>(chooseAccount, [instanceId, ...values]))[0]
}
