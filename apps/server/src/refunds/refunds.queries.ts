/** The SQL of refunds: what is owed back, and what has been sent. */
import type { Currency } from '@kvitt/domain/money.ts'
import type { TaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { endingTasks, idIn, tasksOf } from '../tasks/tasks.ts'

export type RefundRow = {
  instance_id: string
  id: string
  payment_id: string
  /** The task that says what is owed back. */
  about: string
  amount_minor: number
  currency: Currency
  status: 'CREATED' | 'SENT' | 'PAID' | 'FAILED'
  failure: string | null
  callback_secret: string
}

const COLUMNS = 'instance_id, id, payment_id, about, amount_minor, currency, status, failure, callback_secret'

const instanceOfPayment = statement(
  'refunds.instanceOfPayment',
  'select instance_id from payment where id = $1',
)

export async function findInstanceOfPayment(db: Connection, paymentId: string): Promise<string | undefined> {
  return (await db.rows<{ instance_id: string }>(instanceOfPayment, [paymentId]))[0]?.instance_id
}

const refundsOfPayment = statement(
  'refunds.ofPayment',
  `select ${COLUMNS} from refund where instance_id = $1 and payment_id = $2 and status <> 'FAILED' order by id desc`,
)

/** What has been sent back of a payment or is on its way, newest first. */
export function readRefundRows(
  db: Connection,
  payment: { instance_id: string; id: string },
): Promise<RefundRow[]> {
  return db.rows<RefundRow>(refundsOfPayment, [payment.instance_id, payment.id])
}

const owedBack = statement(
  'refunds.owedBack',
  `select o.about, o.left_minor from (
     select k.about, k.created_at, ((k.details ->> 'amountMinor')::bigint - coalesce((select sum(r.amount_minor) from refund r
       where r.instance_id = k.instance_id and r.about = k.about and r.status <> 'FAILED'), 0))::bigint as left_minor
     from ${tasksOf(['refund'])} k
     where k.instance_id = $1 and k.details ->> 'currency' = $3
       and (k.about in ('payment:' || $2, 'reversal:payment:' || $2) or k.about like 'payment:' || $2 || ':%'
         or (k.about not like '%payment:%' and exists (select from ledger_transaction t where t.instance_id = $1
           and t.cause in (k.about, 'refund:' || k.about) and (t.invoice_id = any($4) or t.claim_id = any($4)))))
   ) o where o.left_minor > 0
   order by o.about = 'reversal:payment:' || $2 desc, o.about = 'payment:' || $2 desc, o.created_at`,
)

export type OwedBack = { readonly about: string; readonly left_minor: number }

/**
 * What nobody has sent back yet of what was paid on `debts`, this payment's own first. What another payment brought too
 * much goes back the way that one came.
 */
export function readOwedBack(
  tx: Transaction,
  payment: { instance_id: string; id: string; currency: string },
  debts: readonly string[],
): Promise<OwedBack[]> {
  return tx.rows<OwedBack>(owedBack, [payment.instance_id, payment.id, payment.currency, debts])
}

const refundIsKnown = statement('refunds.isKnown', 'select from refund where instance_id = $1 and id = $2')

export async function isKnownRefund(
  db: Connection,
  { instance, id }: { readonly instance: string; readonly id: string },
): Promise<boolean> {
  return (await db.rows(refundIsKnown, [instance, id])).length > 0
}

const insertRefund = statement(
  'refunds.insert',
  `insert into refund (instance_id, id, payment_id, about, amount_minor, currency, callback_secret)
   values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
)

export async function insertRefundRow(
  tx: Transaction,
  r: Omit<RefundRow, 'status' | 'failure'>,
): Promise<RefundRow> {
  const rows = await tx.rows<RefundRow>(insertRefund, [
    r.instance_id,
    r.id,
    r.payment_id,
    r.about,
    r.amount_minor,
    r.currency,
    r.callback_secret,
  ])
  const row = rows[0]
  if (!row) throw new Error('the refund was not inserted')
  return row
}

const lockRefund = statement(
  'refunds.lock',
  `select ${COLUMNS} from refund where instance_id = $1 and id = $2 for no key update`,
)

/** The refund, locked. Lock what its payment paid first, always. */
export async function lockRefundRow(
  tx: Transaction,
  refund: Pick<RefundRow, 'instance_id' | 'id'>,
): Promise<RefundRow> {
  const row = (await tx.rows<RefundRow>(lockRefund, [refund.instance_id, refund.id]))[0]
  if (!row) throw new Error(`refund ${refund.id} does not exist`)
  return row
}

const moveRefund = statement(
  'refunds.move',
  `update refund set status = $3, failure = $4, changed_at = now()
   where instance_id = $1 and id = $2 and status = $5 returning ${COLUMNS}`,
)

/** Moves the status of a refund that is locked. Throws when it is not what the row says. */
export async function moveRefundRow(
  tx: Transaction,
  refund: RefundRow,
  to: { status: RefundRow['status']; failure?: string },
): Promise<RefundRow> {
  const values = [refund.instance_id, refund.id, to.status, to.failure ?? null, refund.status]
  const [moved] = await tx.rows<RefundRow>(moveRefund, values)
  if (!moved) throw new Error(`refund ${refund.id} moved under its own lock`)
  return moved
}

const beginGiving = statement(
  'refunds.beginGiving',
  `update refund set given_until = now() + interval '2 minutes' where instance_id = $1 and id = $2
     and status in ('CREATED', 'SENT') and (given_until is null or given_until < now()) returning id`,
)
const endGiving = statement(
  'refunds.endGiving',
  'update refund set given_until = null where instance_id = $1 and id = $2',
)

/** Whether the caller, and nobody else for two minutes, may give the refund to its gateway. */
export async function beginGivingRow(db: Connection, refund: RefundRow): Promise<boolean> {
  return (await db.rows(beginGiving, [refund.instance_id, refund.id])).length > 0
}

export async function endGivingRow(db: Connection, refund: RefundRow): Promise<void> {
  await db.rows(endGiving, [refund.instance_id, refund.id])
}

const refundBySecret = statement(
  'refunds.bySecret',
  `select ${COLUMNS} from refund where callback_secret = $1`,
)

export async function readRefundBySecret(db: Connection, secret: string): Promise<RefundRow | undefined> {
  return (await db.rows<RefundRow>(refundBySecret, [secret]))[0]
}

const claimForSweep = statement(
  'refunds.claimForSweep',
  `update refund r set checked_at = now(), tries = tries + 1
   from (
     select instance_id, id from refund
     where status in ('CREATED', 'SENT')
       and ($1 or checked_at < now() - make_interval(secs => least(3600, 60 * power(2, least(tries, 6)))))
     order by checked_at limit 200 for no key update skip locked
   ) due
   where r.instance_id = due.instance_id and r.id = due.id
   returning ${COLUMNS.split(', ')
     .map((column) => `r.${column}`)
     .join(', ')}`,
)

/** Refunds whose end nobody knows, and that it is time to ask about: after a minute, then twice as long, up to an hour. */
export function claimRefundsForSweep(db: Connection, all: boolean): Promise<RefundRow[]> {
  return db.rows<RefundRow>(claimForSweep, [all])
}

const overdueRefunds = statement(
  'refunds.late',
  `select r.instance_id, r.id, r.payment_id, r.status, r.created_at
   from refund r where r.status in ('CREATED', 'SENT') and r.created_at < now() - interval '1 hour'
   and not exists (select from ${tasksOf(['refund_late'])} k
     where k.instance_id = r.instance_id and k.about = 'refund:' || r.id)`,
)

export type OverdueRefund = Pick<RefundRow, 'instance_id' | 'id' | 'payment_id' | 'status'> & {
  readonly created_at: string
}

/** Refunds that have not ended for an hour, and nobody has been asked about. */
export function readOverdueRefunds(db: Connection): Promise<OverdueRefund[]> {
  return db.rows<OverdueRefund>(overdueRefunds)
}

const refundOf = (kind: TaskKind, condition: string): string =>
  `select k.instance_id, k.about from ${tasksOf([kind])} k
   join refund r on r.instance_id = k.instance_id and r.id = ${idIn('k.about', 'refund:')} where ${condition}`
const hasEnded = `r.status in ('PAID', 'FAILED')`
const endings = [
  statement('refunds.endLate', endingTasks('refund_late', refundOf('refund_late', hasEnded))),
  statement(
    'refunds.endContradictions',
    endingTasks('refund_contradiction', refundOf('refund_contradiction', hasEnded)),
  ),
  // Sent on another try or by hand, used for another debt, or not owed back any more.
  statement(
    'refunds.endFailed',
    endingTasks(
      'refund_failed',
      refundOf(
        'refund_failed',
        `not exists (select from ${tasksOf(['refund'])} o where o.instance_id = r.instance_id and o.about = r.about)`,
      ),
    ),
  ),
]

/** Nobody has to look at refunds that have ended since, nor at one that failed of what is owed back no more. */
export async function endRefundTasks(db: Connection): Promise<void> {
  for (const ending of endings) await db.rows(ending)
}

const sentOf = statement(
  'refunds.sentOf',
  `select array_agg('refund:' || r.id) filter (where r.payment_id = $3) as tries,
     coalesce((sum(r.amount_minor) filter (where r.status = 'PAID'))::bigint
       >= (select (k.details ->> 'amountMinor')::bigint from ${tasksOf(['refund'])} k
         where k.instance_id = $1 and k.about = $2), false) as is_all
   from refund r where r.instance_id = $1 and r.about = $2`,
)

export type Sent = {
  /** What the tasks about this refund and the earlier tries of its payment are about. */
  readonly tries: string[]
  /** Everything that was owed back has gone. */
  readonly is_all: boolean
}

/** What has been sent back for the same reason as this refund. */
export async function readSent(tx: Transaction, refund: RefundRow): Promise<Sent> {
  const rows = await tx.rows<Sent>(sentOf, [refund.instance_id, refund.about, refund.payment_id])
  return rows[0] ?? { tries: [], is_all: false }
}
