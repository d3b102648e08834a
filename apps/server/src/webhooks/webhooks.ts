/**
 * A creditor's webhooks: made, changed, exchanged secrets, tried, sent again. A manager does it, or a program whose key has the
 * scope `webhooks`.
 */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type { changeWebhook, makeWebhook, replayWebhook } from '@kvitt/domain/webhooks/webhook.contract.ts'
import { FORMER_SECRET_HOURS, MOST_WEBHOOKS, TEST_EVENT } from '@kvitt/domain/webhooks/webhook.ts'
import { noteDeed, type DeedKind } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { keepSecret, removeSecrets } from '../credentials/credentials.ts'
import { openPublicCaller } from '../platform/counterparties/public-call.ts'
import type { Transaction } from '../platform/database/database.ts'
import { JsonText } from '../platform/http/json.ts'
import { newId } from '../platform/identity.ts'
import { actorOf, onceUnderKey, type AskedOnce, type ClientPrincipal } from '../staff/staff.ts'
import { endTask } from '../tasks/tasks.ts'
import { readSecretsOf } from './deliver.queries.ts'
import { makeWebhookSecret } from './sign.ts'
import * as rows from './webhooks.queries.ts'

export { forgetOldWebhookEvents, openSender as openWebhookSender } from './deliver.ts'

type Acting = { readonly context: Context; readonly principal: ClientPrincipal }

/** Refuses `not_found`: another creditor's webhook does not exist. */
export async function findWebhook(
  context: Context,
  principal: ClientPrincipal,
  id: string,
): Promise<rows.WebhookRow> {
  const found = await rows.readWebhookRow(context.db, principal, id)
  if (!found) throw new Refusal('not_found')
  return found
}

export async function presentWebhook({ context, principal }: Acting, id: string): Promise<JsonText> {
  const json = await rows.readWebhookJson(context.db, principal, { id })
  if (json === undefined) throw new Refusal('not_found')
  return new JsonText(json)
}

/** How long somebody waits until the name in an address is known. */
const CHECK_MS = 3_000

/** Refuses `webhook_address` when it can be told that nothing would be sent there. Asked before anything is written. */
async function requireAddress({ config }: Context, address: string): Promise<string> {
  const caller = openPublicCaller({ timeoutMs: CHECK_MS, inwardOrigins: config.webhookInwardOrigins })
  if (!(await caller.mayLeadTo(address))) throw new Refusal('webhook_address', {}, ['address'])
  return new URL(address).href
}

/** Makes one with its secret, which is told once. */
export async function makeOne(
  { context, principal }: Acting,
  body: BodyOf<typeof makeWebhook>,
  asked: AskedOnce,
): Promise<JsonText> {
  const address = await requireAddress(context, body.address)
  const { id } = await onceUnderKey(context, principal, asked, async (tx) => {
    if ((await rows.countWebhookRows(tx, principal)) >= MOST_WEBHOOKS) throw new Refusal('too_many_webhooks')
    const made = newId(context.clock.now())
    const events = [...new Set(body.events)]
    const secretId = await keepNewSecret(context, tx, principal)
    await rows.insertWebhookRow(tx, principal, { id: made, address, events, secretId })
    await note(tx, principal, { kind: 'webhook_made', id: made, after: { address, events } })
    return made
  })
  return withSecret({ context, principal }, id)
}

async function keepNewSecret(
  { clock, config }: Context,
  tx: Transaction,
  { instance }: ClientPrincipal,
): Promise<string> {
  const id = newId(clock.now())
  await keepSecret(tx, config.settingsKeyFile, { instanceId: instance.id, id, text: makeWebhookSecret() })
  return id
}

async function withSecret(acting: Acting, id: string): Promise<JsonText> {
  const { context, principal } = acting
  const json = await rows.readWebhookJson(context.db, principal, { id })
  const [secret] = await readSecretsOf(context, { instanceId: principal.instance.id, id })
  if (json === undefined || secret === undefined) throw new Refusal('not_found')
  return new JsonText(`${json.slice(0, -1)},"secret":${JSON.stringify(secret)}}`)
}

/** What is left out stays. Switched on again, what waits is sent and nobody is asked about it any more. */
export async function changeOne(
  { context, principal }: Acting,
  { version, ...body }: BodyOf<typeof changeWebhook>,
  id: string,
): Promise<JsonText> {
  const address = body.address === undefined ? undefined : await requireAddress(context, body.address)
  await context.db.transaction(async (tx) => {
    const row = await lock(tx, principal, id)
    if (row.version !== version) throw new Refusal('changed_meanwhile', {}, ['version'])
    const wasOn = row.off_since === null
    const isOn = body.isOn ?? wasOn
    const after = { address: address ?? row.address, events: [...new Set(body.events ?? row.events)], isOn }
    await rows.changeWebhookRow(tx, principal, { id, ...after })
    if (isOn && !wasOn) await rows.wakeRows(tx, principal, id)
    if (isOn || body.isOn === false) await endOffTask(tx, principal, id)
    const before = { address: row.address, events: row.events, isOn: wasOn }
    await note(tx, principal, { kind: 'webhook_changed', id, before, after })
  })
  return presentWebhook({ context, principal }, id)
}

