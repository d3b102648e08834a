/** The SQL of invoices for interest that was paid late. */
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { debtId } from '@kvitt/domain/ledger/booking.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { claimWaits, invoiceWaits, type Awaited } from '../creditors/creditors.ts'
import { FELL_DUE_ON } from '../ledger/ledger.ts'
import { isNotResting } from '../ledger/resting-debts.queries.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

const paidLateBut = (also: string): string => `select l.invoice_id, l.claim_id from late_days l
   left join invoice i on i.instance_id = l.instance_id and i.id = l.invoice_id
   left join claim c on c.instance_id = l.instance_id and c.id = l.claim_id
   where l.instance_id = $1 and l.status = 'WAITING' and coalesce(i.status, c.status) = 'CLOSED'
     and ${isNotResting('l.debt_id')} ${also}
   group by l.debt_id, l.invoice_id, l.claim_id having max(l.to_day) < $2::date order by l.debt_id`

const paidLate = statement('interest.paidLate', paidLateBut(''))
const paidLateOfOthers = statement(
  'interest.paidLateOfOthers',
  paidLateBut(`and not coalesce(case when l.claim_id is null then ${invoiceWaits('i', '$3', '$4')}
     else ${claimWaits('c', '$3', '$4')} end, false)`),
)

type DebtIds = { invoice_id: string; claim_id: null } | { invoice_id: null; claim_id: string }

/**
 * The debts that are paid, late and before `day`, with days whose interest is not settled; but for those that wait for the files
 * of an account.
 */
export async function readPaidLate(
  db: Connection,
  { instanceId, day, awaited }: { instanceId: string; day: string; awaited: Awaited },
): Promise<Debt[]> {
  const { isNobody, accountIds, currencies } = awaited
  const values = isNobody ? [instanceId, day] : [instanceId, day, accountIds, currencies]
  const rows = await db.rows<DebtIds>(isNobody ? paidLate : paidLateOfOthers, values)
  return rows.map((row) =>
    row.claim_id === null ? { invoiceId: row.invoice_id } : { claimId: row.claim_id },
  )
}

const lateDebt = (subject: 'invoice' | 'claim'): ReturnType<typeof statement> =>
  statement(
    `interest.lateDebt.${subject}`,
    `select d.kind, c.country, n.language, n.mode = 'live' as is_live, i.status, i.currency, i.creditor_id, i.debtor_id,
       i.${subject}_number as number, ${FELL_DUE_ON[subject]('i')}
     from ${subject} i
     join instance n on n.id = i.instance_id
     join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
     join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id
     where i.instance_id = $1 and i.id = $2`,
  )
const lateInvoice = lateDebt('invoice')
const lateClaim = lateDebt('claim')

export type LateDebt = {
  kind: 'PERSON' | 'COMPANY'
  country: string
  language: string
  is_live: boolean
  status: string
  currency: Currency
  creditor_id: string
  debtor_id: string
  number: string
  fell_due_on: string
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
