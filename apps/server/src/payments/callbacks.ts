/** What gateways tell us. A callback is kept, acknowledged, and only then looked into. */
import { createHash } from 'node:crypto'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import { insertEventRow, readPaymentBySecret, type PaymentRow } from './payments.queries.ts'

/**
 * Keeps a bank's notification and answers which payment it is about. The secret in the address is the only
 * thing believed; the body is a hint. The same event again changes nothing. Unknown secrets get 404.
 */
export async function receiveBankNotification(
  context: Context,
  secret: string,
  body: unknown,
): Promise<PaymentRow> {
  const payment = await readPaymentBySecret(context.db, secret, 'DIRECT_BANK')
  if (!payment) throw new Refusal('not_found')
  const text = JSON.stringify(body ?? null)
  const named = (body as { eventId?: unknown } | null)?.eventId
  const eventId =
    typeof named === 'string' && named.length <= 100
      ? `${payment.id}:${named}`
      : `${payment.id}:${createHash('sha256').update(text).digest('hex')}`
  await insertEventRow(context.db, { gateway: payment.gateway, eventId, payment, body })
  return payment
}
