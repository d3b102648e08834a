/** The SQL of sending events to webhooks. */
import type { TryFailure } from '@kvitt/domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import { openSecrets } from '../credentials/credentials.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type DueDelivery = {
  readonly instance_id: string
  readonly id: string
  readonly webhook_id: string
  readonly event_id: string
  readonly taken_by: string
  readonly address: string
  readonly creditor_id: string
  /** As it is sent. */
  readonly body: string
}

/** One that is being sent: the number of this try, and of the first since it was last asked for. */
export type SentDelivery = DueDelivery & { readonly tries: number; readonly first_try: number }

/**
 * Takes what is due: the longest waiting first, a few of each webhook, so that one that is slow keeps nobody else waiting. What is
 * taken is nobody else's for `leaseMs`; then whoever took it is taken for dead.
 */
const take = statement(
  'webhooks.take',
  `with due as (
     select d.instance_id, d.id, w.address, w.creditor_id
     from webhook w cross join lateral (
       select d.instance_id, d.id, d.next_try_at from webhook_delivery d
       where d.instance_id = w.instance_id and d.webhook_id = w.id and d.status = 'WAITING' and d.next_try_at <= now()
       order by d.next_try_at limit $2 for update skip locked) d
     where w.off_since is null and w.removed_at is null and w.id <> all ($1::uuid[])
     order by d.next_try_at limit $3)
   update webhook_delivery d set taken_by = gen_random_uuid(),
     next_try_at = now() + make_interval(secs => $4 / 1000.0)
   from due, webhook_event e
   where d.instance_id = due.instance_id and d.id = due.id and e.instance_id = d.instance_id and e.id = d.event_id
   returning d.instance_id, d.id, d.webhook_id, d.event_id, d.taken_by, due.address, due.creditor_id,
     e.body::text as body`,
)

export function takeDueRows(
  db: Connection,
  wish: {
    /** Webhooks that are being sent to now. */
    readonly busy: readonly string[]
    readonly ofEach: number
    readonly most: number
    readonly leaseMs: number
  },
): Promise<DueDelivery[]> {
  return db.rows<DueDelivery>(take, [wish.busy, wish.ofEach, wish.most, wish.leaseMs])
}

const begin = statement(
  'webhooks.beginTry',
  `update webhook_delivery set tries = tries + 1, next_try_at = now() + make_interval(secs => $4 / 1000.0)
   where instance_id = $1 and id = $2 and taken_by = $3 returning tries, first_try`,
)

/** Counts the try that is sent now; what kept us from sending is no try. Undefined when it is not ours any more. */
export async function beginTryRow(
  db: Connection,
  delivery: DueDelivery,
  leaseMs: number,
): Promise<SentDelivery | undefined> {
  const { instance_id: instanceId, id, taken_by: takenBy } = delivery
  type Count = Pick<SentDelivery, 'tries' | 'first_try'>
  const [count] = await db.rows<Count>(begin, [instanceId, id, takenBy, leaseMs])
  return count && { ...delivery, ...count }
}

const secrets = statement(
  'webhooks.secrets',
  `select s.instance_id, s.id, s.key_id, s.sealed from webhook w
   join kept_secret s on s.instance_id = w.instance_id
     and (s.id = w.secret_id or s.id = w.former_secret_id and w.former_until > now())
   where w.instance_id = $1 and w.id = $2 order by s.id = w.secret_id desc`,
)

/** The secrets of a webhook that are valid now, the new one first. Throws KeyMissing. */
export async function readSecretsOf(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { instanceId, id }: { readonly instanceId: string; readonly id: string },
): Promise<string[]> {
  const rows = await db.rows<Parameters<ReturnType<typeof openSecrets>>[0]>(secrets, [instanceId, id])
  return rows.length === 0 ? [] : rows.map(openSecrets(config.settingsKeyFile))
}

const keepTry = statement(
  'webhooks.keepTry',
  `insert into webhook_try (instance_id, delivery_id, number, at, ms, answer_status, failure, answer)
   select d.instance_id, d.id, $3, $4, $5, $6, $7, $8 from webhook_delivery d
   join webhook w on w.instance_id = d.instance_id and w.id = d.webhook_id
   where d.instance_id = $1 and d.id = $2 and w.removed_at is null
   on conflict do nothing`,
)

export type Try = {
  readonly at: string
  readonly ms: number
  readonly status: number | null
  readonly failure: TryFailure | null
  readonly answer: string
}

/** Keeps what was answered, also of a try that was taken for dead meanwhile. Nothing once the webhook is removed. */
export async function keepTryRow(
  tx: Transaction,
  { instance_id: instanceId, id, tries }: SentDelivery,
  { at, ms, status, failure, answer }: Try,
): Promise<void> {
  await tx.rows(keepTry, [instanceId, id, tries, at, ms, status, failure, answer])
}

