/** The SQL of the accounts that two people have agreed that debtors pay to (payee-accounts/). */
import type { Holder } from '@kvitt/domain/ledger/booking.ts'
import { statement, type Transaction } from '../platform/database/database.ts'

type Terms = Record<'instance' | 'creditor' | 'currency', string>

/** The account that holds for a creditor and a currency; null where none was agreed. */
export const agreedAccount = ({ instance, creditor, currency }: Terms): string =>
  `(select e.account_id from payee_account g
     join payee_account_end e on e.instance_id = g.instance_id and e.payee_id = g.id and e.outcome = 'HOLDS'
     where g.instance_id = ${instance} and g.creditor_id = ${creditor} and g.currency = ${currency}
     order by g.position desc limit 1)`

const take = statement(
  'agreedAccount.take',
  `insert into payment_account (instance_id, id, creditor_id, scheme, account_number, iban, bic, receiver_name, currency, is_usable,
     number_key, holder)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, true, $10, $11) on conflict (instance_id, number_key) do nothing returning id`,
)

export type CreditorAccount = {
  readonly id: string
  readonly creditorId: string
  readonly scheme: string
  readonly accountNumber: string | null
  readonly iban: string | null
  readonly bic: string | null
  readonly receiverName: string
  readonly currency: string | null
  readonly numberKey: string
  readonly holder: Holder
}

/** Answers false when the number stands there already. */
export async function insertCreditorAccountRow(
  tx: Transaction,
  instanceId: string,
  row: CreditorAccount,
): Promise<boolean> {
  const { id, creditorId, scheme, accountNumber, iban, bic, receiverName, currency, numberKey, holder } = row
  const values = [instanceId, id, creditorId, scheme, accountNumber, iban, bic, receiverName, currency]
  return (await tx.rows(take, [...values, numberKey, holder])).length === 1
}

const rename = statement(
  'agreedAccount.rename',
  `update payment_account set receiver_name = $3, bic = coalesce($4, bic),
     currency = case when currency = $5 then currency end
   where instance_id = $1 and id = $2`,
)

/** An account that was known before, as two people have agreed it now. */
export async function renameAccountRow(
  tx: Transaction,
  instanceId: string,
  { id, receiverName, bic, currency }: Pick<CreditorAccount, 'id' | 'receiverName' | 'bic' | 'currency'>,
): Promise<void> {
  await tx.rows(rename, [instanceId, id, receiverName, bic, currency])
}
