/** The SQL of the rows of imports. What many rows need travels as arrays. */
import type { ImportColumn } from '@kvitt/domain/imports/import-column.ts'
import type { ImportProblem, ImportRowState } from '@kvitt/domain/imports/import-problem.ts'
import { statement, type Connection, type Transaction } from '../../platform/database/database.ts'
import type { ImportKey } from './office-imports.queries.ts'

/** A text as it stands in the file, or a number of a workbook. */
export type Cell = string | number
export type Edits = Readonly<Partial<Record<ImportColumn, string>>>

export type ImportRow = {
  readonly number: number
  readonly invoice_number: string
  readonly cells: readonly Cell[]
  readonly edits: Edits | null
  readonly document: Buffer | null
  readonly state: ImportRowState | null
  readonly problems: readonly ImportProblem[] | null
  readonly total_minor: number | null
  readonly currency: string | null
  readonly invoice_id: string | null
  readonly version: number
  /** Its invoice is of a person with a protected identity; only lists ask. */
  readonly is_protected?: boolean
}

const COLUMNS = `number, invoice_number, cells, edits, document, state, problems, total_minor, currency, invoice_id, version`

export type NewImportRow = {
  readonly number: number
  readonly invoiceNumber: string
  readonly cells: readonly Cell[]
  readonly document: Uint8Array | null
}

const insert = statement(
  'imports.insertRows',
  `insert into import_row (instance_id, import_id, number, invoice_number, cells, document)
   select $1, $2, r.* from unnest($3::int[], $4::text[], $5::jsonb[], $6::bytea[]) as r`,
)
const dropAll = statement(
  'imports.dropRows',
  'delete from import_row where instance_id = $1 and import_id = $2',
)

