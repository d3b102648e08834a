/** The SQL of imports. What a caller may see starts from OFFICE: what is the creditor's $2 at the instance $1. */
import type { ImportMapping } from '@kvitt/domain/imports/import-column.ts'
import {
  IMPORT_FORMATS,
  IMPORT_STATUSES,
  type ImportFormat,
  type ImportStatus,
} from '@kvitt/domain/imports/import-problem.ts'
import type { ColumnEvidence } from '@kvitt/domain/imports/read-cell.ts'
import { statement, type Connection, type Transaction } from '../../platform/database/database.ts'
import { asWritten, instantText, sqlJson, word } from '../../platform/database/sql-json.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape } from '../../staff/office-list.ts'
import type { AlreadySent } from '../import-run.ts'

export type ImportKey = { readonly instanceId: string; readonly importId: string }
export type ImportWork = 'READ' | 'JUDGE' | 'CONFIRM'

/** A column of a file: its name, and what its cells leave no doubt about. */
export type FileColumn = ColumnEvidence & { readonly name: string }
export type Confirmation = { readonly approve: boolean; readonly alreadySent: AlreadySent | null }
export type ImportRefused = { readonly why: string; readonly params: Readonly<Record<string, string>> }

/** An import as the database writes it; sums in minor units. */
export type OfficeImportJson = {
  readonly id: string
  readonly version: number
  readonly fileName: string
  readonly format: ImportFormat
  readonly status: ImportStatus
  readonly work: ImportWork | null
  readonly progress: number
  readonly refusal: ImportRefused | null
  readonly rows: number
  readonly ready: number
  readonly wrong: number
  readonly unchanged: number
  readonly invoices: number
  readonly made: number
  readonly creditNotes: number
  readonly credited: number
  readonly notApproved: number
  readonly sums: readonly {
    readonly currency: string
    readonly readyMinor: number
    readonly toMakeMinor: number
    readonly invoices: number
    /** Not of what was counted before credit notes had counts of their own. */
    readonly creditNotes?: number
    readonly toCreditMinor?: number
  }[]
  readonly columns: readonly FileColumn[]
  readonly mapping: ImportMapping
  readonly createdAt: string
  readonly createdBy: string | null
}

/** `p`: the person who made it. */
const OFFICE: OfficeListShape = {
  name: 'imports.office',
  from: (whose) => `import m
   left join person p on p.id = (select r[1]::uuid from regexp_match(m.made_by, '^person:([0-9a-f-]{36}):') r)
   left join api_key k on k.instance_id = m.instance_id
     and k.id = (select r[1]::uuid from regexp_match(m.made_by, '^key:([0-9a-f-]{36})$') r)
   where m.instance_id = $1 and ${whose('m.creditor_id')}`,
  json: sqlJson({
    id: word('m.id'),
    version: asWritten('m.version'),
    fileName: 'm.file_name',
    format: word('m.format'),
    status: word('m.status'),
    work: 'm.work',
    progress: asWritten('m.progress'),
    refusal: 'm.refusal',
    rows: asWritten('m.row_count'),
    ready: asWritten('m.ready_count'),
    wrong: asWritten('m.wrong_count'),
    unchanged: asWritten('m.unchanged_count'),
    invoices: asWritten('m.invoice_count'),
    made: asWritten('m.made_count'),
    creditNotes: asWritten('m.credit_count'),
    credited: asWritten('m.applied_count'),
    notApproved: asWritten('m.not_approved_count'),
    sums: 'm.sums',
    columns: 'm.columns',
    mapping: 'm.mapping',
    createdAt: instantText('m.created_at'),
    createdBy: 'coalesce(p.name, k.name)',
  }),
  targets: { name: 'm.file_name' },
  filters: {
    id: { kind: 'id', sql: 'm.id::text' },
    status: { kind: 'choice', values: IMPORT_STATUSES, sql: 'm.status' },
    format: { kind: 'choice', values: IMPORT_FORMATS, sql: 'm.format' },
    createdAt: { kind: 'day', sql: 'm.created_at::date' },
  },
  orders: { id: 'm.created_at', createdAt: 'm.created_at', fileName: 'm.file_name' },
  tie: 'm.id',
}

