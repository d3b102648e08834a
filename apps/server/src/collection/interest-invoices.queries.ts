/** The SQL of invoices for interest that was paid late. */
import { statement, type Connection, type Transaction } from '../platform/database.ts'

const paidLate = statement(
  'interest.paidLate',
  `select distinct i.id
   from ledger_transaction t
   join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id
   where t.instance_id = $1 and t.kind = 'PAYMENT' and t.booked_on between $2::date - 31 and $2::date - 1
     and i.status = 'CLOSED' and not i.is_part_payment and i.type in ('INVOICE', 'MEMBERSHIP_FEE')
     and t.booked_on > greatest(i.expire_date, i.interest_posted_to)
   order by i.id`,
)

/** Paid invoices whose interest up to the payment nobody has settled yet. */
export async function readPaidLate(db: Connection, instanceId: string, day: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(paidLate, [instanceId, day])).map((row) => row.id)
}

export type LatePayment = { paid_on: string; principal_minor: number }

const latePayments = statement(
  'interest.latePayments',
  `select t.booked_on as paid_on, (-sum(p.amount_minor))::bigint as principal_minor
   from ledger_transaction t
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
   where t.instance_id = $1 and t.invoice_id = $2 and t.kind = 'PAYMENT' and t.booked_on > $3::date
     and a.kind = 'principal' and a.invoice_id = t.invoice_id
     and not exists (select from ledger_transaction r where r.instance_id = t.instance_id
       and r.cause = 'reversal:' || t.cause)
   group by t.id, t.booked_on order by t.booked_on`,
)

/** What was paid of an invoice's principal after a day, payment by payment. */
export function readLatePayments(
  tx: Transaction,
  key: { instanceId: string; invoiceId: string },
  after: string,
): Promise<LatePayment[]> {
  return tx.rows<LatePayment>(latePayments, [key.instanceId, key.invoiceId, after])
}

const lateDebt = statement(
  'interest.lateDebt',
  `select d.kind, c.country, i.interest_posted_to, n.language
   from invoice i
   join instance n on n.id = i.instance_id
   join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id
   where i.instance_id = $1 and i.id = $2`,
)

export type LateDebt = {
  kind: 'PERSON' | 'COMPANY'
  country: string
  interest_posted_to: string | null
  language: string
}

export async function readLateDebt(
  tx: Transaction,
  key: { instanceId: string; invoiceId: string },
): Promise<LateDebt> {
  const row = (await tx.rows<LateDebt>(lateDebt, [key.instanceId, key.invoiceId]))[0]
  if (!row) throw new Error(`invoice ${key.invoiceId} does not exist`)
  return row
}

const takeNumber = statement(
  'interest.takeNumber',
  `update instance set interest_invoice_number = interest_invoice_number + 1 where id = $1
   returning interest_invoice_number - 1 as number`,
)

/** The next number for an interest invoice of the instance. A number that the transaction loses comes again. */
export async function takeInterestNumber(tx: Transaction, instanceId: string): Promise<string> {
  const row = (await tx.rows<{ number: number }>(takeNumber, [instanceId]))[0]
  if (!row) throw new Error(`instance ${instanceId} does not exist`)
  return String(row.number)
}

const insertInterestInvoice = statement(
  'interest.insert',
  `insert into invoice (instance_id, id, creditor_id, debtor_id, type, status, invoice_number, payment_reference, zip,
     issue_date, sent_date, expire_date, currency, total_minor, payment_account_id, rows)
   select i.instance_id, $3, i.creditor_id, i.debtor_id, 'INTEREST_INVOICE', 'ACTIVATED', $4, i.payment_reference,
     i.zip, $5, $5, $6, i.currency, $7, i.payment_account_id, $8
   from invoice i where i.instance_id = $1 and i.id = $2`,
)

/** An invoice for interest on `key`'s invoice: same parties, reference and account. */
export async function insertInterestInvoiceRow(
  tx: Transaction,
  key: { instanceId: string; invoiceId: string },
  row: { id: string; number: string; sentOn: string; dueDate: string; totalMinor: number; rows: unknown },
): Promise<void> {
  await tx.rows(insertInterestInvoice, [
    key.instanceId, key.invoiceId, row.id, row.number, row.sentOn, row.dueDate, row.totalMinor,
    JSON.stringify(row.rows),
  ]) // biome-ignore format: in the order of the columns
}
