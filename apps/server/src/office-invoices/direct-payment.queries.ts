/** The SQL of money that creditors were paid themselves. */
import { statement, type Transaction } from '../platform/database/database.ts'

const insert = statement(
  'officeInvoices.insertDirectPayment',
  `insert into direct_payment (instance_id, id, invoice_id, amount_minor, currency, paid_on, note, entered_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

export async function insertDirectPayment(
  tx: Transaction,
  paid: {
    readonly instanceId: string
    readonly id: string
    readonly invoiceId: string
    readonly amountMinor: number
    readonly currency: string
    readonly paidOn: string
    readonly note: string | null
    readonly by: string
  },
): Promise<void> {
  const { instanceId, id, invoiceId, amountMinor, currency, paidOn, note, by } = paid
  await tx.rows(insert, [instanceId, id, invoiceId, amountMinor, currency, paidOn, note, by])
}
