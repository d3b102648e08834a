/** The SQL of webhooks and of the log of what was sent to them, as their creditor's staff sees it. */
import { DELIVERY_STATUSES, SENT_EVENTS, type WebhookEvent } from '@kvitt/domain/webhooks/webhook.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { asWritten, instantText, sqlJson, word } from '../platform/database/sql-json.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape } from '../staff/office-list.ts'
import type { ClientPrincipal } from '../staff/staff.ts'

const OF_CREDITOR = 'webhook w where w.instance_id = $1 and w.creditor_id = $2 and w.removed_at is null'
const countOf = (status: string): string => `(select count(*) from webhook_delivery d
   where d.instance_id = w.instance_id and d.webhook_id = w.id and d.status = '${status}')::int`

const WEBHOOKS: OfficeListShape = {
  name: 'webhooks.office',
  from: () => OF_CREDITOR,
  json: sqlJson({
    id: word('w.id'),
    version: asWritten('w.version'),
    address: 'w.address',
    events: asWritten('to_json(w.events)::text'),
    isOn: asWritten('(w.off_since is null)::text'),
    offReason: 'w.off_reason',
    offSince: instantText('w.off_since'),
    formerSecretUntil: `case when w.former_until > now() then ${instantText('w.former_until')} end`,
    createdAt: instantText('w.created_at'),
    waiting: asWritten(countOf('WAITING')),
    failed: asWritten(countOf('FAILED')),
    deliveredAt: `(select ${instantText('max(d.delivered_at)')} from webhook_delivery d
       where d.instance_id = w.instance_id and d.webhook_id = w.id and d.delivered_at is not null)`,
  }),
  targets: { address: 'w.address' },
  filters: { isOn: { kind: 'flag', sql: '(w.off_since is null)::text' } },
  orders: { id: 'w.created_at', address: 'w.address' },
  tie: 'w.id',
}

export const searchWebhookRows = openOfficeList(WEBHOOKS)
export const readWebhookJson = openOfficeRow(WEBHOOKS)

const DELIVERY = {
  id: word('d.id'),
  webhookId: word('d.webhook_id'),
  eventId: word('d.event_id'),
  event: word('e.type'),
  subjectId: word('e.subject_id'),
  status: word('d.status'),
  tries: asWritten('d.tries'),
  createdAt: instantText('d.created_at'),
  nextTryAt: `case when d.status = 'WAITING' and w.off_since is null then ${instantText('d.next_try_at')} end`,
  triedAt: instantText('y.at'),
  answerStatus: 'y.answer_status',
  failure: 'y.failure',
}

const LOG_LINE = sqlJson({
  number: asWritten('l.number'),
  at: instantText('l.at'),
  ms: asWritten('l.ms'),
  answerStatus: 'l.answer_status',
  failure: 'l.failure',
  answer: 'l.answer',
})

const DELIVERIES: OfficeListShape = {
  name: 'webhookDeliveries.office',
  from: () => `webhook w join webhook_delivery d on d.instance_id = w.instance_id and d.webhook_id = w.id
   join webhook_event e on e.instance_id = d.instance_id and e.id = d.event_id
   left join webhook_try y on y.instance_id = d.instance_id and y.delivery_id = d.id
     and y.number = (select max(z.number) from webhook_try z where z.instance_id = d.instance_id and z.delivery_id = d.id)
   where w.instance_id = $1 and w.creditor_id = $2 and w.removed_at is null`,
  json: sqlJson(DELIVERY),
  targets: { id: 'd.event_id::text', subjectId: 'e.subject_id::text' },
  filters: {
    webhookId: { kind: 'id', sql: 'w.id::text' },
    subjectId: { kind: 'id', sql: 'e.subject_id::text' },
    status: { kind: 'choice', values: DELIVERY_STATUSES, sql: 'd.status' },
    event: { kind: 'choice', values: SENT_EVENTS, sql: 'e.type' },
  },
  orders: { id: 'd.created_at' },
  tie: 'd.id',
}

