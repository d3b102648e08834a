/** The SQL of rows of files that two people had said were not executed, and of what the bank tells of them later. */
import { statement, type Connection, type Transaction } from '../../platform/database/database.ts'
import { tasksOf } from '../../tasks/tasks.ts'
import { LINES, OF_LINES, type LineRow } from '../bank-files.queries.ts'
import type { TakenBack } from '../find-debt.queries.ts'

const accountOf = statement(
  'lateOrders.account',
  `select f.account_id from payout o join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id
   where o.instance_id = $1 and o.id = $2`,
)

/** The account that the row's file leaves. */
export async function readAccountOfOrder(
  tx: Transaction,
  instanceId: string,
  orderId: string,
): Promise<string> {
  const [row] = await tx.rows<{ account_id: string }>(accountOf, [instanceId, orderId])
  if (!row) throw new Error(`payout ${orderId} is in no file`)
  return row.account_id
}

const fileOf = statement(
  'lateOrders.file',
  'select file_id from payout where instance_id = $1 and id = $2::uuid',
)

/** The file that a row is in. */
export async function readFileOfOrder(tx: Transaction, instanceId: string, orderId: string): Promise<string> {
  const [row] = await tx.rows<{ file_id: string }>(fileOf, [instanceId, orderId])
  if (!row) throw new Error(`payout ${orderId} is in no file`)
  return row.file_id
}

const isLate = statement(
  'lateOrders.isLate',
  `select from payout o join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id
   where o.instance_id = $1 and o.id = $2::uuid and o.status = 'NOT_EXECUTED' and o.amount_minor = $3 and f.currency = $4`,
)

/** Whether a line names a row that was said to be not executed, and tells of its sum. */
export async function namesLateOrder(tx: Transaction, line: LineRow): Promise<boolean> {
  if (line.named_payment_id === null) return false
  const values = [line.instance_id, line.named_payment_id, line.amount_minor, line.currency]
  return (await tx.rows(isLate, values)).length > 0
}

const namedLate = statement(
  'lateOrders.namedLate',
  `select o.id from bank_line l join payout o on o.instance_id = l.instance_id and o.id = l.named_payment_id
   join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id
   where l.instance_id = $1 and l.id = $2::uuid and not l.is_doubtful and o.status = 'NOT_EXECUTED' and o.amount_minor = l.amount_minor
     and f.currency = l.currency`,
)

/** The row that a debit names and tells the sum of, where it was said to be not executed. */
export async function readNamedLate(
  db: Connection,
  instanceId: string,
  lineId: string,
): Promise<string | undefined> {
  return (await db.rows<{ id: string }>(namedLate, [instanceId, lineId]))[0]?.id
}

const debits = statement(
  'lateOrders.debits',
  `select ${LINES} ${OF_LINES} where l.instance_id = $1 and l.kind = 'OUTGOING' and l.status = 'SUSPENSE' and not l.is_doubtful
     and l.named_payment_id in (select o.id from payout o where o.instance_id = $1 and o.status = 'NOT_EXECUTED'
       and (o.about = $2 or o.settlement_id = (select x.settlement_id from payout x where x.instance_id = $1 and 'payout:' || x.id = $2)))
   order by l.bank_date, l.id`,
)

/** Debits in suspense that name a row which was said to be not executed, of the same money as `about` of a money_out. */
export function readLateDebits(tx: Transaction, instanceId: string, about: string): Promise<LineRow[]> {
  return tx.rows<LineRow>(debits, [instanceId, about])
}

const aboutOfOrder = statement(
  'lateOrders.about',
  `select coalesce(about, 'payout:' || id) as about from payout where instance_id = $1 and id = $2::uuid`,
)

/** What `about` of its row in money_out says. */
export async function readAboutOfOrder(
  tx: Transaction,
  instanceId: string,
  orderId: string | null,
): Promise<string | undefined> {
  return (await tx.rows<{ about: string }>(aboutOfOrder, [instanceId, orderId]))[0]?.about
}

const ofFile = statement(
  'lateOrders.ofFile',
  `select id, amount_minor from payout where instance_id = $1 and file_id = $2 and status = 'NOT_EXECUTED' order by id`,
)

export type LateOrder = { readonly id: string; readonly amount_minor: number }

/** The rows of a file that were said to be not executed. */
export function readLateOfFile(tx: Connection, instanceId: string, fileId: string): Promise<LateOrder[]> {
  return tx.rows<LateOrder>(ofFile, [instanceId, fileId])
}

