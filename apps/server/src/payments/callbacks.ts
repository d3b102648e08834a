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
  const isPossible = /^[A-Za-z0-9_-]{20,40}$/.test(secret)
  const payment = isPossible ? await readPaymentBySecret(context.db, secret, 'DIRECT_BANK') : undefined
  if (!payment) throw new Refusal('not_found')
  const notice = noticeOf(body)
  const named = notice.eventId ?? createHash('sha256').update(JSON.stringify(notice)).digest('hex')
  const eventId = `${payment.id}:${named}`
  await insertEventRow(context.db, { gateway: payment.gateway, eventId, payment, body: notice })
  return payment
}

/** What of a notification is kept: short plain texts by name. The rest of a body says nothing to us. */
function noticeOf(body: unknown): Partial<Record<'eventId' | 'paymentId' | 'transactionStatus', string>> {
  const fields = body !== null && typeof body === 'object' ? (body as Record<string, unknown>) : {}
  const textOf = (name: string): object => {
    const value = fields[name]
    return typeof value === 'string' && /^[\x20-\x7e]{1,100}$/.test(value) ? { [name]: value } : {}
  }
  return { ...textOf('eventId'), ...textOf('paymentId'), ...textOf('transactionStatus') }
}
