/**
 * Webhooks: what a creditor's programs are told of, and how often it is tried (Standard Webhooks). The triggers of
 * migration 0220 write the events, in the transaction of the fact.
 */

export const WEBHOOK_EVENTS = [
  'invoice.activated', 'invoice.reminded', 'invoice.closed', 'invoice.disputed', 'invoice.credited', 'invoice.stopped',
  'collection_batch.opened', 'collection_batch.closed', 'collection_batch.disputed',
  'payment.completed', 'payment.reversed', 'plan.started', 'plan.ended', 'dispute.decided', 'import.completed',
] as const // biome-ignore format: a line for each subject
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** What somebody sends to see whether it arrives. Nobody chooses it: it goes to the webhook that it is sent to. */
export const TEST_EVENT = 'webhook.test'
/** Everything that a delivery may be of. */
export const SENT_EVENTS = [...WEBHOOK_EVENTS, TEST_EVENT] as const

export const DELIVERY_STATUSES = ['WAITING', 'DELIVERED', 'FAILED'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Why a webhook is off: somebody has switched it off, deliveries failed for three days, or its server said that it is gone (410). */
export const OFF_REASONS = ['BY_HAND', 'FAILED', 'GONE'] as const
export type OffReason = (typeof OFF_REASONS)[number]

/** Why a try came to no answer that counts; null beside a status. */
export const TRY_FAILURES = [
  'address_refused',
  'name_unknown',
  'no_connection',
  'certificate',
  'too_slow',
  'redirected',
  'broken_off',
] as const
export type TryFailure = (typeof TRY_FAILURES)[number]

/** A creditor has so many webhooks at most. */
export const MOST_WEBHOOKS = 20
/** A delivery and its log are kept, and can be sent again, for so long. */
export const KEPT_DAYS = 30
/** For so long both secrets sign after one was exchanged. */
export const FORMER_SECRET_HOURS = 24

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** How long it rests after each try that failed. After the last of these comes one more try, within three days of the first. */
const PAUSES_MS = [
  5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 20 * HOUR,
] as const // biome-ignore format: a list

/** How long a delivery rests after its try of this number (from 1) has failed, in milliseconds; undefined: it is given up. */
export function pauseAfterTry(number: number): number | undefined {
  return PAUSES_MS[number - 1]
}

/** Only a status of success is an answer that counts; 410 says that nobody listens there any more. */
export function isTaken(status: number): boolean {
  return status >= 200 && status <= 299
}

export const STATUS_GONE = 410