export const searchImportRows = openOfficeList(OFFICE)
export const readOfficeImport = openOfficeRow(OFFICE)

export type NewImport = ImportKey & {
  readonly creditorId: string
  readonly fileName: string
  readonly fileHash: Buffer
  readonly byteCount: number
  readonly format: ImportFormat
  readonly madeBy: string
}

const insert = statement(
  'imports.insertImport',
  `insert into import (instance_id, id, creditor_id, file_name, file_hash, byte_count, format, status, work, made_by)
   values ($1, $2, $3, $4, $5, $6, $7, 'CHECKING', 'READ', $8)
   on conflict (instance_id, creditor_id, file_hash) where status in ('CHECKING', 'READY') do nothing returning id`,
)
const waiting = statement(
  'imports.waitingImport',
  `select id from import where instance_id = $1 and creditor_id = $2 and file_hash = $3 and status in ('CHECKING', 'READY')`,
)

/** False when the same file waits already. */
export async function insertImportRow(tx: Transaction, one: NewImport): Promise<boolean> {
  const { instanceId, importId, creditorId, fileName, fileHash, byteCount, format, madeBy } = one
  const values = [instanceId, importId, creditorId, fileName, fileHash, byteCount, format, madeBy]
  return (await tx.rows(insert, values)).length > 0
}

export async function readWaitingImport(
  db: Connection,
  { instanceId, creditorId, fileHash }: Pick<NewImport, 'instanceId' | 'creditorId' | 'fileHash'>,
): Promise<string | undefined> {
  return (await db.rows<{ id: string }>(waiting, [instanceId, creditorId, fileHash]))[0]?.id
}

/** An import under its lock. */
export type LockedImport = {
  readonly instance_id: string
  readonly id: string
  readonly creditor_id: string
  readonly byte_count: number
  readonly format: ImportFormat
  readonly status: ImportStatus
  readonly work: ImportWork | null
  readonly columns: readonly FileColumn[]
  readonly mapping: ImportMapping
  readonly row_count: number
  readonly ready_count: number
  readonly wrong_count: number
  readonly invoice_count: number
  readonly made_count: number
  readonly credit_count: number
  readonly applied_count: number
  readonly confirmation: Confirmation | null
  readonly made_by: string
  readonly version: number
}

const LOCKED = `instance_id, id, creditor_id, byte_count, format, status, work, columns, mapping, row_count, ready_count,
  wrong_count, invoice_count, made_count, credit_count, applied_count, confirmation, made_by, version`

const lock = statement(
  'imports.lock',
  `select ${LOCKED} from import where instance_id = $1 and id = $2 for no key update`,
)
const look = statement('imports.look', `select ${LOCKED} from import where instance_id = $1 and id = $2`)

/** Everything that changes an import holds it: who confirms, who undoes and who mends wait for each other. */
export async function lockImport(
  tx: Transaction,
  { instanceId, importId }: ImportKey,
): Promise<LockedImport | undefined> {
  return (await tx.rows<LockedImport>(lock, [instanceId, importId]))[0]
}

export async function readImport(
  db: Connection,
  { instanceId, importId }: ImportKey,
): Promise<LockedImport | undefined> {
  return (await db.rows<LockedImport>(look, [instanceId, importId]))[0]
}

const worked = statement(
  'imports.worked',
  `select instance_id as "instanceId", id as "importId", creditor_id as "creditorId" from import
   where work is not null order by created_at limit 200`,
)
const workedOf = statement(
  'imports.workedOf',
  `select instance_id as "instanceId", id as "importId" from import
   where instance_id = $1 and creditor_id = $2 and work is not null order by attempts, created_at limit 1`,
)

