/** The SQL of money that is to leave the bank accounts, and of the lines that tell that it has. */
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Transaction } from '../platform/database/database.ts'
import { LINES, OF_LINES, type LineRow } from './bank-files.queries.ts'

export type MoneyOutRow = {
  id: string
  about: string
  amount_minor: number
  currency: Currency
  left_on: string | null
  line_id: string | null
  account_id: string | null
  /** The row of a file to the bank that it leaves with; null for what a person orders at the bank. */
  order_id: string | null
  /** A person has ordered it at the bank, or has said that it left. */
  by_hand: boolean
}

const COLUMNS = 'id, about, amount_minor, currency, left_on, line_id, account_id, order_id, by_hand'

const insert = statement(
  'moneyOut.insert',
  `insert into money_out (instance_id, id, about, account_id, amount_minor, currency, ordered_on, order_id, by_hand)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (instance_id, about) where returned_on is null and back_line_id is null do nothing returning ${COLUMNS}`,
)

/** Undefined when it is expected already. */
export async function insertMoneyOutRow(
  tx: Transaction,
  instanceId: string,
  out: {
    readonly id: string
    readonly about: string
    readonly accountId: string | null
    readonly amountMinor: number
    readonly currency: Currency
    readonly on: string
    readonly orderId?: string | undefined
    readonly isByHand?: boolean | undefined
  },
): Promise<MoneyOutRow | undefined> {
  const { id, about, accountId, amountMinor, currency, on, orderId = null, isByHand = false } = out
  const values = [instanceId, id, about, accountId, amountMinor, currency, on, orderId, isByHand]
  return (await tx.rows<MoneyOutRow>(insert, values))[0]
}

const byAbout = statement(
  'moneyOut.byAbout',
  `select ${COLUMNS} from money_out where instance_id = $1 and about = $2 and returned_on is null and back_line_id is null for no key update`,
)

export async function findMoneyOut(
  tx: Transaction,
  instanceId: string,
  about: string,
): Promise<MoneyOutRow | undefined> {
  return (await tx.rows<MoneyOutRow>(byAbout, [instanceId, about]))[0]
}

const ofOrder = statement(
  'moneyOut.ofOrder',
  `select ${COLUMNS} from money_out where instance_id = $1 and order_id = $2 and line_id is null and returned_on is null for no key update`,
)

/** That of a row of a file which is on its way. */
export async function findOfOrder(
  tx: Transaction,
  instanceId: string,
  orderId: string,
): Promise<MoneyOutRow> {
  const [row] = await tx.rows<MoneyOutRow>(ofOrder, [instanceId, orderId])
  if (!row) throw new Error(`payout ${orderId} is expected by nobody`)
  return row
}

const expected = statement(
  'moneyOut.expected',
  `select ${COLUMNS} from money_out
   where instance_id = $1 and line_id is null and returned_on is null and amount_minor = $2 and currency = $3
     and case when order_id is not null then order_id = $5::uuid
       else by_hand and coalesce(account_id = $4, true) and not exists (select from payout o where o.instance_id = $1 and o.id = $5::uuid) end
   order by left_on is null desc, account_id is null, ordered_on, id limit 1 for no key update`,
)

/**
 * What was to leave, and a line that tells of as much can be: the row of a file that the line names, on whichever account that is by now,
 * and nothing else then; else what a person has ordered by hand, what nobody has said to have left first. A line that names none is no
 * row's, nor what waits for a file: our files name each, and as much may have left for another reason. Ask under lockBankFiles.
 */
export async function findExpected(tx: Transaction, line: LineRow): Promise<MoneyOutRow | undefined> {
  const values = [line.instance_id, line.amount_minor, line.currency, line.account_id, line.named_payment_id]
  return (await tx.rows<MoneyOutRow>(expected, values))[0]
}

const unexplained = statement(
  'moneyOut.unexplained',
  `select ${LINES} ${OF_LINES} where l.instance_id = $1 and l.kind = 'OUTGOING' and l.status = 'SUSPENSE' and l.amount_minor = $2
     and l.currency = $3 and coalesce(l.account_id = $4, true)
     and not exists (select from payout o where o.instance_id = $1 and o.id = l.named_payment_id)
     and l.bank_date >= coalesce((select c.bank_date from bank_line c where c.instance_id = $1
       and 'bank-line:' || c.id = $5), '-infinity'::date)
   order by l.bank_date, l.id limit 1`,
)

