/** The SQL of invoices for interest that was paid late. */
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { debtId } from '@kvitt/domain/ledger/booking.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection, type Transaction } from '../platform/database.ts'

const paidLate = statement(
  'interest.paidLate',
  `select invoice_id, claim_id from late_payment
   where instance_id = $1 and status = 'WAITING' and paid_on < $2::date
   group by debt_id, invoice_id, claim_id order by debt_id`,
)

type DebtIds = { invoice_id: string; claim_id: null } | { invoice_id: null; claim_id: string }

/** The debts of which principal was paid late before `day`, and its interest is not settled. */
export async function readPaidLate(db: Connection, instanceId: string, day: string): Promise<Debt[]> {
  const rows = await db.rows<DebtIds>(paidLate, [instanceId, day])
  return rows.map((row) =>
    row.claim_id === null ? { invoiceId: row.invoice_id } : { claimId: row.claim_id },
  )
}

export type LatePayment = {
  payment_id: string
  principal_minor: number
  from_day: string
  paid_on: string
  /** It was not owed after all: a decision for the debtor came afterwards, or all of the debt was credited. */
  is_forgiven: boolean
}

const latePayments = statement(
  'interest.latePayments',
  `select l.payment_id, l.principal_minor, l.from_day, l.paid_on,
     exists (select from ledger_transaction t where t.instance_id = l.instance_id
       and coalesce(t.claim_id, t.invoice_id) = l.debt_id and t.posted_at >= l.booked_at
       and (t.cause like 'dispute:%' or t.cause like 'upheld:%'))
     or coalesce((select sum(p.amount_minor) from ledger_transaction t
         join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id and p.amount_minor > 0
         where t.instance_id = l.instance_id and (t.invoice_id = l.invoice_id or t.claim_id = l.claim_id)
           and t.kind = 'CREDIT_INVOICE'), 0)
       >= coalesce(i.total_minor, c.total_minor) as is_forgiven
   from late_payment l
   left join invoice i on i.instance_id = l.instance_id and i.id = l.invoice_id
   left join claim c on c.instance_id = l.instance_id and c.id = l.claim_id
   where l.instance_id = $1 and l.debt_id = $2 and l.status = 'WAITING' and l.paid_on < $3::date
   order by l.paid_on, l.payment_id for update of l`,
)

/** What was paid late of a debt before `day` and waits, payment by payment. Locked. */
export function readLatePayments(
  tx: Transaction,
  { instanceId, debt }: { instanceId: string; debt: Debt },
  day: string,
): Promise<LatePayment[]> {
  return tx.rows<LatePayment>(latePayments, [instanceId, debtId(debt), day])
}

const settleLate = statement(
  'interest.settleLate',
  `update late_payment l set status = case when $2::uuid is null then 'DROPPED' else 'BILLED' end, bill_id = $2,
     interest_minor = n.interest_minor
   from unnest($3::uuid[], $4::bigint[]) as n (payment_id, interest_minor)
   where l.instance_id = $1 and l.payment_id = n.payment_id and l.status = 'WAITING'`,
)

/** These payments' interest is billed by `billId`, each its sum; or dropped, without one. */
export async function settleLateRows(
  tx: Transaction,
  { instanceId, billId }: { instanceId: string; billId: string | null },
  rows: readonly { paymentId: string; interestMinor: number }[],
): Promise<void> {
  await tx.rows(settleLate, [
    instanceId,
    billId,
    rows.map(({ paymentId }) => paymentId),
    rows.map(({ interestMinor }) => (billId === null ? null : interestMinor)),
  ])
}

const lateDebt = (subject: 'invoice' | 'claim', postedTo: string): ReturnType<typeof statement> =>
  statement(
    `interest.lateDebt.${subject}`,
    `select d.kind, c.country, n.language, i.status, i.currency, i.creditor_id, i.debtor_id,
       i.${subject}_number as number, ${postedTo} as posted_to
     from ${subject} i
     join instance n on n.id = i.instance_id
     join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
     join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id
     where i.instance_id = $1 and i.id = $2`,
  )
const lateInvoice = lateDebt('invoice', 'greatest(i.interest_posted_to, i.expire_date)')
const lateClaim = lateDebt('claim', 'i.interest_posted_to')

export type LateDebt = {
  kind: 'PERSON' | 'COMPANY'
  country: string
  language: string
  status: string
  currency: Currency
  creditor_id: string
  debtor_id: string
  number: string
  /** Up to and including this day interest is in the books. */
  posted_to: string
}

export async function readLateDebt(
  tx: Transaction,
  { instanceId, debt }: { instanceId: string; debt: Debt },
): Promise<LateDebt> {
  const read = 'claimId' in debt ? lateClaim : lateInvoice
  const row = (await tx.rows<LateDebt>(read, [instanceId, debtId(debt)]))[0]
  if (!row) throw new Error(`debt ${debtId(debt)} does not exist`)
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

const insertInterestInvoice = (from: 'invoice' | 'claim', own: string) =>
  statement(
    `interest.insert.${from}`,
    `insert into invoice (instance_id, id, creditor_id, debtor_id, type, status, invoice_number, payment_reference, zip,
       issue_date, sent_date, expire_date, currency, total_minor, rows, payment_account_id)
     select i.instance_id, $3, i.creditor_id, i.debtor_id, 'INTEREST_INVOICE', 'ACTIVATED', $4, ${own}
     from ${from} i where i.instance_id = $1 and i.id = $2`,
  )
const insertForInvoice = insertInterestInvoice(
  'invoice',
  'coalesce($9, i.payment_reference), i.zip, $5, $5, $6, i.currency, $7, $8, i.payment_account_id',
)
// Where a claim is paid to (D-27).
const insertForClaim = insertInterestInvoice('claim', '$9, i.zip, $5, $5, $6, i.currency, $7, $8, null')

/** An invoice for interest on a debt: same parties, and of an invoice its reference and account. */
export async function insertInterestInvoiceRow(
  tx: Transaction,
  { instanceId, debt }: { instanceId: string; debt: Debt },
  row: {
    id: string
    number: string
    /** Null: the invoice's own. */
    reference: string | null
    sentOn: string
    dueDate: string
    totalMinor: number
    rows: unknown
  },
): Promise<void> {
  await tx.rows('claimId' in debt ? insertForClaim : insertForInvoice, [
    instanceId, debtId(debt), row.id, row.number, row.sentOn, row.dueDate, row.totalMinor,
    JSON.stringify(row.rows), row.reference,
  ]) // biome-ignore format: in the order of the columns
}

const billedPart = statement(
  'interest.billedPart',
  `select status, bill_id, interest_minor, paid_on from late_payment where instance_id = $1 and payment_id = $2 for update`,
)

export type BilledPart = {
  status: 'WAITING' | 'BILLED' | 'DROPPED'
  bill_id: string | null
  interest_minor: number | null
  paid_on: string
}

/** What became of one payment's interest, locked; undefined when it was not late. */
export async function readBilledPart(
  tx: Transaction,
  { instanceId, paymentId }: { instanceId: string; paymentId: string },
): Promise<BilledPart | undefined> {
  return (await tx.rows<BilledPart>(billedPart, [instanceId, paymentId]))[0]
}
