/** The SQL of files while they are being read, and of what a creditor has said of the names of their columns. */
import type { ImportColumn } from '@kvitt/domain/imports/import-column.ts'
import { statement, type Connection, type Transaction } from '../../platform/database/database.ts'
import type { ImportKey } from './office-imports.queries.ts'

const insertPart = statement(
  'imports.insertPart',
  'insert into import_part (instance_id, import_id, number, bytes) values ($1, $2, $3, $4)',
)
const part = statement(
  'imports.part',
  'select bytes from import_part where instance_id = $1 and import_id = $2 and number = $3',
)
const dropParts = statement(
  'imports.dropParts',
  'delete from import_part where instance_id = $1 and import_id = $2',
)

export async function insertPartRow(
  tx: Transaction,
  { instanceId, importId }: ImportKey,
  { number, bytes }: { readonly number: number; readonly bytes: Uint8Array },
): Promise<void> {
  await tx.rows(insertPart, [instanceId, importId, number, bytes])
}

/** The file, piece by piece. */
export async function* readParts(
  db: Connection,
  { instanceId, importId }: ImportKey,
): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const [row] = await db.rows<{ bytes: Buffer }>(part, [instanceId, importId, number])
    if (!row) return
    yield row.bytes
  }
}

export async function dropPartRows(tx: Connection, { instanceId, importId }: ImportKey): Promise<void> {
  await tx.rows(dropParts, [instanceId, importId])
}

const keptColumns = statement(
  'imports.keptColumns',
  'select name_key as name, import_column as column from import_column where instance_id = $1 and creditor_id = $2',
)
const keepColumns = statement(
  'imports.keepColumns',
  `insert into import_column (instance_id, creditor_id, name_key, import_column)
   select $1, $2, w.name, w.import_column from unnest($3::text[], $4::text[]) as w (name, import_column) order by w.name
   on conflict (instance_id, creditor_id, name_key) do update set import_column = excluded.import_column`,
)

type OfCreditor = { readonly instanceId: string; readonly creditorId: string }

/** What the creditor has said of the names of columns. */
export async function readKeptColumns(
  db: Connection,
  { instanceId, creditorId }: OfCreditor,
): Promise<Map<string, ImportColumn | null>> {
  const rows = await db.rows<{ name: string; column: ImportColumn | null }>(keptColumns, [
    instanceId,
    creditorId,
  ])
  return new Map(rows.map(({ name, column }) => [name, column]))
}

export async function keepColumnNames(
  tx: Transaction,
  { instanceId, creditorId }: OfCreditor,
  kept: ReadonlyMap<string, ImportColumn | null>,
): Promise<void> {
  if (kept.size > 0)
    await tx.rows(keepColumns, [instanceId, creditorId, [...kept.keys()], [...kept.values()]])
}