/**
 * A line that told of as much before a person said that it was ordered by hand; not from before the day on which the money came, nor one
 * that names a row of a file. Ask under lockBankFiles.
 */
export async function findUnexplained(
  tx: Transaction,
  instanceId: string,
  out: Pick<MoneyOutRow, 'about' | 'amount_minor' | 'currency' | 'account_id'>,
): Promise<LineRow | undefined> {
  const values = [instanceId, out.amount_minor, out.currency, out.account_id, out.about]
  return (await tx.rows<LineRow>(unexplained, values))[0]
}

const settle = statement(
  'moneyOut.settle',
  'update money_out set line_id = $3 where instance_id = $1 and id = $2 and line_id is null returning id',
)
const leave = statement(
  'moneyOut.leave',
  'update money_out set left_on = $3, by_hand = order_id is null where instance_id = $1 and id = $2 and left_on is null and line_id is null and returned_on is null returning id',
)
const giveBack = statement(
  'moneyOut.return',
  'update money_out set returned_on = $3 where instance_id = $1 and about = $2 and left_on is null and line_id is null and returned_on is null returning id',
)

/** Answers false when it has left, or has been returned before. */
export async function returnRow(
  tx: Transaction,
  instanceId: string,
  { about, on }: { readonly about: string; readonly on: string },
): Promise<boolean> {
  return (await tx.rows(giveBack, [instanceId, about, on])).length === 1
}

export async function settleRow(
  tx: Transaction,
  instanceId: string,
  { id, lineId }: { readonly id: string; readonly lineId: string },
): Promise<void> {
  const rows = await tx.rows(settle, [instanceId, id, lineId])
  if (rows.length !== 1) throw new Error(`money out ${id} has a line already`)
}

/** Answers false when it is known to have left. */
export async function leaveRow(
  tx: Transaction,
  instanceId: string,
  { id, on }: { readonly id: string; readonly on: string },
): Promise<boolean> {
  return (await tx.rows(leave, [instanceId, id, on])).length === 1
}

const paidOut = statement(
  'moneyOut.paidOut',
  `select ${COLUMNS} from money_out
   where instance_id = $1 and order_id = $2::uuid and amount_minor = $3 and currency = $4
     and coalesce(line_id::text, left_on::text) is not null and back_line_id is null for no key update`,
)

/** The row of a file that a line with money names, has left and was as much. Ask under lockBankFiles. */
export async function findPaidOut(tx: Transaction, line: LineRow): Promise<MoneyOutRow | undefined> {
  const values = [line.instance_id, line.named_payment_id, line.amount_minor, line.currency]
  return (await tx.rows<MoneyOutRow>(paidOut, values))[0]
}

const named = statement(
  'moneyOut.named',
  `select ${LINES} ${OF_LINES} where l.instance_id = $1 and l.kind = $2 and l.status = 'SUSPENSE' and l.named_payment_id = $3
     and l.amount_minor = $4 and l.currency = $5 and l.holder = 'INSTANCE' and not l.is_doubtful order by l.bank_date, l.id limit 1`,
)

/** A line in suspense of an account of client funds that names a payout and tells of its whole sum. Ask under lockBankFiles. */
export async function findNamedInSuspense(
  tx: Transaction,
  instanceId: string,
  of: {
    readonly kind: 'PAYMENT' | 'OUTGOING'
    readonly payoutId: string
    readonly amountMinor: number
    readonly currency: Currency
  },
): Promise<LineRow | undefined> {
  const values = [instanceId, of.kind, of.payoutId, of.amountMinor, of.currency]
  return (await tx.rows<LineRow>(named, values))[0]
}

const comeBack = statement(
  'moneyOut.comeBack',
  'update money_out set back_line_id = $3 where instance_id = $1 and id = $2 and back_line_id is null returning id',
)

