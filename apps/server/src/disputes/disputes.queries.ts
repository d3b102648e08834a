/** The SQL of disputes. */
import { statement, type Transaction } from '../platform/database.ts'

const insertDispute = statement(
  'disputes.insert',
  `insert into dispute (instance_id, id, invoice_id, email, reason, status, opened_on)
   values ($1, $2, $3, $4, $5, 'OPEN', $6)`,
)

export async function insertDisputeRow(
  tx: Transaction,
  dispute: {
    instanceId: string
    id: string
    invoiceId: string
    email: string
    reason: string
    openedOn: string
  },
): Promise<void> {
  await tx.rows(insertDispute, [
    dispute.instanceId,
    dispute.id,
    dispute.invoiceId,
    dispute.email,
    dispute.reason,
    dispute.openedOn,
  ])
}
