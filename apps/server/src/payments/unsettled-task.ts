/** The task about a signed payment that never settled: it ends with the payment, or when its money comes all the same. */
import type { Transaction } from '../platform/database.ts'
import { endTasks } from '../tasks/tasks.ts'
import type { PaymentRow } from './payments.queries.ts'

/** The payment has ended, or its money has come: nobody has to find out any more. */
export async function endUnsettledTask(
  tx: Transaction,
  { instance_id: instanceId, id }: Pick<PaymentRow, 'instance_id' | 'id'>,
): Promise<void> {
  const abouts = [`payment:${id}`, `payment:${id}:released`]
  await endTasks(tx, { instanceId, kind: 'payment_unsettled', abouts })
}
