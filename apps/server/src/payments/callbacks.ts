/** What gateways tell us. A callback is kept, acknowledged, and only then looked into. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { Refusal } from '@kvitt/domain/errors.ts'
import { noteEvent } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { insertEventRow } from './inbox.queries.ts'
import { keepUnknownCallback } from './journal/journal.queries.ts'
import { readPaymentBySecret, type PaymentRow } from './payments.queries.ts'
import { recordPaymentResult } from './settle.ts'

/** What a callback brings: where it knocked, what it said it was, and its body. */
export type Callback = {
  /** The unguessable part of the address. */
  readonly secret: string
  /** What the gateway echoes of what we gave it; undefined when it sent nothing. */
  readonly identifier: string | undefined
  readonly body: unknown
}

/**
 * Keeps a bank's notification and answers which payment it is about. The secret in the address is the only
 * thing believed; the body is a hint. The same event again changes nothing. Unknown secrets get 404.
 */
export async function receiveBankNotification(context: Context, callback: Callback): Promise<PaymentRow> {
  const payment = await findBySecret(context, callback, 'DIRECT_BANK')
  return keep(context, payment, noticeOf(callback.body))
}

/**
 * Keeps a callback from Swish, which has no signature: the address and the identifier that we gave along must
 * both be right, or the answer is the same 404. What it says is not believed; the payment is then read at Swish.
 */
export async function receiveSwishCallback(context: Context, callback: Callback): Promise<PaymentRow> {
  const { identifier, body } = callback
  const payment = await findBySecret(context, callback, 'SWISH')
  if (!isSameText(identifier ?? '', payment.callback_identifier ?? '')) {
    context.log.warn({ paymentId: payment.id }, 'callback with a wrong identifier')
    await noteCall(context, payment, 'callback_forged')
    throw new Refusal('not_found')
  }
  return keep(context, payment, noticeOf(body))
}

/**
 * Looks into a callback that was kept. One that tells of money which its gateway knows nothing of is somebody who has
 * got hold of the address (threat cb.forged): nothing moves, and it leaves a trace.
 */
export async function applyCallback(
  context: Context,
  payment: PaymentRow,
  { body }: Callback,
): Promise<void> {
  const result = await recordPaymentResult(context, payment, 'callback')
  const { status, transactionStatus } = noticeOf(body)
  const tellsOfMoney = status === 'PAID' || transactionStatus === 'ACSC' || transactionStatus === 'ACCC'
  if (tellsOfMoney && !['COMPLETED', 'arrived', 'unknown'].includes(result)) {
    await noteCall(context, payment, 'callback_mismatch')
  }
}

function noteCall(
  context: Context,
  payment: PaymentRow,
  kind: 'callback_forged' | 'callback_mismatch',
): Promise<void> {
  const actor = `gateway:${payment.gateway}`
  return noteEvent(context, {
    instanceId: payment.instance_id,
    kind,
    actor,
    about: `payment:${payment.id}`,
  })
}

/** Of a payment that a restored database has lost nobody knows the secret either: what it says is kept for the journal to be read back. */
async function findBySecret(
  { db }: Pick<Context, 'db'>,
  callback: Callback,
  gateway: string,
): Promise<PaymentRow> {
  const { secret, body } = callback
  if (!/^[A-Za-z0-9_-]{20,40}$/.test(secret)) throw new Refusal('not_found')
  const payment = await readPaymentBySecret(db, secret, gateway)
  if (payment) return payment
  const notice = noticeOf(body)
  await keepUnknownCallback(db, gateway, callback, { id: nameOf(notice), body: notice })
  throw new Refusal('not_found')
}

/** By which the same news is known again. */
function nameOf(notice: Notice): string {
  return notice.eventId ?? createHash('sha256').update(JSON.stringify(notice)).digest('hex')
}

/** Compared in the same time, however much of it is right. */
function isSameText(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return expected !== '' && timingSafeEqual(digest(given), digest(expected))
}

async function keep(context: Context, payment: PaymentRow, notice: Notice): Promise<PaymentRow> {
  const eventId = `${payment.id}:${nameOf(notice)}`
  await insertEventRow(context.db, { gateway: payment.gateway, eventId, payment, body: notice })
  return payment
}

const KEPT = ['eventId', 'paymentId', 'transactionStatus', 'id', 'status', 'errorCode'] as const
type Notice = Partial<Record<(typeof KEPT)[number], string>>

/** What of a notification is kept: short plain texts by name. The rest of a body says nothing to us. */
function noticeOf(body: unknown): Notice {
  const fields = body !== null && typeof body === 'object' ? (body as Record<string, unknown>) : {}
  const kept = KEPT.flatMap((name) => {
    const value = fields[name]
    return typeof value === 'string' && /^[\x20-\x7e]{1,100}$/.test(value) ? [[name, value]] : []
  })
  return Object.fromEntries(kept) as Notice
}
