/** The SQL of the addresses that accounts have. */
import type { Currency } from '@kvitt/domain/money.ts'
import type { Holder } from '@kvitt/domain/ledger/booking.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type AddressedAccount = {
  account_id: string
  creditor_id: string | null
  holder: Holder | null
  scheme: 'BANKGIRO' | 'PLUSGIRO' | 'IBAN' | 'LOCAL'
  /** As it is shown, without blanks and hyphens. */
  number: string
  iban: string | null
  currency: Currency | null
  address: string
}

const accountsAt = statement(
  'addresses.accountsAt',
  `select a.account_id, p.creditor_id, case when p.creditor_id is null then 'INSTANCE' else p.holder end as holder, a.address,
     p.scheme, regexp_replace(coalesce(case when p.scheme = 'IBAN' then p.iban else p.account_number end, ''), '[^0-9A-Z]', '', 'g') as number,
     p.iban, p.currency
   from account_address a
   join payment_account p on p.instance_id = a.instance_id and p.id = a.account_id
   where a.instance_id = $1 and a.address = any($2) order by a.address`,
)

/** The accounts of the instance that have one of the addresses. */
export function readAccountsAt(
  db: Connection,
  instanceId: string,
  addresses: readonly string[],
): Promise<AddressedAccount[]> {
  return db.rows<AddressedAccount>(accountsAt, [instanceId, addresses])
}

const addressesOfAccounts = statement(
  'addresses.ofAccounts',
  `select account_id, address from account_address where instance_id = $1 and account_id = any($2)
   order by account_id, entered_at, address`,
)

/** All addresses of these accounts, in the order in which they were entered. */
export function readAddresses(
  db: Connection,
  instanceId: string,
  accountIds: readonly string[],
): Promise<{ account_id: string; address: string }[]> {
  return db.rows(addressesOfAccounts, [instanceId, accountIds])
}

const insertAddresses = statement(
  'addresses.insert',
  `insert into account_address (instance_id, account_id, address)
   select $1, a.account_id, a.address from unnest($2::uuid[], $3::text[]) as a (account_id, address)
   join payment_account p on p.instance_id = $1 and p.id = a.account_id
   order by a.address on conflict (instance_id, address) do nothing`,
)

/** Gives accounts their addresses. One that an account has already stays where it is; what is no account gets none. */
export async function insertAddressRows(
  tx: Connection,
  instanceId: string,
  rows: readonly { readonly accountId: string; readonly address: string }[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.rows(insertAddresses, [
    instanceId,
    rows.map(({ accountId }) => accountId),
    rows.map(({ address }) => address),
  ])
}

const moveAddresses = statement(
  'addresses.move',
  'update account_address set account_id = $3 where instance_id = $1 and account_id = $2',
)
const moveLines = statement(
  'addresses.moveLines',
  'update bank_line set account_id = $3 where instance_id = $1 and account_id = $2',
)

const moveStatements = statement(
  'addresses.moveStatements',
  'update bank_statement set account_id = $3 where instance_id = $1 and account_id = $2',
)

/** All that is known of the account `from` is said of the account `to`: they are one. */
export async function joinAccountRows(
  tx: Transaction,
  instanceId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await tx.rows(moveAddresses, [instanceId, from, to])
  await tx.rows(moveLines, [instanceId, from, to])
  await tx.rows(moveStatements, [instanceId, from, to])
}
