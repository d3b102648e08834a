/** The SQL of whose the payment accounts of creditors are, and of what was booked before that was told. */
import type { Holder } from '@kvitt/domain/ledger/booking.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { tasksOf } from '../tasks/tasks.ts'

const COLUMNS = `a.id, a.scheme, a.account_number, a.iban, a.receiver_name, a.holder, a.creditor_id, c.name as creditor_name`

export type CreditorAccountRow = {
  id: string
  scheme: 'BANKGIRO' | 'PLUSGIRO' | 'IBAN' | 'LOCAL'
  account_number: string | null
  iban: string | null
  receiver_name: string
  /** Null: not told yet. */
  holder: Holder | null
  creditor_id: string
  creditor_name: string
}

const ofCreditors = statement(
  'holders.all',
  `select ${COLUMNS} from payment_account a join creditor c on c.instance_id = a.instance_id and c.id = a.creditor_id
   where a.instance_id = $1 and a.is_usable order by a.holder nulls first, c.name, a.id`,
)

/** The accounts of an instance's creditors, those that nobody has told of first. */
export function readCreditorAccounts(db: Connection, instanceId: string): Promise<CreditorAccountRow[]> {
  return db.rows<CreditorAccountRow>(ofCreditors, [instanceId])
}

const lockAccount = statement(
  'holders.lock',
  `select ${COLUMNS} from payment_account a join creditor c on c.instance_id = a.instance_id and c.id = a.creditor_id
   where a.instance_id = $1 and a.id = $2 and a.is_usable for update of a`,
)

export async function lockCreditorAccount(
  tx: Transaction,
  instanceId: string,
  id: string,
): Promise<CreditorAccountRow | undefined> {
  return (await tx.rows<CreditorAccountRow>(lockAccount, [instanceId, id]))[0]
}

const setHolder = statement(
  'holders.set',
  'update payment_account set holder = $3 where instance_id = $1 and id = $2 and holder is distinct from $3',
)

export async function setHolderRow(
  tx: Transaction,
  instanceId: string,
  { id, holder }: { readonly id: string; readonly holder: Holder },
): Promise<void> {
  await tx.rows(setHolder, [instanceId, id, holder])
}

const tellLines = statement(
  'holders.tellLines',
  `update bank_line set holder = $3 where instance_id = $1 and account_id = $2 and holder is null
   returning id, status, payment_id, amount_minor, currency`,
)

export type ToldRow = {
  id: string
  status: string
  payment_id: string | null
  amount_minor: number
  currency: Currency
}

/** What has come to the account before anybody told whose it is: that is told of these lines as well. */
export async function tellLineRows(
  tx: Transaction,
  instanceId: string,
  { id, holder }: { readonly id: string; readonly holder: Holder },
): Promise<ToldRow[]> {
  const told = await tx.rows<ToldRow>(tellLines, [instanceId, id, holder])
  // What another file told of as well stands nowhere.
  return told.filter(({ status }) => status !== 'REPEATED')
}

const bookedAsHeld = statement(
  'holders.bookedAsHeld',
  `select t.cause, t.invoice_id as "invoiceId", t.claim_id as "claimId", t.payment_id as "paymentId"
   from ledger_transaction t
   where t.instance_id = $1 and t.cause = any($2) and not exists (
     select from ledger_transaction o where o.instance_id = $1 and o.cause in ('holder:' || t.cause, 'reversal:' || t.cause))
     and (t.cause not like 'refund:%' or exists (select from ${tasksOf(['refund'])} k where k.instance_id = $1
       and 'refund:' || k.about = t.cause and not exists (select from refund r
         where r.instance_id = $1 and r.about = k.about and r.status <> 'FAILED')))
   order by t.id`,
)

export type BookedRow = {
  cause: string
  invoiceId: string | null
  claimId: string | null
  paymentId: string | null
}

/** Those of the entries with these causes that stand as booked; of refunds those that nobody has begun to send. */
export function readBookedAsHeld(
  tx: Transaction,
  instanceId: string,
  causes: readonly string[],
): Promise<BookedRow[]> {
  return tx.rows<BookedRow>(bookedAsHeld, [instanceId, causes])
}
