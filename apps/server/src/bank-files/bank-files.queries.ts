/** The SQL of bank files and their lines. */
import type { EntryIds } from '@kvitt/domain/bank-files/match-entries.ts'
import type { Debt, Holder } from '@kvitt/domain/ledger/booking.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import type { PayoutScheme } from '@kvitt/domain/payouts/payout-account.ts'
import { BANK_FILES_OF } from '../payments/payments.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { BANK_LINE_MATTER, endingTasks, idIn, tasksOf } from '../tasks/tasks.ts'

const lockLines = statement('bankFiles.lock', `select pg_advisory_xact_lock(${BANK_FILES_OF})`)

/**
 * One at a time places lines of an instance, and no bank's gateway books money meanwhile; everybody else's
 * work goes on beside it. Taken before the locks of debts.
 */
export async function lockBankFiles(tx: Transaction, instanceId: string): Promise<void> {
  await tx.rows(lockLines, [instanceId])
}

const lockFiles = statement(
  'bankFiles.lockKeeping',
  `select pg_advisory_xact_lock(hashtextextended('keeping bank files of ' || $1::text, 0))`,
)

/** One at a time keeps files of an instance. Lines are placed and money is booked beside it: a large file takes a while. */
export async function lockKeeping(tx: Transaction, instanceId: string): Promise<void> {
  await tx.rows(lockFiles, [instanceId])
}

const insertFile = statement(
  'bankFiles.insertFile',
  `insert into bank_file (instance_id, id, name, format, content_hash, sent_by) values ($1, $2, $3, $4, $5, $6)
   on conflict (instance_id, content_hash) do nothing returning id`,
)

/** Answers false when the same bytes are here already. */
export async function insertFileRow(
  tx: Transaction,
  instanceId: string,
  file: { id: string; name: string; format: string; hash: Buffer; by: string | null },
): Promise<boolean> {
  const rows = await tx.rows(insertFile, [instanceId, file.id, file.name, file.format, file.hash, file.by])
  return rows.length === 1
}

const depositSum = statement(
  'bankFiles.depositSum',
  `select count(*)::int as lines,
     coalesce(sum(case kind when 'PAYMENT' then amount_minor else -amount_minor end), 0)::bigint as sum_minor
   from bank_line where instance_id = $1 and (account_id = $2 or account_id is null and account_key = $5) and deposit_key = $3
     and currency = $4`,
)

/** What another file has told of the same deposit; undefined when none has. */
export async function readDepositSum(
  tx: Transaction,
  instanceId: string,
  {
    accountId,
    account,
    key,
    currency,
  }: { accountId: string; account: string; key: string; currency: string },
): Promise<number | undefined> {
  const values = [instanceId, accountId, key, currency, account]
  const row = (await tx.rows<{ lines: number; sum_minor: number }>(depositSum, values))[0]
  return row && row.lines > 0 ? row.sum_minor : undefined
}

export type NewLine = {
  id: string
  file_id: string
  number: number
  /** As the file writes it. */
  account_key: string
  /** Null for what was kept when accounts were known by their printed numbers. */
  account_id: string | null
  deposit_key: string
  deposit_line: number
  /** What its deposit comes to; null for an entry of camt. */
  deposit_minor: number | null
  /** What the bank calls the entry, on the first line of its deposit. */
  bank_ids: EntryIds
  is_doubtful: boolean
  creditor_ids: readonly string[] | null
  /** Who has the account, as far as it had been told when the line came. */
  holder: Holder | null
  kind: 'PAYMENT' | 'DEDUCTION' | 'OUTGOING'
  amount_minor: number
  currency: Currency
  bank_date: string
  /** Where the bank tells one beside its own day. */
  value_date: string | null
  payment_references: readonly string[]
  payer: string | null
  /** The account that it came from, where the bank tells one that can be sent to. */
  payer_scheme: PayoutScheme | null
  payer_account: string | null
  message: string | null
  /** The payment that the bank says was ordered with it, by an id of our form: it may be nobody's. */
  named_payment_id: string | null
}

const insertLines = statement(
  'bankFiles.insertLines',
  `insert into bank_line (instance_id, id, file_id, number, account_key, account_id, deposit_key, deposit_line, deposit_minor, creditor_ids, holder, kind,
     amount_minor, currency, bank_date, value_date, payment_references, payer, payer_scheme, payer_account, message, named_payment_id, bank_ids, is_doubtful)
   select $1, id, file_id, number, account_key, account_id, deposit_key, deposit_line, deposit_minor, creditor_ids, holder, kind, amount_minor, currency,
     bank_date, value_date, payment_references, payer, payer_scheme, payer_account, message, named_payment_id, bank_ids, is_doubtful
   from jsonb_to_recordset($2::jsonb) as l (id uuid, file_id uuid, number integer, account_key text, account_id uuid, deposit_key text,
     deposit_line integer, deposit_minor bigint, creditor_ids uuid[], holder text, kind text, amount_minor bigint, currency text, bank_date date,
     value_date date, payment_references text[], payer text, payer_scheme text, payer_account text, message text, named_payment_id uuid,
     bank_ids jsonb, is_doubtful boolean)`,
)