const attempt = statement(
  'imports.attempt',
  'update import set attempts = least(attempts + 1, 1000) where instance_id = $1 and id = $2 returning attempts',
)

/** Work is about to begin: answers the how-manieth time. */
export async function countAttempt(db: Connection, { instanceId, importId }: ImportKey): Promise<number> {
  return (await db.rows<{ attempts: number }>(attempt, [instanceId, importId]))[0]?.attempts ?? 1
}

const takeBack = statement(
  'imports.takeBack',
  'update import set attempts = greatest(attempts - 1, 0) where instance_id = $1 and id = $2',
)

/** It was not the file that broke the work off. */
export async function takeBackAttempt(db: Connection, { instanceId, importId }: ImportKey): Promise<void> {
  await db.rows(takeBack, [instanceId, importId])
}

/** Imports with something still to be done, of all instances, the oldest first. */
export function readWorked(db: Connection): Promise<(ImportKey & { creditorId: string })[]> {
  return db.rows(worked)
}

/** The one that has failed least comes first: one that cannot be worked on stands in nobody's way. */
export async function readNextWork(
  db: Connection,
  { instanceId, creditorId }: { readonly instanceId: string; readonly creditorId: string },
): Promise<ImportKey | undefined> {
  return (await db.rows<ImportKey>(workedOf, [instanceId, creditorId]))[0]
}

const setColumns = statement(
  'imports.setColumns',
  'update import set columns = $3, mapping = $4 where instance_id = $1 and id = $2',
)
const setStatus = statement(
  'imports.setStatus',
  `update import set status = $3, work = $4, progress = 0, attempts = 0, confirmation = coalesce($5, confirmation), version = version + 1
   where instance_id = $1 and id = $2`,
)
const setProgress = statement(
  'imports.setProgress',
  'update import set progress = $3 where instance_id = $1 and id = $2 and progress <> $3',
)
const notApproved = statement(
  'imports.addNotApproved',
  'update import set not_approved_count = not_approved_count + $3 where instance_id = $1 and id = $2',
)
const refuse = statement(
  'imports.refuse',
  `update import set status = 'REFUSED', work = null, refusal = $3, version = version + 1 where instance_id = $1 and id = $2`,
)
const drop = statement(
  'imports.dropRefused',
  `delete from import where instance_id = $1 and id = $2 and status = 'REFUSED'`,
)

export async function setColumnsOf(
  tx: Connection,
  { instanceId, importId }: ImportKey,
  said: { readonly columns: readonly FileColumn[]; readonly mapping: ImportMapping },
): Promise<void> {
  await tx.rows(setColumns, [
    instanceId,
    importId,
    JSON.stringify(said.columns),
    JSON.stringify(said.mapping),
  ])
}

export async function setStatusOf(
  tx: Connection,
  { instanceId, importId }: ImportKey,
  to: {
    readonly status: ImportStatus
    readonly work: ImportWork | null
    readonly confirmation?: Confirmation
  },
): Promise<void> {
  const confirmation = to.confirmation ? JSON.stringify(to.confirmation) : null
  await tx.rows(setStatus, [instanceId, importId, to.status, to.work, confirmation])
}

export async function setProgressOf(
  tx: Connection,
  { instanceId, importId }: ImportKey,
  percent: number,
): Promise<void> {
  await tx.rows(setProgress, [instanceId, importId, Math.min(99, Math.max(0, Math.floor(percent)))])
}

export async function addNotApproved(
  tx: Transaction,
  { instanceId, importId }: ImportKey,
  count: number,
): Promise<void> {
  await tx.rows(notApproved, [instanceId, importId, count])
}

export async function refuseImport(
  tx: Connection,
  { instanceId, importId }: ImportKey,
  refused: ImportRefused,
): Promise<void> {
  await tx.rows(refuse, [instanceId, importId, JSON.stringify(refused)])
}

export async function dropRefusedImport(db: Connection, { instanceId, importId }: ImportKey): Promise<void> {
  await db.rows(drop, [instanceId, importId])
}
