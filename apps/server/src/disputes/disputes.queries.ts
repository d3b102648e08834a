/** The SQL of disputes. */
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { statement, type Transaction } from '../platform/database/database.ts'
import { openTask } from '../tasks/tasks.ts'

const insertDispute = statement(
  'disputes.insert',
  `insert into dispute (instance_id, id, invoice_id, claim_id, email, reason, status, opened_on)
   values ($1, $2, $3, $4, $5, $6, 'OPEN', $7)`,
)

/** Keeps the dispute, and asks the creditor to answer it. */
export async function insertDisputeRow(
  tx: Transaction,
  dispute: {
    instanceId: string
    id: string
    debt: Debt
    email: string
    reason: string
    openedOn: string
  },
): Promise<void> {
  await tx.rows(insertDispute, [
    dispute.instanceId,
    dispute.id,
    'invoiceId' in dispute.debt ? dispute.debt.invoiceId : null,
    'claimId' in dispute.debt ? dispute.debt.claimId : null,
    dispute.email,
    dispute.reason,
    dispute.openedOn,
  ])
  await openTask(tx, {
    instanceId: dispute.instanceId,
    kind: 'dispute_to_answer',
    about: `dispute:${dispute.id}`,
    details: dispute.debt,
    madeOn: dispute.openedOn,
  })
}