export async function comeBackRow(
  tx: Transaction,
  instanceId: string,
  { id, lineId }: { readonly id: string; readonly lineId: string },
): Promise<void> {
  if ((await tx.rows(comeBack, [instanceId, id, lineId])).length !== 1)
    throw new Error(`money out ${id} has come back already`)
}

const attach = statement(
  'moneyOut.attach',
  `update money_out set order_id = $3 where instance_id = $1 and about = $2 and left_on is null and line_id is null and returned_on is null
     and (order_id is null) = ($3::uuid is not null) and not by_hand returning id`,
)
const markByHand = statement(
  'moneyOut.markByHand',
  `update money_out set by_hand = true where instance_id = $1 and id = $2 and order_id is null and left_on is null and line_id is null
     and returned_on is null and not by_hand returning ${COLUMNS}`,
)

/** Undefined when it has been before, is in a file or has left. */
export async function markByHandRow(
  tx: Transaction,
  instanceId: string,
  id: string,
): Promise<MoneyOutRow | undefined> {
  return (await tx.rows<MoneyOutRow>(markByHand, [instanceId, id]))[0]
}

/** What waits leaves with a row of a file from now on, or with none any more. Answers false when it does already, or has left. */
export async function attachRow(
  tx: Transaction,
  instanceId: string,
  { about, orderId }: { readonly about: string; readonly orderId: string | null },
): Promise<boolean> {
  return (await tx.rows(attach, [instanceId, about, orderId])).length === 1
}

const isRow = statement('moneyOut.isRow', 'select from payout where instance_id = $1 and id = $2')

/** Whether what a line names is a row of a file of ours. */
export async function namesRow(tx: Transaction, instanceId: string, named: string | null): Promise<boolean> {
  return named !== null && (await tx.rows(isRow, [instanceId, named])).length > 0
}

const uncorrected = statement(
  'moneyOut.uncorrected',
  `select count(*) filter (where kind = 'OUTGOING' and id is distinct from $3::uuid and status <> 'REPEATED')
       > count(*) filter (where kind = 'PAYMENT' and status = 'SETTLED') as more
   from bank_line where instance_id = $1 and named_payment_id = $2::uuid and amount_minor = $4`,
)

/** Whether the bank has debited a row more than once, whatever became of those lines, and has not taken as many back. */
export async function isDebitedAgain(
  tx: Transaction,
  { instance_id: instanceId, named_payment_id: named, amount_minor: minor }: LineRow,
  { line_id: settledBy }: MoneyOutRow,
): Promise<boolean> {
  return (
    (await tx.rows<{ more: boolean }>(uncorrected, [instanceId, named, settledBy, minor]))[0]?.more ?? false
  )
}

const UNTOLD = `from payout_file f
   join payout o on o.instance_id = f.instance_id and o.file_id = f.id
   join money_out m on m.instance_id = o.instance_id and m.order_id = o.id and m.line_id is null and m.returned_on is null
   where f.instance_id = $1 and f.currency = $2 and coalesce(f.account_id = $3, true)`
const untold = statement(
  'moneyOut.untold',
  `select ${COLUMNS.split(', ')
    .map((column) => `m.${column}`)
    .join(', ')} ${UNTOLD} and f.id = $4 order by m.id for no key update of m`,
)

/** The rows of a file, from the account of a line, that no line has told of yet. Ask under lockBankFiles. */
export function lockUntold(tx: Transaction, line: LineRow, fileId: string): Promise<MoneyOutRow[]> {
  return tx.rows<MoneyOutRow>(untold, [line.instance_id, line.currency, line.account_id, fileId])
}

const alike = statement(
  'moneyOut.alike',
  `select count(*)::int as n from bank_line where instance_id = $1 and kind = 'OUTGOING' and status = 'SUSPENSE'
     and named_payment_id is null and currency = $2 and amount_minor = $3 and account_id is not distinct from $4`,
)

/** How many debits without a name have the sum of this one, on its account. */
export async function countAlike(tx: Transaction, line: LineRow): Promise<number> {
  const values = [line.instance_id, line.currency, line.amount_minor, line.account_id]
  return (await tx.rows<{ n: number }>(alike, values))[0]?.n ?? 0
}
