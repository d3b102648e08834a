/** The SQL of money in suspense, and of the debts that a person names for it. */
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection, type Transaction } from '../platform/database.ts'
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

export type NamedDebt = {
  readonly id: string
  readonly number: string
  /** Of an invoice, the claim that it is in. */
  readonly claim_id: string | null
  readonly creditor_id: string
  readonly creditor_name: string
  readonly currency: Currency
  readonly status: string
}

const uuidOf = `case when $2 ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then $2::uuid end`

const namedInvoices = statement(
  'suspense.namedInvoices',
  `select i.id, i.invoice_number as number, i.claim_id, i.creditor_id, c.name as creditor_name, i.currency, i.status
   from invoice i join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   where i.instance_id = $1 and i.type <> 'CREDIT_INVOICE'
     and (i.id = ${uuidOf} or i.invoice_number = $2 or i.payment_reference = $2 or i.original_reference = $2)
   order by i.id limit 6`,
)
const namedClaims = statement(
  'suspense.namedClaims',
  `select m.id, m.claim_number as number, null::uuid as claim_id, m.creditor_id, c.name as creditor_name, m.currency,
     m.status
   from claim m join creditor c on c.instance_id = m.instance_id and c.id = m.creditor_id
   where m.instance_id = $1 and (m.id = ${uuidOf} or m.claim_number = $2 or m.payment_reference = $2)
   order by m.id limit 6`,
)

/** The debts of the instance that carry this number, reference or identifier, six at most. */
export function findNamedDebts(
  tx: Transaction,
  instanceId: string,
  { kind, name }: { readonly kind: 'invoice' | 'claim'; readonly name: string },
): Promise<NamedDebt[]> {
  return tx.rows<NamedDebt>(kind === 'invoice' ? namedInvoices : namedClaims, [instanceId, name])
}
