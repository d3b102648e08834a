/** The SQL of what goes back by transfer in a file: what is owed back and what was sent back from suspense, and the accounts that it can go to. */
import { REACHED } from '@kvitt/domain/bank-files/payer-account.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import type { PayoutStatus } from '@kvitt/domain/payouts/payout.ts'
import type { PayoutScheme } from '@kvitt/domain/payouts/payout-account.ts'
import type { Waits } from '@kvitt/domain/refunds/refund.ts'
import { statement, type Connection, type Transaction } from '../../platform/database/database.ts'
import { tasksOf } from '../../tasks/tasks.ts'

const REACHES = `case t.details ->> 'currency' ${Object.entries(REACHED)
  .map(
    ([currency, countries]) => `when '${currency}' then left(a.number, 2) in ('${countries.join("', '")}')`,
  )
  .join(' ')} else false end`
const SOURCE = `substring(t.about from '(?:payment|bank-line):([0-9a-f-]{36})')::uuid`
/**
 * Where a task's money came from: the account that the bank told of with the payment that the task names, in whichever of its files.
 * Nothing where several are possible, the bank told none, as much did not come from it, it is an account of ours or a creditor's that
 * money is paid to, or no file of ours reaches it; nor for what a decision took off, as that is of no one payment.
 */
const ACCOUNT = `left join lateral (
     select min(x.scheme) as scheme, min(x.number) as number, min(x.payer) as payer from (
       select l.payer_scheme as scheme, l.payer_account as number, max(l.payer) as payer from bank_line l
       where l.instance_id = t.instance_id and l.payer_account is not null and l.kind = 'PAYMENT' and l.status <> 'REVERSED'
         and l.amount_minor >= (t.details ->> 'amountMinor')::bigint and l.currency = t.details ->> 'currency' and l.id in (
         select ${SOURCE}
         union select b.id from bank_line b where b.instance_id = t.instance_id and b.payment_id = ${SOURCE}
         union select b.id from bank_line b where b.instance_id = t.instance_id and b.repeats_id = ${SOURCE})
       group by 1, 2) x having count(*) = 1) a on ${REACHES} and not exists (select from account_address d where d.instance_id = t.instance_id
     and d.address = left(a.number, 2) || ' IBAN ' || a.number)`

/**
 * The payer's bank has taken it back, or wants to: a deduction that could not be booked is a person's. Also when that has been settled:
 * it says that somebody knows, and not that the money is here.
 */
const IS_TAKEN_BACK = `(exists (select from bank_line b where b.instance_id = t.instance_id and b.status = 'REVERSED'
       and (b.id = ${SOURCE} or b.payment_id = ${SOURCE}))
     or exists (select from bank_line b join ${tasksOf(['bank_line'], 'all')} k on k.instance_id = b.instance_id
       and k.details ? 'takesBack' and k.details ->> 'takesBack' = b.id::text
       where b.instance_id = t.instance_id and (b.id = ${SOURCE} or b.payment_id = ${SOURCE})))`

/** A proposal of a file, or of itself, waits for another person. */
const IS_PROPOSED = `exists (select from proposal x where x.instance_id = t.instance_id and x.status = 'OPEN'
     and (x.kind = 'refund_file' and x.before -> 'refunds' @> jsonb_build_array(jsonb_build_object('id', t.id)) or x.about = 'refund:' || t.id))`

/** What a task `t` asks for and has neither gone nor been ordered another way. A gateway's refund under way goes first. */
const LEFT = `((t.details ->> 'amountMinor')::bigint - coalesce((select sum(r.amount_minor) from refund r
     where r.instance_id = t.instance_id and r.about = t.about and r.status <> 'FAILED'), 0))::bigint`
/** The debt that a task's money was paid on, and its debtor; nothing for what was nobody's. */
const DEBT = `left join lateral (select g.invoice_id, g.claim_id from ledger_transaction g where g.instance_id = t.instance_id
     and g.cause in (t.about, 'refund:' || t.about) and num_nonnulls(g.invoice_id, g.claim_id) > 0
     order by g.cause like 'refund:%' desc limit 1) o on true
   left join claim c on c.instance_id = t.instance_id and c.id = o.claim_id
   left join invoice i on i.instance_id = t.instance_id and i.id = o.invoice_id
   left join debtor d on d.instance_id = t.instance_id and d.id = coalesce(c.debtor_id, i.debtor_id)`
