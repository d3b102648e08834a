/** The task about a signed payment that never settled: it ends with the payment, or when its money comes all the same. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { isUnsettled } from '@kvitt/domain/payments/unsettled.ts'
import type { Transaction } from '../platform/database/database.ts'
import { endTasks, openTask, type NewTask } from '../tasks/tasks.ts'
import type { GatewayPayment } from './gateways/gateway.ts'
import type { PaymentRow, SeenPayment } from './payments.queries.ts'

/** The task about a payment whose debt is free again. */
export function releasedTask(payment: PaymentRow, outcome: 'cancelled' | 'unknown_order'): NewTask {
  return {
    instanceId: payment.instance_id,
    kind: 'payment_unsettled',
    about: `payment:${payment.id}:released`,
    details: { outcome, gateway: payment.gateway, executionDate: payment.execution_date },
  }
}

/**
 * The gateway says of a payment that it is cancelled. When it was signed and overdue, we cancelled it ourselves: a process that died
 * before it wrote that down, or another sweep that was faster. The person is asked all the same.
 */
export async function askAboutCancelled(
  tx: Transaction,
  payment: PaymentRow & Pick<SeenPayment, 'country'>,
  { reported, today }: { readonly reported: GatewayPayment; readonly today: CalendarDate },
): Promise<void> {
  const { status, country } = payment
  const signed = { status, country, executionDate: date(payment.execution_date) }
  // CANC at a bank, CANCELLED at Swish.
  const isCancelled = reported.status === 'FAILED' && reported.reported.startsWith('CANC')
  if (isCancelled && isUnsettled(signed, today)) await openTask(tx, releasedTask(payment, 'cancelled'))
}

/** The payment has ended, or its money has come: nobody has to find out any more. */
export async function endUnsettledTask(
  tx: Transaction,
  { instance_id: instanceId, id }: Pick<PaymentRow, 'instance_id' | 'id'>,
): Promise<void> {
  const abouts = [`payment:${id}`, `payment:${id}:released`]
  await endTasks(tx, { instanceId, kind: 'payment_unsettled', abouts })
  await endTasks(tx, { instanceId, kind: 'payment_lost', abouts })
}
