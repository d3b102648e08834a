/** The SQL of money in suspense, and of the debts that a person names for it. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { tasksOf } from '../tasks/tasks.ts'
import { LINES, OF_LINES, type LineRow } from './bank-files.queries.ts'

const inSuspense = statement(
  'suspense.all',
  `select ${LINES}, l.account_key, n.name as instance_name, (select k.details ->> 'reason' from ${tasksOf(['bank_line'], 'all')} k
     where k.instance_id = l.instance_id and k.about = 'bank-line:' || l.id) as reason
   ${OF_LINES} join instance n on n.id = l.instance_id
   where l.status = 'SUSPENSE' and ($1::uuid is null or l.instance_id = $1) order by n.name, l.bank_date, l.id`,
)

export type SuspenseRow = LineRow & { readonly instance_name: string; readonly reason: string | null }

/** All that lies in suspense, of one instance or of every one (null), oldest first. */
export function readSuspenseRows(db: Connection, instanceId: string | null = null): Promise<SuspenseRow[]> {
  return db.rows<SuspenseRow>(inSuspense, [instanceId])
}

const placeOfLine = statement(
  'suspense.placeOfLine',
  `select l.instance_id, n.time_zone from bank_line l join instance n on n.id = l.instance_id where l.id = $1`,
)

export async function findPlaceOfLine(
  db: Connection,
  lineId: string,
): Promise<{ instance_id: string; time_zone: string } | undefined> {
  return (await db.rows<{ instance_id: string; time_zone: string }>(placeOfLine, [lineId]))[0]
}

const anyLine = statement(
  'suspense.line',
  `select ${LINES}, l.status, l.invoice_id, l.claim_id, l.payment_id, l.repeats_id ${OF_LINES} where l.instance_id = $1 and l.id = $2`,
)

export type EndedLineRow = LineRow & {
  readonly status:
    | 'WAITING'
    | 'BOOKED'
    | 'KNOWN'
    | 'SUSPENSE'
    | 'REVERSED'
    | 'SENT_BACK'
    | 'REPEATED'
    | 'SETTLED'
  readonly invoice_id: string | null
  readonly claim_id: string | null
  /** The gateway's payment whose money it is. */
  readonly payment_id: string | null
  /** The line that told of the same money. */
  readonly repeats_id: string | null
}

/** The line, whatever became of it. Ask under lockBankFiles. */
export async function readLine(tx: Transaction, instanceId: string, id: string): Promise<EndedLineRow> {
  const row = (await tx.rows<EndedLineRow>(anyLine, [instanceId, id]))[0]
  if (!row) throw new Error(`bank line ${id} does not exist`)
  return row
}