const FROM = `from ${tasksOf(['refund', 'send_back'])} t
   ${DEBT}
   ${ACCOUNT}
   where t.instance_id = $1 and t.details ->> 'currency' = $2 and not ${IS_TAKEN_BACK} and (
     t.kind = 'refund' and num_nonnulls(o.invoice_id, o.claim_id) > 0 and ${LEFT} > 0 and not exists (select from refund r
       where r.instance_id = t.instance_id and r.about = t.about and r.status in ('CREATED', 'SENT'))
     or t.kind = 'send_back' and exists (select from money_out m where m.instance_id = t.instance_id and m.about = t.about
       and m.order_id is null and not m.by_hand and m.left_on is null and m.line_id is null and m.returned_on is null))`
const HAS_FAILED = `(exists (select from payout o where o.instance_id = t.instance_id and o.task_id = t.id)
     or exists (select from money_out n where n.instance_id = t.instance_id and n.said_not_ordered_on is not null
       and n.about = case t.kind when 'send_back' then t.about else 'refund:' || t.about end))`
const COLUMNS = `t.id, t.kind, t.about, ${LEFT} as "leftMinor", coalesce(c.claim_number, i.invoice_number) as debt,
     d.id as "debtorId", coalesce(a.payer, d.name) as "receiverName", a.scheme, a.number, ${HAS_FAILED} as "hasFailed"`

export type OwedBackRow = {
  readonly id: string
  readonly kind: 'refund' | 'send_back'
  readonly about: string
  readonly leftMinor: number
  /** The number of the invoice or claim that it is about; null for what was nobody's. */
  readonly debt: string | null
  readonly debtorId: string | null
  readonly receiverName: string | null
  /** The account that it came from; null where nobody knows it. */
  readonly scheme: PayoutScheme | null
  readonly number: string | null
  /** The bank has refused it, it has come back, or somebody said that it was not executed or not ordered: it is in a file again only when a person names it. */
  readonly hasFailed: boolean
}

const all = statement(
  'refundFiles.all',
  `select ${COLUMNS} ${FROM} order by a.number is null, ${HAS_FAILED}, t.created_at, t.id limit $3`,
)
const named = statement('refundFiles.named', `select ${COLUMNS} ${FROM} and t.id = any($3) order by t.id`)
const account = statement(
  'refundFiles.account',
  `select a.scheme, a.number, coalesce(a.payer, d.name) as "receiverName"
   from ${tasksOf(['refund', 'send_back'], 'all')} t
   ${DEBT}
   ${ACCOUNT}
   where t.instance_id = $1 and t.id = $2 and a.number is not null`,
)

/** What is to go back in a currency with the accounts that are known: first what can leave, the oldest of it first. */
export function readOwedBack(
  db: Connection,
  instanceId: string,
  { currency, most }: { readonly currency: Currency; readonly most: number },
): Promise<OwedBackRow[]> {
  return db.rows<OwedBackRow>(all, [instanceId, currency, most])
}

/** Those of these that are still to go back. Ask under lockBankFiles. */
export function readNamedBack(
  tx: Connection | Transaction,
  instanceId: string,
  { currency, ids }: { readonly currency: Currency; readonly ids: readonly string[] },
): Promise<OwedBackRow[]> {
  return tx.rows<OwedBackRow>(named, [instanceId, currency, ids])
}

export type AccountBack = {
  readonly scheme: PayoutScheme
  readonly number: string
  readonly receiverName: string | null
}

/** Where a task's money came from; undefined where nobody knows. */
export async function readAccountBack(
  db: Connection,
  instanceId: string,
  taskId: string,
): Promise<AccountBack | undefined> {
  return (await db.rows<AccountBack>(account, [instanceId, taskId]))[0]
}

const insert = statement(
  'refundFiles.insert',
  `insert into payout (instance_id, id, file_id, amount_minor, about, cause, task_id, scheme, number, receiver_name)
   select $1, r.id, $2, r.amount_minor, r.about, r.cause, r.task_id, r.scheme, r.number, r.receiver_name
   from jsonb_to_recordset($3::jsonb) as r (id uuid, amount_minor bigint, about text, cause text, task_id uuid, scheme text, number text,
     receiver_name text)`,
)

export type NewOrder = {
  readonly id: string
  readonly amount_minor: number
  /** What `about` of its row in money_out says. */
  readonly about: string
  readonly cause: string | null
  readonly task_id: string
  readonly scheme: PayoutScheme
  readonly number: string
  readonly receiver_name: string
}

/** The rows of a file that is there. */
export async function insertOrderRows(
  tx: Transaction,
  instanceId: string,
  { fileId, orders }: { readonly fileId: string; readonly orders: readonly NewOrder[] },
): Promise<void> {
  await tx.rows(insert, [instanceId, fileId, JSON.stringify(orders)])
}

const ordersOf = statement(
  'refundFiles.ordersOf',
  `select f.id as file, o.id as row, f.execution_on as "executionDate", o.amount_minor as "amountMinor", o.status, o.reason, o.scheme, o.number
   from payout o join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id
   where o.instance_id = $1 and o.task_id = $2 order by o.id desc`,
)

