/** The SQL of the inbox: what gateways told us, and what a person has to be asked. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { endingTasks, idIn, tasksOf } from '../tasks/tasks.ts'
import type { PaymentRow } from './payments.queries.ts'

const insertEvent = statement(
  'payments.insertEvent',
  `insert into gateway_event (gateway, event_id, instance_id, payment_id, body, next_at)
   values ($1, $2, $3, $4, $5, now() + interval '5 seconds')
   on conflict (gateway, event_id) do nothing`,
)

/** Keeps what a gateway told us, once. Whoever keeps it looks into it; the sweeper does when that comes to nothing. */
export async function insertEventRow(
  db: Connection,
  event: { gateway: string; eventId: string; payment: PaymentRow; body: unknown },
): Promise<void> {
  await db.rows(insertEvent, [
    event.gateway,
    event.eventId,
    event.payment.instance_id,
    event.payment.id,
    JSON.stringify(event.body),
  ])
}

const claimWaiting = statement(
  'payments.claimWaitingEvents',
  `update gateway_event e set tries = tries + 1,
     next_at = now() + make_interval(secs => least(3600, 5 * power(2, least(tries, 10))))
   from (
     select gateway, event_id from gateway_event
     where applied_at is null and parked_reason is null and payment_id is not null and ($1 or next_at <= now())
     order by next_at limit 200 for no key update skip locked
   ) due
   where e.gateway = due.gateway and e.event_id = due.event_id
   returning e.instance_id, e.payment_id as id`,
)

/**
 * Payments with events that it is time to look at again, each once. An event that cannot be applied comes back
 * after 5 seconds, then after twice as long, up to an hour, for as long as it takes. `all` takes every one now.
 */
export async function claimWaitingEvents(
  db: Connection,
  all: boolean,
): Promise<{ instance_id: string; id: string }[]> {
  const rows = await db.rows<{ instance_id: string; id: string }>(claimWaiting, [all])
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

const IS_LATE = `(p.status = 'FAILED' and p.is_outcome_unknown
     and greatest(p.changed_at, p.execution_date) < now() - interval '3 days'
   or p.status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED') and (
     (p.is_outcome_unknown and p.created_at < now() - interval '10 minutes')
     or (p.is_stale and p.created_at < now() - interval '1 hour')
     or (p.status = 'IN_PROGRESS' and p.created_at < now() - interval '25 hours')))`

const overduePayments = statement(
  'payments.late',
  `select p.instance_id, p.id, p.gateway, p.status, p.is_stale, p.is_outcome_unknown, p.created_at
   from payment p
   where ${IS_LATE} and not exists (select from ${tasksOf(['payment_late'])} k
     where k.instance_id = p.instance_id and k.about = 'payment:' || p.id)`,
)

export type OverduePayment = {
  readonly instance_id: string
  readonly id: string
  readonly gateway: string
  readonly status: string
  readonly is_stale: boolean
  readonly is_outcome_unknown: boolean
  readonly created_at: string
}

/**
 * What should have ended, and nobody has been asked about: nobody knows whether money moved for ten minutes, the gateway
 * has not answered for an hour, or it could not be cancelled after a day; or it was given up, is signed all the same, and
 * has not ended three days later.
 */
export function readOverduePayments(db: Connection): Promise<OverduePayment[]> {
  return db.rows<OverduePayment>(overduePayments)
}

const endLate = statement(
  'payments.endLate',
  endingTasks(
    'payment_late',
    `select k.instance_id, k.about from ${tasksOf(['payment_late'])} k
     join payment p on p.instance_id = k.instance_id and p.id = ${idIn('k.about', 'payment:')} where not ${IS_LATE}`,
  ),
)

/** What has ended since, or is heard of again, is late no more: nobody has to look at it. */
export async function endOverduePayments(db: Connection): Promise<void> {
  await db.rows(endLate)
}

const namedOrder = statement(
  'payments.namedOrder',
  `select body ->> 'paymentId' as name from gateway_event
   where instance_id = $1 and payment_id = $2 and body ->> 'paymentId' <> '' order by received_at desc limit 1`,
)

/** The gateway's id in the latest notification about a payment. A hint: what it leads to has to be checked. */
export async function readNamedOrder(
  db: Connection,
  payment: { instance_id: string; id: string },
): Promise<string | undefined> {
  const row = (await db.rows<{ name: string }>(namedOrder, [payment.instance_id, payment.id]))[0]
  return row?.name.slice(0, 200)
}

const endEvents = statement(
  'payments.endEvents',
  `update gateway_event set
     applied_at = case when $4::text is null then now() end, parked_reason = $4
   where instance_id = $1 and payment_id = $2 and applied_at is null and parked_reason is null
     and received_at <= $3::timestamptz`,
)

/** Marks the events that had arrived by `readAt` (before the gateway was asked) as applied or parked. */
export function endEventRows(
  tx: Transaction,
  payment: { instance_id: string; id: string },
  { readAt, parkedReason }: { readAt: string; parkedReason: string | null },
): void {
  tx.send(endEvents, [payment.instance_id, payment.id, readAt, parkedReason])
}

const learnSizes = statement('payments.learnSizes', 'select learn_payment_sizes()')

/** Lets the database look at tables of payments that have grown; it plans for empty ones otherwise. */
export async function learnPaymentSizes(db: Connection): Promise<void> {
  await db.rows(learnSizes)
}

const waiting = statement(
  'payments.waiting',
  `select (select count(*)::int from payment where status in ('CREATED', 'IN_PROGRESS')) as unsigned,
     (select count(*)::int from gateway_event where applied_at is null and parked_reason is null) as events`,
)

/** How many payments nobody has signed yet, and how many events of gateways are not applied, of all instances. */
export async function countWaiting(db: Connection): Promise<{ unsigned: number; events: number }> {
  return (await db.rows<{ unsigned: number; events: number }>(waiting))[0] ?? { unsigned: 0, events: 0 }
}
