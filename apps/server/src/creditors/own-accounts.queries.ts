/** The SQL of an instance's own accounts. */
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

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

const chooseKnown = statement(
  'ownAccounts.chooseKnown',
  `update payment_account set receiver_name = $3, bank_name = $4, bic = $5, currency = $6, chosen_at = clock_timestamp()
   where instance_id = $1 and id = $2 and creditor_id is null and is_usable returning ${COLUMNS}`,
)
const chooseAccount = statement(
  'ownAccounts.choose',
  `insert into payment_account as a (instance_id, id, scheme, account_number, iban, bic, receiver_name, bank_name, currency,
     is_usable, number_key, holder)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, true, $10, 'INSTANCE')
   on conflict (instance_id, number_key) do update set receiver_name = excluded.receiver_name,
     bank_name = excluded.bank_name, bic = excluded.bic, currency = excluded.currency, chosen_at = clock_timestamp()
     where a.creditor_id is null and a.is_usable
   returning ${COLUMNS}`,
)

/** `knownId`: the account that has the number already. Undefined when a creditor has it. */
export async function chooseAccountRow(
  tx: Transaction,
  instanceId: string,
  account: OwnAccountRow & { readonly numberKey: string },
  knownId: string | null,
): Promise<OwnAccountRow | undefined> {
  const { id, scheme, account_number, iban, bic, receiver_name, bank_name, currency, numberKey } = account
  if (knownId !== null) {
    const values = [instanceId, knownId, receiver_name, bank_name, bic, currency]
    return (await tx.rows<OwnAccountRow>(chooseKnown, values))[0]
  }
  const values = [id, scheme, account_number, iban, bic, receiver_name, bank_name, currency, numberKey]
  return (await tx.rows<OwnAccountRow>(chooseAccount, [instanceId, ...values]))[0]
}
