/** The half of starting a payment that happens at the gateway, outside any transaction. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../../context.ts'
import { GatewayRefused, GatewayUnavailable, type Created, type Gateway } from '../gateways/gateway.ts'
import { lineOfMade, lineOfPayment } from '../journal/journal.ts'
import { readPayment, type PaymentRow } from '../payments.queries.ts'
import { failPayment, recordPaymentResult } from '../settle.ts'
import { beginPaymentRow } from './starting.queries.ts'

type Send = {
  readonly gateway: Gateway
  /** The payer's network address, for the gateway. */
  readonly payerAddress: string
  readonly payerPhone?: string | undefined
}

/**
 * Asks the gateway to create a payment that is written down already, and hands it out with its link. Refuses when
 * nothing came of it.
 */
export async function sendToGateway(
  context: Context,
  payment: PaymentRow,
  { gateway, payerAddress, payerPhone }: Send,
): Promise<PaymentRow> {
  let made: Created
  await context.journal.note(lineOfPayment(payment, gateway))
  try {
    made = await gateway.createPayment({
      instanceId: payment.instance_id,
      paymentId: payment.id,
      amountMinor: payment.amount_minor,
      currency: payment.currency,
      executionDate: payment.execution_date as CalendarDate,
      isFutureDated: payment.option === 'due-date',
      payee: { name: payment.payee_name, scheme: payment.payee_scheme, account: payment.payee_account },
      paymentReference: payment.payment_reference,
      redirectUri: payment.redirect_uri,
      callbackUrl: `${context.config.publicUrl}/api/callbacks/${callbackPath(payment.gateway)}/${payment.callback_secret}`,
      callbackIdentifier: payment.callback_identifier ?? '',
      payerAddress,
      payerPhone,
    })
  } catch (error) {
    return giveUp(context, gateway, payment, error)
  }
  // Whoever is given the link can sign it: by then the journal has what the gateway calls it.
  const [begun] = await Promise.all([
    beginPaymentRow(context.db, payment, made),
    context.journal.note(lineOfMade(payment, made)),
  ])
  if (!begun) {
    // Another request gave this one up while the bank was thinking: nobody gets the link, so take it back.
    const { instance_id: instanceId, payee_account: payeeAccount } = payment
    await gateway.cancelPayment({ ...made, instanceId, payeeAccount }).catch(() => {})
    throw new Refusal('provider_unavailable')
  }
  if (!begun.has_news) return begun
  // A callback that came before the gateway's name was known waits for it in the inbox.
  await recordPaymentResult(context, payment, 'callback')
  return (await readPayment(context.db, payment.instance_id, payment.id)) ?? begun
}

/** `DIRECT_BANK` knocks at `direct-bank`. */
function callbackPath(gateway: string): string {
  return gateway.toLowerCase().replaceAll('_', '-')
}

/** No payment came of it, or none that we know of. Always refuses. */
async function giveUp(
  context: Context,
  gateway: Gateway,
  payment: PaymentRow,
  error: unknown,
): Promise<never> {
  const isRefused = error instanceof GatewayRefused
  if (!isRefused && !(error instanceof GatewayUnavailable)) throw error
  context.log.warn(
    { paymentId: payment.id, gateway: payment.gateway, reason: error.message },
    'payment not started',
  )
  if (!isRefused && payment.is_pushed && gateway.idOf) {
    // The payer's phone may be asking already: under way until the gateway says what became of it.
    const gatewayPaymentId = gateway.idOf(payment.id)
    await beginPaymentRow(context.db, payment, { gatewayPaymentId, externalLink: null })
    throw new Refusal('payer_phone_in_doubt')
  }
  await failPayment(context, payment, { failure: isRefused ? 'refused' : 'no_answer', door: 'start' })
  // Nobody was given a link. Should it have been made all the same, it need not wait for anybody.
  if (!isRefused && gateway.idOf) {
    const { instance_id: instanceId, payee_account: payeeAccount } = payment
    const made = { instanceId, gatewayPaymentId: gateway.idOf(payment.id), payeeAccount }
    void gateway.cancelPayment(made).catch(() => {})
  }
  throw new Refusal(isRefused ? (error.code ?? 'provider_unavailable') : 'provider_unavailable')
}
