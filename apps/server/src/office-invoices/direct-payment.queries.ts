/** The SQL of money that creditors were paid themselves. */
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Transaction } from '../platform/database/database.ts'

const signed = statement(
  'officeInvoices.signed',
  `select coalesce(sum(amount_minor), 0)::bigint as minor from payment
   where instance_id = $1 and (invoice_id = $2 or claim_id = $2) and status = 'AUTHORIZED'`,
)

/** What payers have signed for a debt and no gateway has carried out, in minor units; also for a day to come. Under its lock. */
export async function readSignedOn(tx: Transaction, instanceId: string, debt: Debt): Promise<number> {
  return (await tx.rows<{ minor: number }>(signed, [instanceId, debtId(debt)]))[0]?.minor ?? 0
}

const insert = statement(
  'officeInvoices.insertDirectPayment',
  `insert into direct_payment (instance_id, id, invoice_id, claim_id, amount_minor, currency, paid_on, note, entered_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

export async function insertDirectPayment(
  tx: Transaction,
  paid: {
    readonly instanceId: string
    readonly id: string
    readonly debt: Debt
    readonly amountMinor: number
    readonly currency: string
    readonly paidOn: string
    readonly note: string | null
    readonly by: string
  },
): Promise<void> {
  const { instanceId, id, debt, amountMinor, currency, paidOn, note, by } = paid
  const invoiceId = 'invoiceId' in debt ? debt.invoiceId : null
  const claimId = 'claimId' in debt ? debt.claimId : null
  await tx.rows(insert, [instanceId, id, invoiceId, claimId, amountMinor, currency, paidOn, note, by])
}

const entered = statement(
  'officeInvoices.directPaymentOf',
  `select d.id, d.amount_minor, d.currency, t.invoice_id, t.claim_id from ledger_transaction t
   join direct_payment d on d.instance_id = t.instance_id and t.cause = 'payment:' || d.id
   where t.instance_id = $1 and t.id = $2`,
)

export type DirectPaymentRow = {
  readonly id: string
  readonly amount_minor: number
  readonly currency: Currency
  readonly invoice_id: string | null
  readonly claim_id: string | null
}

/** What staff entered that this booking of a payment stands for; undefined when it came another way. */
export async function findDirectPayment(
  tx: Transaction,
  instanceId: string,
  bookingId: string,
): Promise<DirectPaymentRow | undefined> {
  return (await tx.rows<DirectPaymentRow>(entered, [instanceId, bookingId]))[0]
}