export async function insertLineRows(
  tx: Transaction,
  instanceId: string,
  lines: readonly NewLine[],
): Promise<void> {
  await tx.rows(insertLines, [instanceId, JSON.stringify(lines)])
}

const waiting = statement(
  'bankFiles.waiting',
  `select id from bank_line where instance_id = $1 and status = 'WAITING' order by file_id, number`,
)

const endPlaced = statement(
  'bankFiles.endPlaced',
  endingTasks(
    'work_stuck',
    `select k.instance_id, k.about from ${tasksOf(['work_stuck'])} k
     join bank_line l on l.instance_id = k.instance_id and l.id = ${idIn('k.about', BANK_LINE_MATTER)}
     where k.instance_id = $1 and l.status <> 'WAITING'`,
  ),
)

/** Ends the tasks about lines that could not be booked, and are. */
export async function endPlacedLines(db: Connection, instanceId: string): Promise<void> {
  await db.rows(endPlaced, [instanceId])
}

/** Lines that are kept and not booked, in the order in which they came. */
export async function readWaitingLines(db: Connection, instanceId: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(waiting, [instanceId])).map((row) => row.id)
}

export type LineRow = NewLine & { instance_id: string; file_name: string; format: string }

/** The columns of a LineRow, of the lines `l`. */
export const LINES = `l.instance_id, l.id, l.file_id, l.number, l.account_key, l.account_id, l.deposit_key, l.deposit_line, l.deposit_minor, l.creditor_ids, l.holder, l.kind,
     l.amount_minor, l.currency, l.bank_date, l.value_date, l.payment_references, l.payer, l.payer_scheme, l.payer_account, l.message, l.named_payment_id, l.bank_ids, l.is_doubtful,
     f.name as file_name, f.format`
export const OF_LINES =
  'from bank_line l join bank_file f on f.instance_id = l.instance_id and f.id = l.file_id'

const waitingLine = statement(
  'bankFiles.waitingLine',
  `select ${LINES} ${OF_LINES} where l.instance_id = $1 and l.id = $2 and l.status = 'WAITING'`,
)

/** The line, if it still waits. Ask under lockBankFiles. */
export async function readWaitingLine(
  tx: Transaction,
  instanceId: string,
  id: string,
): Promise<LineRow | undefined> {
  return (await tx.rows<LineRow>(waitingLine, [instanceId, id]))[0]
}

const endLine = statement(
  'bankFiles.endLine',
  `update bank_line set status = $3, invoice_id = $4, claim_id = $5, payment_id = $6, reverses_id = $7
   where instance_id = $1 and id = $2 and status = $8 returning id`,
)

export type LineEnd =
  | { readonly status: 'BOOKED'; readonly debt: Debt; readonly paymentId?: string | undefined }
  | { readonly status: 'KNOWN'; readonly paymentId: string }
  | { readonly status: 'REVERSED'; readonly reversesId: string }
  | { readonly status: 'SUSPENSE' | 'SENT_BACK' | 'SETTLED' }

/** What became of a line that waited, or of one that lay in suspense. */
export async function endLineRow(
  tx: Transaction,
  line: LineRow,
  end: LineEnd,
  from: 'WAITING' | 'SUSPENSE' = 'WAITING',
): Promise<void> {
  const debt = end.status === 'BOOKED' ? end.debt : undefined
  const paymentId = end.status === 'KNOWN' || end.status === 'BOOKED' ? end.paymentId : undefined
  const rows = await tx.rows(endLine, [
    line.instance_id,
    line.id,
    end.status,
    debt && 'invoiceId' in debt ? debt.invoiceId : null,
    debt && 'claimId' in debt ? debt.claimId : null,
    paymentId ?? null,
    end.status === 'REVERSED' ? end.reversesId : null,
    from,
  ])
  if (rows.length !== 1) throw new Error(`bank line ${line.id} was not ${from}`)
}

const markReversed = statement(
  'bankFiles.markReversed',
  `update bank_line set status = 'REVERSED' where instance_id = $1 and id = $2 and status in ('BOOKED', 'SUSPENSE', 'KNOWN', 'SENT_BACK')
   returning id`,
)

export async function markReversedRow(tx: Transaction, instanceId: string, id: string): Promise<void> {
  const rows = await tx.rows(markReversed, [instanceId, id])
  if (rows.length !== 1) throw new Error(`bank line ${id} was not booked`)
}
