/** A signed payment that never settles (M-16): it is cancelled at its gateway, and holds its debt until that is certain. */
import type { Context } from '../context.ts'
import { openTask } from '../tasks/tasks.ts'
import { GatewayUnavailable, type Gateway } from './gateways/gateway.ts'
import type { PaymentRow } from './payments.queries.ts'
import { failPayment, recordPaymentResult } from './settle.ts'
import { releasedTask } from './unsettled-task.ts'

type Ended =
  /** The gateway will not move the money: the debt is free. */
  | 'cancelled'
  | 'unknown_order'
  /** It is not certain: the debt stays held. */
  | 'refused'
  | 'no_answer'
  /** The bank says that it will move the money, and does not: it is not cancelled, and a person asks. */
  | 'accepted'
  /** The gateway says by itself that it has come, or will not. */
  | 'waits'

/**
 * Cancels it, and releases what it holds only when the gateway has cancelled it or knows of no such order; a person is asked
 * either way. Without a clear answer it stays held, and is tried again with every sweep. Money that comes all the same
 * is booked like any money of a payment that was given up.
 */
export async function endUnsettled(context: Context, payment: PaymentRow): Promise<void> {
  const gateway = context.gateways.find(({ code }) => code === payment.gateway)
  const outcome = gateway ? await cancelAt(gateway, payment) : 'no_answer'
  if (outcome === 'waits') return
  if (outcome === 'cancelled' || outcome === 'unknown_order') {
    const released = releasedTask(payment, outcome)
    await failPayment(context, payment, { failure: 'not_settled', door: 'sweep', task: released })
    return
  }
  // Refused: it may have settled this moment, and the gateway's word decides.
  const result = outcome === 'refused' ? await recordPaymentResult(context, payment, 'sweep') : 'unknown'
  if (result !== 'AUTHORIZED' && result !== 'unknown') return
  const held = {
    instanceId: payment.instance_id,
    kind: 'payment_unsettled' as const,
    about: `payment:${payment.id}`,
    details: { outcome, gateway: payment.gateway, executionDate: payment.execution_date },
  }
  if (await openTask(context.db, held))
    context.log.error(
      { paymentId: payment.id, outcome },
      'signed payment neither settles nor can be cancelled',
    )
}

async function cancelAt(gateway: Gateway, payment: PaymentRow): Promise<Ended> {
  const {
    gateway_payment_id: gatewayPaymentId,
    payee_account: payeeAccount,
    instance_id: instanceId,
  } = payment
  if (gatewayPaymentId === null) return 'no_answer'
  try {
    const seen = await gateway.readPayment({ instanceId, gatewayPaymentId, payeeAccount })
    if (seen === undefined) return 'unknown_order'
    if (seen.status === 'COMPLETED' || seen.status === 'FAILED') return 'waits'
    if (seen.isAccepted) return 'accepted'
    const isAnothers = seen.paymentId !== undefined && seen.paymentId !== payment.id
    if (isAnothers || seen.isOutcomeUnknown) return 'refused'
    return (await gateway.cancelPayment({ instanceId, gatewayPaymentId, payeeAccount })) === 'cancelled'
      ? 'cancelled'
      : 'refused'
  } catch (error) {
    if (error instanceof GatewayUnavailable) return 'no_answer'
    throw error
  }
}