const end = statement(
  'webhooks.endTry',
  `update webhook_delivery set status = $4, taken_by = null, delivered_at = coalesce($6, delivered_at),
     next_try_at = case when $5::bigint is null then next_try_at else now() + make_interval(secs => $5 / 1000.0) end
   where instance_id = $1 and id = $2 and taken_by = $3 returning 1`,
)

/** What came of a try: when it was made, if it was taken; how long until the next, if there is one. */
export type TryEnd =
  | { readonly status: 'WAITING'; readonly pauseMs: number }
  | { readonly status: 'DELIVERED'; readonly at: string }
  | { readonly status: 'FAILED' }

/** Answers whether it was still ours. */
export async function endTryRow(
  tx: Transaction,
  { instance_id: instanceId, id, taken_by: takenBy }: DueDelivery,
  ended: TryEnd,
): Promise<boolean> {
  const pauseMs = ended.status === 'WAITING' ? ended.pauseMs : null
  const at = ended.status === 'DELIVERED' ? ended.at : null
  return (await tx.rows(end, [instanceId, id, takenBy, ended.status, pauseMs, at])).length === 1
}

const tookOther = statement(
  'webhooks.tookOther',
  `select from webhook_delivery d where d.instance_id = $1 and d.webhook_id = $2 and d.delivered_at >= (select min(y.at)
     from webhook_try y where y.instance_id = $1 and y.delivery_id = $3 and y.number >= $4) limit 1`,
)

/** Whether the webhook has taken anything since this delivery was first tried. */
export async function hasTakenSince(
  tx: Transaction,
  { instance_id: instanceId, webhook_id: webhookId, id, first_try: firstTry }: SentDelivery,
): Promise<boolean> {
  return (await tx.rows(tookOther, [instanceId, webhookId, id, firstTry])).length > 0
}

const switchOff = statement(
  'webhooks.switchOff',
  `update webhook set off_since = now(), off_reason = $3, version = version + 1
   where instance_id = $1 and id = $2 and off_since is null and removed_at is null returning 1`,
)

/** Answers whether it was on. */
export async function switchOffRow(
  tx: Transaction,
  { instance_id: instanceId, webhook_id: id }: DueDelivery,
  reason: 'FAILED' | 'GONE',
): Promise<boolean> {
  return (await tx.rows(switchOff, [instanceId, id, reason])).length === 1
}

const managers = statement(
  'webhooks.managers',
  `select p.email, p.name, c.name as creditor from membership m join person p on p.id = m.person_id
   join creditor c on c.instance_id = m.instance_id and c.id = m.creditor_id
   where m.instance_id = $1 and m.creditor_id = $2 and m.role = 'manager' and m.ended_at is null order by p.email`,
)

type Manager = { readonly email: string; readonly name: string; readonly creditor: string }

/** Who may mend it. */
export function readManagers(
  tx: Transaction,
  { instance_id: instanceId, creditor_id: creditorId }: DueDelivery,
): Promise<Manager[]> {
  return tx.rows<Manager>(managers, [instanceId, creditorId])
}

const BATCH = 1_000

const forgetRemoved = statement(
  'webhooks.forgetRemoved',
  `with gone as (
     select d.instance_id, d.id from webhook w join webhook_delivery d on d.instance_id = w.instance_id and d.webhook_id = w.id
     where w.removed_at is not null limit ${BATCH})
   delete from webhook_delivery d using gone where d.instance_id = gone.instance_id and d.id = gone.id returning 1`,
)
// Whoever found it before it was removed has ended long ago.
const removeForgotten = statement(
  'webhooks.removeForgotten',
  `delete from webhook w where w.removed_at < now() - interval '1 hour' and not exists (select from webhook_delivery d
     where d.instance_id = w.instance_id and d.webhook_id = w.id)`,
)
const forget = statement(
  'webhooks.forget',
  `with old as (
     select e.instance_id, e.id from webhook_event e
     where e.created_at < now() - make_interval(days => $1) and not exists (select from webhook_delivery d
       where d.instance_id = e.instance_id and d.event_id = e.id and d.status = 'WAITING')
     limit ${BATCH})
   delete from webhook_event e using old where e.instance_id = old.instance_id and e.id = old.id returning 1`,
)

/** Removes what is left of removed webhooks, and old events with their deliveries and log, but for what waits. */
export async function forgetEventRows(db: Connection, days: number): Promise<void> {
  while ((await db.rows(forgetRemoved)).length === BATCH);
  await db.rows(removeForgotten)
  while ((await db.rows(forget, [days])).length === BATCH);
}