export const searchDeliveryRows = openOfficeList(DELIVERIES)
export const readDeliveryJson = openOfficeRow(DELIVERIES)
export const readDeliveryDetail = openOfficeRow({
  ...DELIVERIES,
  name: 'webhookDeliveries.detail',
  json: sqlJson({
    ...DELIVERY,
    request: 'e.body::text',
    log: asWritten(`(select coalesce('[' || string_agg(${LOG_LINE}, ',' order by l.number desc) || ']', '[]') from webhook_try l
       where l.instance_id = d.instance_id and l.delivery_id = d.id)`),
  }),
})

export type WebhookRow = {
  readonly id: string
  readonly version: number
  readonly address: string
  readonly events: readonly WebhookEvent[]
  readonly off_since: string | null
  readonly off_reason: string | null
  readonly secret_id: string
  readonly former_secret_id: string | null
}

const COLUMNS =
  'w.id, w.version, w.address, w.events, w.off_since, w.off_reason, w.secret_id, w.former_secret_id'
const one = statement('webhooks.one', `select ${COLUMNS} from ${OF_CREDITOR} and w.id = $3`)
// Not its key: a fact that is told of at this moment does not wait for it.
const lockOne = statement(
  'webhooks.lock',
  `select ${COLUMNS} from ${OF_CREDITOR} and w.id = $3 for no key update`,
)

export async function readWebhookRow(
  db: Connection,
  { instance, creditorId }: ClientPrincipal,
  id: string,
): Promise<WebhookRow | undefined> {
  return (await db.rows<WebhookRow>(one, [instance.id, creditorId, id]))[0]
}

export async function lockWebhookRow(
  tx: Transaction,
  { instance, creditorId }: ClientPrincipal,
  id: string,
): Promise<WebhookRow | undefined> {
  return (await tx.rows<WebhookRow>(lockOne, [instance.id, creditorId, id]))[0]
}

// Two that are made at once are counted one after the other.
const lockCreditor = statement(
  'webhooks.lockCreditor',
  'select from creditor where instance_id = $1 and id = $2 for no key update',
)
const count = statement('webhooks.count', `select count(*)::int as count from ${OF_CREDITOR}`)

/** Of one creditor, whose webhooks nobody else makes meanwhile. */
export async function countWebhookRows(
  tx: Transaction,
  { instance, creditorId }: ClientPrincipal,
): Promise<number> {
  await tx.rows(lockCreditor, [instance.id, creditorId])
  return (await tx.rows<{ count: number }>(count, [instance.id, creditorId]))[0]?.count ?? 0
}

const insert = statement(
  'webhooks.insert',
  'insert into webhook (instance_id, id, creditor_id, address, events, secret_id) values ($1, $2, $3, $4, $5, $6)',
)

export async function insertWebhookRow(
  tx: Transaction,
  { instance, creditorId }: ClientPrincipal,
  row: {
    readonly id: string
    readonly address: string
    readonly events: readonly string[]
    readonly secretId: string
  },
): Promise<void> {
  await tx.rows(insert, [instance.id, row.id, creditorId, row.address, row.events, row.secretId])
}

const change = statement(
  'webhooks.change',
  `update webhook set address = $3, events = $4, version = version + 1,
     off_since = case when $5 then null else coalesce(off_since, now()) end,
     off_reason = case when $5 then null else coalesce(off_reason, 'BY_HAND') end
   where instance_id = $1 and id = $2`,
)

export async function changeWebhookRow(
  tx: Transaction,
  { instance }: ClientPrincipal,
  row: {
    readonly id: string
    readonly address: string
    readonly events: readonly string[]
    readonly isOn: boolean
  },
): Promise<void> {
  await tx.rows(change, [instance.id, row.id, row.address, row.events, row.isOn])
}

const rotate = statement(
  'webhooks.rotate',
  `update webhook set former_secret_id = secret_id, former_until = now() + make_interval(hours => $4), secret_id = $3,
     version = version + 1
   where instance_id = $1 and id = $2`,
)

/** The secret that it has becomes the former one. */
export async function rotateSecretRow(
  tx: Transaction,
  { instance }: ClientPrincipal,
  row: { readonly id: string; readonly secretId: string; readonly hours: number },
): Promise<void> {
  await tx.rows(rotate, [instance.id, row.id, row.secretId, row.hours])
}

const remove = statement(
  'webhooks.remove',
  `update webhook set removed_at = now(), secret_id = null, former_secret_id = null, former_until = null, version = version + 1
   where instance_id = $1 and id = $2`,
)