export type OrderOfTask = {
  readonly file: string
  readonly row: string
  readonly executionDate: string
  readonly amountMinor: number
  readonly status: PayoutStatus
  readonly reason: string | null
  readonly scheme: PayoutScheme
  readonly number: string
}

/** The files that a task's money has been in, the newest first. */
export function readOrdersOf(db: Connection, instanceId: string, taskId: string): Promise<OrderOfTask[]> {
  return db.rows<OrderOfTask>(ordersOf, [instanceId, taskId])
}

const earlier = statement(
  'refundFiles.earlier',
  'select count(*)::int as n from money_out where instance_id = $1 and about = $2',
)

/** How often it has been on its way before. */
export async function countEarlier(tx: Transaction, instanceId: string, about: string): Promise<number> {
  return (await tx.rows<{ n: number }>(earlier, [instanceId, about]))[0]?.n ?? 0
}

const orderOut = statement(
  'refundFiles.orderOut',
  `select o.status, exists (select from bank_line l where l.instance_id = $1 and l.kind = 'OUTGOING' and l.status = 'SUSPENSE'
       and l.currency = m.currency and l.amount_minor in (m.amount_minor, f.amount_minor)
       and coalesce(l.account_id = f.account_id, true)) as "isTold"
   from money_out m join payout o on o.instance_id = m.instance_id and o.id = m.order_id
   join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id
   where m.instance_id = $1 and m.about = $2 and m.line_id is null and m.left_on is null and m.returned_on is null`,
)

export type OrderOut = {
  readonly status: OrderOfTask['status']
  /** A debit of its sum, or of its whole file's, lies in suspense. */
  readonly isTold: boolean
}

/** The row of a file that it waits to leave with; undefined where there is none. */
export async function readOrderOut(
  tx: Transaction,
  instanceId: string,
  about: string,
): Promise<OrderOut | undefined> {
  return (await tx.rows<OrderOut>(orderOut, [instanceId, about]))[0]
}

const takenBack = statement(
  'refundFiles.takenBack',
  `select from (select $1::uuid as instance_id, $2::text as about) t where ${IS_TAKEN_BACK}`,
)

/**
 * Whether the payer's bank has taken back, or wants to, the money that a task is about: then it goes back no way at all, by a file, by hand
 * or by a gateway. Ask under lockBankFiles.
 */
export async function isTakenBack(db: Connection, instanceId: string, about: string): Promise<boolean> {
  return (await db.rows(takenBack, [instanceId, about])).length > 0
}

const waits = statement(
  'refundFiles.waits',
  `select case when t.kind = 'creditor_refund' or w.id is null and m.id is null then null
       when exists (select from refund r where r.instance_id = t.instance_id and r.about = t.about and r.status in ('CREATED', 'SENT'))
         then 'AT_GATEWAY'
       when m.order_id is not null then 'IN_FILE' when m.by_hand then 'BY_HAND' when w.id is null then null
       when ${IS_TAKEN_BACK} then 'TAKEN_BACK' when ${IS_PROPOSED} then 'PROPOSED' when a.number is null then 'ACCOUNT_UNKNOWN' end as waits
   from ${tasksOf(['refund', 'creditor_refund', 'send_back'], 'all')} t
   left join ${tasksOf(['refund', 'send_back'])} w on w.instance_id = t.instance_id and w.id = t.id
   left join money_out m on m.instance_id = t.instance_id and m.about = case t.kind when 'send_back' then t.about else 'refund:' || t.about end
     and m.line_id is null and m.left_on is null and m.returned_on is null
   ${ACCOUNT}
   where t.instance_id = $1 and t.id = $2`,
)

/** Why it is in no file now; null when it can be in the next one, or has gone. */
export async function readWaits(db: Connection, instanceId: string, taskId: string): Promise<Waits | null> {
  return (await db.rows<{ waits: Waits | null }>(waits, [instanceId, taskId]))[0]?.waits ?? null
}

const receiverOf = statement(
  'refundFiles.receiverOf',
  `select o.id, coalesce(a.receiver_name, o.receiver_name) as "receiverName", coalesce(a.scheme, o.scheme) as scheme, coalesce(a.number, o.number) as number
   from payout o left join payout_account a on a.instance_id = o.instance_id and a.id = o.account_id
   where o.instance_id = $1 and o.id = $2::uuid`,
)

/** Whom a row of a file went to. */
export function readReceiverOf(
  db: Connection,
  instanceId: string,
  payoutId: string,
): Promise<Pick<OwedBackRow, 'id' | 'receiverName' | 'scheme' | 'number'>[]> {
  return db.rows(receiverOf, [instanceId, payoutId])
}
