/** The calls about a creditor's webhooks. */
import * as contract from '@kvitt/domain/webhooks/webhook.contract.ts'
import type { Binding } from '../platform/http/call.ts'
import { bind, bindRow } from '../sign-in/bind.ts'
import { askedBy } from '../staff/staff.ts'
import { searchDeliveryRows, searchWebhookRows } from './webhooks.queries.ts'
import * as webhooks from './webhooks.ts'

const { findDelivery, findWebhook } = webhooks

export const WEBHOOK_BINDINGS: readonly Binding[] = [
  bind(contract.searchWebhooks, ({ context, principal, query, body }) =>
    searchWebhookRows(context, principal, query, body),
  ),
  bind(contract.makeWebhook, ({ body, request, ...acting }) =>
    webhooks.makeOne(acting, body, askedBy(request, 'makeWebhook', body)),
  ),
  bindRow(contract.getWebhook, findWebhook, ({ row, ...acting }) => webhooks.presentWebhook(acting, row.id)),
  bindRow(contract.changeWebhook, findWebhook, ({ row, body, ...acting }) =>
    webhooks.changeOne(acting, body, row.id),
  ),
  bindRow(contract.removeWebhook, findWebhook, ({ row, ...acting }) => webhooks.removeOne(acting, row.id)),
  bindRow(contract.rotateWebhookSecret, findWebhook, ({ row, request, ...acting }) =>
    webhooks.rotateSecret(acting, row.id, askedBy(request, 'rotateWebhookSecret', row.id)),
  ),
  bindRow(contract.testWebhook, findWebhook, ({ row, request, ...acting }) =>
    webhooks.sendTest(acting, row.id, askedBy(request, 'testWebhook', row.id)),
  ),
  bindRow(contract.replayWebhook, findWebhook, ({ row, body, ...acting }) =>
    webhooks.replaySpan(acting, body, row.id),
  ),
  bind(contract.searchWebhookDeliveries, ({ context, principal, query, body }) =>
    searchDeliveryRows(context, principal, query, body),
  ),
  bindRow(contract.getWebhookDelivery, findDelivery, ({ row, ...acting }) =>
    webhooks.presentDelivery(acting, row.id),
  ),
  bindRow(contract.replayWebhookDelivery, findDelivery, ({ row, ...acting }) =>
    webhooks.replayOne(acting, row),
  ),
]
