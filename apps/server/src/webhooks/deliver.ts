/**
 * Sends events to webhooks, outside any transaction: a delivery is taken for a while, sent, and what came of it is written. A
 * process that ends in between leaves it to the next, so an event may come twice, under the same id.
 */
import { isTaken, KEPT_DAYS, pauseAfterTry, STATUS_GONE } from '@kvitt/domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import type { Instances } from '../instances/instances.ts'
import { queueToStaff } from '../mail/mail.ts'
import { openPublicCaller, type Outcome, type PublicCaller } from '../platform/counterparties/public-call.ts'
import type { Transaction } from '../platform/database/database.ts'
import type { Jobs } from '../platform/jobs.ts'
import { openTask } from '../tasks/tasks.ts'
import { clientPortalOf } from '../users/users.ts'
import {
  beginTryRow,
  endTryRow,
  forgetEventRows,
  hasTakenSince,
  keepTryRow,
  readManagers,
  readSecretsOf,
  switchOffRow,
  takeDueRows,
  type DueDelivery,
  type SentDelivery,
} from './deliver.queries.ts'
import { signatureHeaders } from './sign.ts'

/** A receiver has so long to answer. */
const TIMEOUT_MS = 10_000
/** Long enough for what is taken together; short enough that what a dead process held is not late. */
const LEASE_MS = 60_000
/** So many of one webhook are sent at once, and so many of all in one look. */
const OF_EACH = 4
const MOST = 40

export type Sender = {
  /** Takes what is due and sends it beside the caller: whoever is slow is waited for by nobody. */
  readonly begin: (beside: Jobs['beside']) => Promise<void>
  /** Sends what is due and waits for it. */
  readonly sendAll: () => Promise<void>
}

export type SenderParts = {
  readonly context: Context
  readonly instances: Pick<Instances, 'all'>
  /** In tests: another way out. */
  readonly caller?: PublicCaller
}

/** Several processes may each have one: what one has taken is not another's. */
export function openSender(parts: SenderParts): Sender {
  const { context } = parts
  const inwardOrigins = context.config.webhookInwardOrigins
  const caller = parts.caller ?? openPublicCaller({ timeoutMs: TIMEOUT_MS, inwardOrigins })
  const busy = new Map<string, number>()
  const count = (id: string, by: number): void => {
    const now = (busy.get(id) ?? 0) + by
    if (now === 0) busy.delete(id)
    else busy.set(id, now)
  }

  async function take(): Promise<Promise<void>[]> {
    const due = await takeDueRows(context.db, {
      busy: [...busy.keys()],
      ofEach: OF_EACH,
      most: MOST,
      leaseMs: LEASE_MS,
    })
    return due.map(async (delivery) => {
      count(delivery.webhook_id, 1)
      try {
        await sendOne({ ...parts, caller }, delivery)
      } finally {
        count(delivery.webhook_id, -1)
      }
    })
  }

  return {
    async begin(beside) {
      for (const sending of await take()) {
        beside(
          () => sending,
          (err) => context.log.error({ err }, 'an event could not be sent to a webhook; it is tried again'),
        )
      }
    },
    async sendAll() {
      for (let sent = await take(); sent.length > 0; sent = await take()) await Promise.all(sent)
    },
  }
}

type Sending = SenderParts & { readonly caller: PublicCaller }

async function sendOne(parts: Sending, due: DueDelivery): Promise<void> {
  const { context, caller } = parts
  const { instance_id: instanceId, webhook_id: id, event_id: eventId, address: url, body } = due
  const secrets = await readSecretsOf(context, { instanceId, id })
  // Removed since it was taken.
  if (secrets.length === 0) return
  const delivery = await beginTryRow(context.db, due, LEASE_MS)
  if (!delivery) return
  const begun = context.clock.now()
  const signed = signatureHeaders({ id: eventId, timestamp: Math.floor(begun / 1_000), body }, secrets)
  const headers = { 'content-type': 'application/json', 'user-agent': 'Kvitt-Webhooks', ...signed }
  const outcome = await caller.call({ url, headers, body })
  const ms = Math.max(0, context.clock.now() - begun)
  await context.db.transaction(async (tx) => {
    const at = new Date(begun).toISOString()
    await keepTryRow(tx, delivery, { ...outcome, at, ms })
    await conclude(parts, tx, { delivery, outcome, at })
  })
}

type Concluded = { readonly delivery: SentDelivery; readonly outcome: Outcome; readonly at: string }

/** One event that a receiver never takes is given up alone; only who takes nothing at all is switched off. */
async function conclude(
  parts: Sending,
  tx: Transaction,
  { delivery, outcome, at }: Concluded,
): Promise<void> {
  const { status } = outcome
  if (status !== null && isTaken(status)) {
    await endTryRow(tx, delivery, { status: 'DELIVERED', at })
    return
  }
  const isGone = status === STATUS_GONE
  const pauseMs = isGone ? undefined : pauseAfterTry(delivery.tries - delivery.first_try + 1)
  if (pauseMs !== undefined) {
    await endTryRow(tx, delivery, { status: 'WAITING', pauseMs })
    return
  }
  const wasOurs = await endTryRow(tx, delivery, { status: 'FAILED' })
  if (!wasOurs) return
  if (isGone || !(await hasTakenSince(tx, delivery)))
    await switchOff(parts, tx, { delivery, reason: isGone ? 'GONE' : 'FAILED' })
}

/** Its managers are told, and asked to mend it. */
async function switchOff(
  { context, instances }: Sending,
  tx: Transaction,
  { delivery, reason }: { readonly delivery: DueDelivery; readonly reason: 'FAILED' | 'GONE' },
): Promise<void> {
  if (!(await switchOffRow(tx, delivery, reason))) return
  const { instance_id: instanceId, webhook_id: id, creditor_id: creditorId, address } = delivery
  await openTask(tx, {
    instanceId,
    kind: 'webhook_off',
    about: `webhook:${id}`,
    details: { creditorId, reason },
  })
  const instance = (await instances.all()).find((one) => one.id === instanceId)
  if (!instance) return
  for (const { email, name, creditor } of await readManagers(tx, delivery)) {
    queueToStaff(context, tx, {
      kind: 'staff_webhook_off',
      cause: `webhook-off:${delivery.taken_by}:${email}`,
      instance,
      recipient: email,
      params: {
        name,
        creditor,
        server: new URL(address).host,
        link: `${clientPortalOf(context, instance)}#/webhooks/${id}`,
      },
    })
  }
}

/** Removes what is older than it is kept. */
export function forgetOldWebhookEvents({ db }: Pick<Context, 'db'>): Promise<void> {
  return forgetEventRows(db, KEPT_DAYS)
}