export async function insertRows(
  tx: Transaction,
  { instanceId, importId }: ImportKey,
  rows: readonly NewImportRow[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.rows(insert, [
    instanceId,
    importId,
    rows.map((row) => row.number),
    rows.map((row) => row.invoiceNumber),
    rows.map((row) => JSON.stringify(row.cells)),
    rows.map((row) => row.document),
  ])
}

export async function dropRows(tx: Connection, { instanceId, importId }: ImportKey): Promise<void> {
  await tx.rows(dropAll, [instanceId, importId])
}

const regroup = statement(
  'imports.regroup',
  `update import_row set state = null, problems = null, total_minor = null, currency = null,
     invoice_number = left(trim(coalesce(edits ->> 'invoice_number', cells ->> $3::int, '')), 200)
   where instance_id = $1 and import_id = $2 and number > $4 and number <= $4 + 5000 and invoice_id is null`,
)
const bounds = statement(
  'imports.rowBounds',
  'select coalesce(max(number), 0) as last from import_row where instance_id = $1 and import_id = $2',
)

/** Under another column for the number of the invoice: which rows are one invoice is asked anew. In batches. */
export async function regroupRows(
  tx: Transaction,
  { instanceId, importId }: ImportKey,
  column: number | undefined,
): Promise<void> {
  const [found] = await tx.rows<{ last: number }>(bounds, [instanceId, importId])
  for (let from = 0; from < (found?.last ?? 0); from += 5000) {
    await tx.rows(regroup, [instanceId, importId, column ?? null, from])
  }
}

/** Where a walk over the rows by invoice stands. */
export type RowPlace = { readonly invoiceNumber: string; readonly number: number }
export const BEFORE_ALL: RowPlace = { invoiceNumber: '', number: -1 }

const WALK = `where instance_id = $1 and import_id = $2 and invoice_id is null and (invoice_number, number) > ($3, $4)`
const walk = statement(
  'imports.walk',
  `select ${COLUMNS} from import_row ${WALK} order by invoice_number, number limit $5`,
)
const walkReady = statement(
  'imports.walkReady',
  `select ${COLUMNS} from import_row ${WALK} and (state = 'READY' or ($6 and state = 'WRONG'))
   order by invoice_number, number limit $5`,
)

type Walk = { readonly after: RowPlace; readonly limit: number }

/** Rows of which no invoice is made, those of one invoice after each other. */
export function readRowsByInvoice(
  db: Connection,
  { instanceId, importId }: ImportKey,
  { after, limit }: Walk,
): Promise<ImportRow[]> {
  return db.rows(walk, [instanceId, importId, after.invoiceNumber, after.number, limit])
}

/** The same of those that are ready, and with `withWrong` of those that are wrong. */
export function readReadyRows(
  db: Connection,
  { instanceId, importId }: ImportKey,
  { after, limit, withWrong }: Walk & { readonly withWrong: boolean },
): Promise<ImportRow[]> {
  return db.rows(walkReady, [instanceId, importId, after.invoiceNumber, after.number, limit, withWrong])
}

export type JudgedRow = {
  readonly number: number
  readonly state: ImportRowState
  readonly problems: readonly ImportProblem[]
  readonly totalMinor: number | null
  readonly currency: string | null
  readonly invoiceId?: string | null
}

const judge = statement(
  'imports.judge',
  `update import_row r set state = j.state, problems = j.problems, total_minor = j.total_minor, currency = j.currency,
     invoice_id = coalesce(r.invoice_id, j.invoice_id)
   from unnest($3::int[], $4::text[], $5::jsonb[], $6::bigint[], $7::text[], $8::uuid[])
     as j (number, state, problems, total_minor, currency, invoice_id)
   where r.instance_id = $1 and r.import_id = $2 and r.number = j.number`,
)

export async function judgeRows(
  tx: Connection,
  { instanceId, importId }: ImportKey,
  rows: readonly JudgedRow[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.rows(judge, [
    instanceId,
    importId,
    rows.map((row) => row.number),
    rows.map((row) => row.state),
    rows.map((row) => (row.problems.length === 0 ? null : JSON.stringify(row.problems))),
    rows.map((row) => row.totalMinor),
    rows.map((row) => row.currency),
    rows.map((row) => row.invoiceId ?? null),
  ])
}

const count = statement(
  'imports.count',
  `with r as (select * from import_row where instance_id = $1 and import_id = $2),
   by_currency as (
     select currency, coalesce(sum(total_minor) filter (where total_minor >= 0), 0) as ready,
       coalesce(sum(total_minor) filter (where total_minor >= 0 and invoice_id is null), 0) as to_make,
       count(*) filter (where total_minor >= 0) as invoices, count(*) filter (where total_minor < 0) as credit_notes,
       coalesce(-sum(total_minor) filter (where total_minor < 0 and invoice_id is null), 0) as to_credit
     from r where state = 'READY' and total_minor is not null group by currency)
   update import m set row_count = c.rows, ready_count = c.ready, wrong_count = c.wrong, unchanged_count = c.unchanged,
     invoice_count = c.invoices, made_count = c.made, credit_count = c.credits, applied_count = c.applied,
     sums = (select coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'readyMinor', ready, 'toMakeMinor', to_make,
       'invoices', invoices, 'creditNotes', credit_notes, 'toCreditMinor', to_credit) order by currency), '[]') from by_currency)
   from (select count(*) as rows, count(*) filter (where state = 'READY') as ready,
       count(*) filter (where state = 'WRONG') as wrong, count(*) filter (where state = 'UNCHANGED') as unchanged,
       count(*) filter (where state = 'READY' and total_minor >= 0) as invoices,
       count(*) filter (where invoice_id is not null and total_minor >= 0) as made,
       count(*) filter (where state = 'READY' and total_minor < 0) as credits,
       count(*) filter (where invoice_id is not null and total_minor < 0) as applied from r) c
   where m.instance_id = $1 and m.id = $2
   returning m.wrong_count as wrong, m.row_count as rows`,
)

/** Counts the rows anew, and answers how many there are and how many are wrong. */
export async function countRows(
  tx: Connection,
  { instanceId, importId }: ImportKey,
): Promise<{ readonly rows: number; readonly wrong: number }> {
  const [counted] = await tx.rows<{ rows: number; wrong: number }>(count, [instanceId, importId])
  return counted ?? { rows: 0, wrong: 0 }
}

const FILTER = `where instance_id = $1 and import_id = $2 and ($3::text[] is null or state = any($3))`
const list = statement(
  'imports.rows',
  `select ${COLUMNS}, exists (select from invoice i join protected_debtor h on h.instance_id = i.instance_id and h.debtor_id = i.debtor_id
     where i.instance_id = $1 and i.id = import_row.invoice_id) as is_protected
   from import_row ${FILTER} order by number limit $4 offset $5`,
)
const total = statement('imports.rowsTotal', `select count(*)::int as total from import_row ${FILTER}`)

type Part = {
  readonly states: readonly string[] | null
  readonly limit: number
  readonly offset: number
}

export async function readRows(
  db: Connection,
  { instanceId, importId }: ImportKey,
  { states, limit, offset }: Part,
): Promise<{ readonly rows: ImportRow[]; readonly total: number }> {
  const [rows, totals] = await Promise.all([
    db.rows<ImportRow>(list, [instanceId, importId, states, limit, offset]),
    db.rows<{ total: number }>(total, [instanceId, importId, states]),
  ])
  return { rows, total: totals[0]?.total ?? 0 }
}

const one = statement(
  'imports.row',
  `select ${COLUMNS} from import_row where instance_id = $1 and import_id = $2 and number = $3`,
)
const ofInvoice = statement(
  'imports.rowsOfInvoice',
  `select ${COLUMNS} from import_row where instance_id = $1 and import_id = $2 and invoice_number = $3 and invoice_id is null
   order by number limit 501`,
)
const edit = statement(
  'imports.editRow',
  `update import_row set edits = $4, invoice_number = $5, version = version + 1
   where instance_id = $1 and import_id = $2 and number = $3`,
)
const dropOne = statement(
  'imports.dropRow',
  'delete from import_row where instance_id = $1 and import_id = $2 and number = $3',
)

export async function readRow(
  db: Connection,
  { instanceId, importId }: ImportKey,
  number: number,
): Promise<ImportRow | undefined> {
  return (await db.rows<ImportRow>(one, [instanceId, importId, number]))[0]
}

/** The rows of one invoice, at most one more than an invoice may have. */
export function readRowsOfInvoice(
  db: Connection,
  { instanceId, importId }: ImportKey,
  invoiceNumber: string,
): Promise<ImportRow[]> {
  return db.rows(ofInvoice, [instanceId, importId, invoiceNumber])
}

export async function editRow(
  tx: Transaction,
  { instanceId, importId }: ImportKey,
  row: { readonly number: number; readonly edits: Edits; readonly invoiceNumber: string },
): Promise<void> {
  await tx.rows(edit, [instanceId, importId, row.number, JSON.stringify(row.edits), row.invoiceNumber])
}

export async function dropRow(
  tx: Transaction,
  { instanceId, importId }: ImportKey,
  number: number,
): Promise<void> {
  await tx.rows(dropOne, [instanceId, importId, number])
}

const made = statement(
  'imports.made',
  `select distinct invoice_id as id from import_row where instance_id = $1 and import_id = $2 and invoice_id is not null
   order by 1`,
)
const lockMade = statement(
  'imports.lockMade',
  `select i.id, i.status from invoice i
   where i.instance_id = $1 and i.id = any($2) order by i.id for no key update of i`,
)
const takeBack = statement(
  'imports.takeBack',
  `with gone as (
     update invoice set status = 'ARCHIVED', is_undone = true
     where instance_id = $1 and id = any($2) and status = any($3) and not is_undone returning id)
   update collection_step s set status = 'CANCELLED' from gone
   where s.instance_id = $1 and s.debt_id = gone.id and s.status = 'PLANNED'`,
)

/** What it has made, in the order of identifiers: one look at all rows, which no index has by invoice. */
export async function readMadeInvoices(
  tx: Transaction,
  { instanceId, importId }: ImportKey,
): Promise<string[]> {
  return (await tx.rows<{ id: string }>(made, [instanceId, importId])).map(({ id }) => id)
}

/** Invoices by their identifiers, locked in that order. */
export function lockMadeInvoices(
  tx: Transaction,
  instanceId: string,
  ids: readonly string[],
): Promise<{ id: string; status: string }[]> {
  return tx.rows(lockMade, [instanceId, ids])
}

/** M-03, of many: what nobody has seen is withdrawn, and its numbers are free again, also of what was withdrawn before. */
export async function takeBackInvoices(
  tx: Transaction,
  instanceId: string,
  { ids, from }: { readonly ids: readonly string[]; readonly from: readonly string[] },
): Promise<void> {
  await tx.rows(takeBack, [instanceId, ids, from])
}
