/** A creditor's webhooks, and the log of what was sent to them. */
import { z } from 'zod'
import { clientCall, instant, LIST_QUERY, noBody, searchBody } from '../contract.ts'
import { DELIVERY_STATUSES, OFF_REASONS, SENT_EVENTS, TRY_FAILURES, WEBHOOK_EVENTS } from './webhook.ts'

/** `waiting` and `failed` count deliveries. A former secret still signs until `formerSecretUntil`. */
export const webhook = z.strictObject({
  id: z.uuid(),
  version: z.number().int(),
  address: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  isOn: z.boolean(),
  offReason: z.enum(OFF_REASONS).nullable(),
  offSince: instant.nullable(),
  formerSecretUntil: instant.nullable(),
  createdAt: instant,
  waiting: z.number().int(),
  failed: z.number().int(),
  deliveredAt: instant.nullable(),
})

/** The secret is told once, when it is made. */
const withSecret = z.strictObject({ ...webhook.shape, secret: z.string() })

const address = z.string().trim().min(1).max(500)
const events = z.array(z.enum(WEBHOOK_EVENTS)).min(1)

export const searchWebhooks = clientCall({
  name: 'searchWebhooks',
  right: 'webhooks',
  method: 'POST',
  path: '/webhooks/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(webhook),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getWebhook = clientCall({
  name: 'getWebhook',
  right: 'webhooks',
  path: '/webhooks/:id',
  response: webhook,
})

export const makeWebhook = clientCall({
  name: 'makeWebhook',
  right: 'webhooks',
  method: 'POST',
  path: '/webhooks',
  status: 201,
  body: z.object({ address, events }),
  response: withSecret,
  refusals: ['webhook_address', 'too_many_webhooks', 'idempotency_key_reused'],
})

/** What is left out stays. Switched on again, what waits is sent. */
export const changeWebhook = clientCall({
  name: 'changeWebhook',
  right: 'webhooks',
  method: 'PUT',
  path: '/webhooks/:id',
  body: z.object({
    version: z.number().int(),
    address: address.optional(),
    events: events.optional(),
    isOn: z.boolean().optional(),
  }),
  response: webhook,
  refusals: ['changed_meanwhile', 'webhook_address'],
})

/** Its log goes with it. */
export const removeWebhook = clientCall({
  name: 'removeWebhook',
  right: 'webhooks',
  method: 'DELETE',
  path: '/webhooks/:id',
  status: 204,
  response: z.undefined(),
})

/** A new secret. The one before signs beside it for a day; one before that no longer. */
export const rotateWebhookSecret = clientCall({
  name: 'rotateWebhookSecret',
  right: 'webhooks',
  method: 'POST',
  path: '/webhooks/:id/rotate-secret',
  body: noBody,
  response: withSecret,
  refusals: ['idempotency_key_reused'],
})

/** Sends an event that tells of nothing. Answers the delivery. */
export const testWebhook = clientCall({
  name: 'testWebhook',
  right: 'webhooks',
  method: 'POST',
  path: '/webhooks/:id/test',
  status: 202,
  body: noBody,
  response: z.strictObject({ deliveryId: z.uuid() }),
  refusals: ['webhook_is_off', 'idempotency_key_reused'],
})

/** Sends again what came up from `from` until `to` (both included): all of it that the webhook is told of, or what failed. */
export const replayWebhook = clientCall({
  name: 'replayWebhook',
  right: 'webhooks',
  method: 'POST',
  path: '/webhooks/:id/replay',
  status: 202,
  body: z.object({ from: z.iso.datetime(), to: z.iso.datetime(), only: z.enum(['FAILED']).optional() }),
  response: z.strictObject({ deliveries: z.number().int() }),
  refusals: ['webhook_is_off', 'invalid_span'],
})

/** The last try is told of; `eventId` is the header `webhook-id`, the same whenever it is sent again. */
const listed = {
  id: z.uuid(),
  webhookId: z.uuid(),
  eventId: z.uuid(),
  event: z.enum(SENT_EVENTS),
  subjectId: z.uuid(),
  status: z.enum(DELIVERY_STATUSES),
  tries: z.number().int(),
  createdAt: instant,
  nextTryAt: instant.nullable(),
  triedAt: instant.nullable(),
  answerStatus: z.number().int().nullable(),
  failure: z.enum(TRY_FAILURES).nullable(),
}

export const webhookDelivery = z.strictObject(listed)

/** `request` is the body that was sent, `answer` the beginning of what came back, `ms` how long it took. */
export const webhookDeliveryDetail = z.strictObject({
  ...listed,
  request: z.string(),
  log: z.array(
    z.strictObject({
      number: z.number().int(),
      at: instant,
      ms: z.number().int(),
      answerStatus: z.number().int().nullable(),
      failure: z.enum(TRY_FAILURES).nullable(),
      answer: z.string(),
    }),
  ),
})

export const searchWebhookDeliveries = clientCall({
  name: 'searchWebhookDeliveries',
  right: 'webhooks',
  method: 'POST',
  path: '/webhooks/deliveries/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(webhookDelivery),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getWebhookDelivery = clientCall({
  name: 'getWebhookDelivery',
  right: 'webhooks',
  path: '/webhooks/deliveries/:id',
  response: webhookDeliveryDetail,
})

export const replayWebhookDelivery = clientCall({
  name: 'replayWebhookDelivery',
  right: 'webhooks',
  method: 'POST',
  path: '/webhooks/deliveries/:id/replay',
  status: 202,
  body: noBody,
  response: webhookDelivery,
  refusals: ['webhook_is_off'],
})