/** Removed again, it stays so. */
export async function removeOne({ context, principal }: Acting, id: string): Promise<undefined> {
  await context.db.transaction(async (tx) => {
    const row = await rows.lockWebhookRow(tx, principal, id)
    if (!row) return
    await rows.removeWebhookRow(tx, principal, id)
    const secrets = [row.secret_id, row.former_secret_id].filter((one) => one !== null)
    await removeSecrets(tx, principal.instance.id, secrets)
    await endOffTask(tx, principal, id)
    const { address, events } = row
    await note(tx, principal, { kind: 'webhook_removed', id, before: { address, events } })
  })
}

/** The secret before signs beside the new one for a day; one before that no longer. */
export async function rotateSecret(
  { context, principal }: Acting,
  id: string,
  asked: AskedOnce,
): Promise<JsonText> {
  await onceUnderKey(context, principal, asked, async (tx) => {
    const row = await lock(tx, principal, id)
    const secretId = await keepNewSecret(context, tx, principal)
    await rows.rotateSecretRow(tx, principal, { id, secretId, hours: FORMER_SECRET_HOURS })
    if (row.former_secret_id !== null) await removeSecrets(tx, principal.instance.id, [row.former_secret_id])
    await note(tx, principal, { kind: 'webhook_secret_exchanged', id })
    return id
  })
  return withSecret({ context, principal }, id)
}

/** Sends an event that tells of nothing. Refuses `webhook_is_off`. */
export async function sendTest(
  { context, principal }: Acting,
  id: string,
  asked: AskedOnce,
): Promise<{ deliveryId: string }> {
  const { id: deliveryId } = await onceUnderKey(context, principal, asked, async (tx) => {
    await lockOn(tx, principal, id)
    const now = context.clock.now()
    const made = newId(now)
    const row = { id: made, webhookId: id, type: TEST_EVENT, at: new Date(now).toISOString() }
    await rows.insertTestRow(tx, principal, row)
    return made
  })
  return { deliveryId }
}

/** Some thousand are written in well under the six seconds that a statement of a page has. */
export const REPLAY_BATCH = 2_000

/** Sends what came up in a span again. What waits already is not asked for twice. Refuses `webhook_is_off`, `invalid_span`. */
export function replaySpan(
  { context, principal }: Acting,
  { from, to, only }: BodyOf<typeof replayWebhook>,
  id: string,
): Promise<{ deliveries: number }> {
  if (Date.parse(from) > Date.parse(to)) throw new Refusal('invalid_span', {}, ['from', 'to'])
  return context.db.transaction(async (tx) => {
    await lockOn(tx, principal, id)
    const deliveries = await rows.replayRows(tx, principal, {
      id,
      from,
      to,
      status: only ?? null,
      batch: REPLAY_BATCH,
    })
    await note(tx, principal, { kind: 'webhook_replayed', id, after: { from, to, deliveries } })
    return { deliveries }
  })
}

export type FoundDelivery = { readonly id: string; readonly webhookId: string }

/** Refuses `not_found`: what another creditor's webhook was sent does not exist. */
export async function findDelivery(
  context: Context,
  principal: ClientPrincipal,
  id: string,
): Promise<FoundDelivery> {
  const json = await rows.readDeliveryJson(context.db, principal, { id })
  if (json === undefined) throw new Refusal('not_found')
  return JSON.parse(json) as FoundDelivery
}

export async function presentDelivery({ context, principal }: Acting, id: string): Promise<JsonText> {
  const json = await rows.readDeliveryDetail(context.db, principal, { id })
  if (json === undefined) throw new Refusal('not_found')
  return new JsonText(json)
}

/** Refuses `webhook_is_off`. One that waits already goes on waiting. */
export async function replayOne(
  { context, principal }: Acting,
  { id, webhookId }: FoundDelivery,
): Promise<JsonText> {
  await context.db.transaction(async (tx) => {
    await lockOn(tx, principal, webhookId)
    await rows.replayRow(tx, principal, id)
    await note(tx, principal, { kind: 'webhook_replayed', id: webhookId, after: { delivery: id } })
  })
  const json = await rows.readDeliveryJson(context.db, principal, { id })
  if (json === undefined) throw new Refusal('not_found')
  return new JsonText(json)
}

async function lock(tx: Transaction, principal: ClientPrincipal, id: string): Promise<rows.WebhookRow> {
  const row = await rows.lockWebhookRow(tx, principal, id)
  if (!row) throw new Refusal('not_found')
  return row
}

async function lockOn(tx: Transaction, principal: ClientPrincipal, id: string): Promise<void> {
  if ((await lock(tx, principal, id)).off_since !== null) throw new Refusal('webhook_is_off')
}

async function endOffTask(tx: Transaction, { instance }: ClientPrincipal, id: string): Promise<void> {
  await endTask(tx, { instanceId: instance.id, kind: 'webhook_off', about: `webhook:${id}` })
}

type Deed = {
  readonly kind: Extract<DeedKind, `webhook_${string}`>
  readonly id: string
  readonly before?: object
  readonly after?: object
}

function note(tx: Transaction, principal: ClientPrincipal, { kind, id, before, after }: Deed): Promise<void> {
  return noteDeed(tx, {
    instanceId: principal.instance.id,
    kind,
    by: actorOf(principal),
    about: `webhook:${id}`,
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
  })
}