const deductions = statement(
  'lateOrders.deductions',
  `select l.id from bank_line l join ${tasksOf(['bank_line'], 'all')} k on k.instance_id = l.instance_id and k.about = 'bank-line:' || l.id
   where l.instance_id = $1 and l.kind = 'DEDUCTION' and l.status = 'SUSPENSE' and k.details ? 'takesBack' and k.details ->> 'takesBack' in (
     select b.id::text from bank_line b where b.instance_id = $1 and b.id = substring($2::text from '(?:payment|bank-line):([0-9a-f-]{36})')::uuid
     union select b.id::text from bank_line b where b.instance_id = $1
       and b.payment_id = substring($2::text from '(?:payment|bank-line):([0-9a-f-]{36})')::uuid)
   order by l.id`,
)

/** Deductions in suspense that take back the money which `about` of a task, or of a money_out, names. */
export async function readWaitingDeductions(
  tx: Transaction,
  instanceId: string,
  about: string,
): Promise<string[]> {
  return (await tx.rows<{ id: string }>(deductions, [instanceId, about])).map(({ id }) => id)
}

const unmark = statement(
  'lateOrders.unmark',
  `update money_out set by_hand = false, said_not_ordered_on = $3, said_not_ordered_by = $4 where instance_id = $1 and id = $2 and by_hand and order_id is null and left_on is null
     and line_id is null and returned_on is null returning id`,
)

const saidNotOrdered = statement(
  'lateOrders.saidNotOrdered',
  `update money_out set returned_on = $3, said_not_ordered_on = $3, said_not_ordered_by = $4 where instance_id = $1 and id = $2 and by_hand
     and order_id is null and left_on is null and line_id is null and returned_on is null returning id`,
)

type SaidNotOrdered = {
  readonly id: string
  readonly on: string
  readonly by: string
  /** What was nobody's is to leave all the same. */
  readonly isToLeave: boolean
}

/** It is ordered by hand no more, and keeps who said so. Answers false when it never was, or has left. */
export async function unmarkByHandRow(
  tx: Transaction,
  instanceId: string,
  { id, on, by, isToLeave }: SaidNotOrdered,
): Promise<boolean> {
  return (await tx.rows(isToLeave ? unmark : saidNotOrdered, [instanceId, id, on, by])).length === 1
}

const before = statement(
  'lateOrders.before',
  'select count(*)::int as n from money_out where instance_id = $1 and about = $2 and id < $3',
)

/** How often it had been on its way before that. */
export async function countBefore(
  tx: Transaction,
  instanceId: string,
  { about, id }: { readonly about: string; readonly id: string },
): Promise<number> {
  return (await tx.rows<{ n: number }>(before, [instanceId, about, id]))[0]?.n ?? 0
}

const goesBack = statement(
  'lateOrders.goesBack',
  `select t.id from bank_line o join ${tasksOf(['refund', 'send_back'], 'all')} t on t.instance_id = o.instance_id
     and (t.about in ('bank-line:' || o.id, 'payment:' || o.id, 'payment:' || o.payment_id, 'reversal:payment:' || o.payment_id)
       or t.about like 'payment:' || o.id || ':%')
   join money_out m on m.instance_id = t.instance_id and m.about = case t.kind when 'send_back' then t.about else 'refund:' || t.about end
     and m.line_id is null and m.left_on is null and m.returned_on is null and (t.kind = 'refund' or m.by_hand or m.order_id is not null)
   where o.instance_id = $1 and o.id = $2::uuid order by t.id limit 1`,
)

/** The task that goes back to the payer of a line now; undefined where none does. */
export async function findGoingBack(
  db: Connection,
  instanceId: string,
  lineId: string,
): Promise<string | undefined> {
  return (await db.rows<{ id: string }>(goesBack, [instanceId, lineId]))[0]?.id
}

const agreed = statement(
  'lateOrders.agreed',
  `select l.id, l.status, l.payment_id from bank_line l where l.instance_id = $1 and l.id = $2::uuid and l.kind = 'PAYMENT'
     and l.amount_minor = $3 and l.currency = $4 and (l.status in ('BOOKED', 'SUSPENSE')
       or l.status = 'SENT_BACK' and l.holder is distinct from 'CREDITOR' or l.status = 'KNOWN' and l.payment_id is not null)`,
)

/** The line that a deduction was found to take back when it came; undefined where its money has gone meanwhile. */
export async function readAgreedTaken(
  tx: Transaction,
  line: LineRow,
  takenId: string,
): Promise<TakenBack | undefined> {
  return (await tx.rows<TakenBack>(agreed, [line.instance_id, takenId, line.amount_minor, line.currency]))[0]
}

const takesBack = statement(
  'lateOrders.takesBack',
  `select k.details ->> 'takesBack' as line from ${tasksOf(['bank_line'], 'all')} k where k.instance_id = $1 and k.about = 'bank-line:' || $2::uuid`,
)

/** The line whose money a deduction in suspense would take back; undefined where it is none that was found. */
export async function readTakesBack(
  db: Connection,
  instanceId: string,
  lineId: string,
): Promise<string | undefined> {
  return (await db.rows<{ line: string | null }>(takesBack, [instanceId, lineId]))[0]?.line ?? undefined
}