/** Nobody finds it or its log any more. The rows go later, bit by bit. */
export async function removeWebhookRow(
  tx: Transaction,
  { instance }: ClientPrincipal,
  id: string,
): Promise<void> {
  await tx.rows(remove, [instance.id, id])
}

const insertTest = statement(
  'webhooks.insertTest',
  `with made as (
     insert into webhook_event (instance_id, id, creditor_id, type, subject_id, cause, body)
     values ($1, $4::uuid, $2, $5::text, $3::uuid, $5::text || ':' || $4::uuid, jsonb_build_object('type', $5::text, 'timestamp', $6::text,
       'data', jsonb_build_object('id', $3::uuid)))
     returning instance_id, id)
   insert into webhook_delivery (instance_id, id, webhook_id, event_id) select made.instance_id, made.id, $3::uuid, made.id from made`,
)

/** An event of this webhook alone; `id` is also that of its delivery. */
export async function insertTestRow(
  tx: Transaction,
  { instance, creditorId }: ClientPrincipal,
  row: { readonly id: string; readonly webhookId: string; readonly type: string; readonly at: string },
): Promise<void> {
  await tx.rows(insertTest, [instance.id, creditorId, row.webhookId, row.id, row.type, row.at])
}

// Of a batch all are looked at, whether they are wanted or not, so that none takes long.
const replaySpan = statement(
  'webhooks.replaySpan',
  `with span as (
     select e.instance_id, e.id, e.created_at, w.id as webhook_id from webhook w
     join webhook_event e on e.instance_id = w.instance_id and e.creditor_id = w.creditor_id and e.type = any (w.events)
     where w.instance_id = $1 and w.id = $2 and e.created_at <= $3
       and (e.created_at, e.id) > ($4::timestamptz, $5::uuid)
     order by e.created_at, e.id limit $6),
   again as (
     insert into webhook_delivery (instance_id, id, webhook_id, event_id)
     select s.instance_id, gen_random_uuid(), s.webhook_id, s.id from span s
     where $7::text is null or exists (select from webhook_delivery d
       where d.instance_id = s.instance_id and d.webhook_id = s.webhook_id and d.event_id = s.id and d.status = $7)
     order by s.created_at
     on conflict (instance_id, webhook_id, event_id) do update
     set status = 'WAITING', next_try_at = now(), taken_by = null, first_try = webhook_delivery.tries + 1
     where webhook_delivery.status <> 'WAITING' returning 1)
   select s.created_at::text, s.id, (select count(*) from again)::int as deliveries from span s
   order by s.created_at desc, s.id desc limit 1`,
)
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

type Span = {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly status: string | null
  /** So many events are looked at in one statement. */
  readonly batch: number
}

/** Answers how many deliveries wait that did not before. */
export async function replayRows(
  tx: Transaction,
  { instance }: ClientPrincipal,
  { id, from, to, status, batch }: Span,
): Promise<number> {
  let deliveries = 0
  let last = { created_at: from, id: BEFORE_ALL }
  for (;;) {
    const values = [instance.id, id, to, last.created_at, last.id, batch, status]
    const [done] = await tx.rows<typeof last & { deliveries: number }>(replaySpan, values)
    if (!done) return deliveries
    deliveries += done.deliveries
    last = done
  }
}

const replayOne = statement(
  'webhooks.replayOne',
  `update webhook_delivery set status = 'WAITING', next_try_at = now(), taken_by = null, first_try = tries + 1
   where instance_id = $1 and id = $2 and status <> 'WAITING'`,
)

export async function replayRow(tx: Transaction, { instance }: ClientPrincipal, id: string): Promise<void> {
  await tx.rows(replayOne, [instance.id, id])
}

const wake = statement(
  'webhooks.wake',
  `update webhook_delivery set next_try_at = now(), first_try = tries + 1
   where instance_id = $1 and webhook_id = $2 and status = 'WAITING'`,
)

/** What waits of a webhook is sent now, and has all its tries again. */
export async function wakeRows(tx: Transaction, { instance }: ClientPrincipal, id: string): Promise<void> {
  await tx.rows(wake, [instance.id, id])
}
