/** The SQL of the pages of statements. */
import type { PageBalance, StatementPage } from '@kvitt/domain/bank-files/bank-file.ts'
import { statement, type Transaction } from '../../platform/database/database.ts'

/** `entries`: the names under which the entries of the page are kept. */
export type KeptPage = StatementPage & { readonly entries: readonly string[] }

const keep = statement(
  'statementPages.keep',
  `insert into statement_page (instance_id, account_id, statement, page, is_last, file_id, sum_minor, opening, closing, told, entries)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
   on conflict (instance_id, account_id, statement, page) do update set is_last = excluded.is_last, file_id = excluded.file_id,
     sum_minor = excluded.sum_minor, opening = excluded.opening, closing = excluded.closing, told = excluded.told,
     entries = excluded.entries`,
)

export async function keepPageRow(
  tx: Transaction,
  { instanceId, accountId, fileId }: { instanceId: string; accountId: string; fileId: string },
  { statement: of, number, isLast, sumMinor, opening, closing, told, entries }: KeptPage,
): Promise<void> {
  const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))
  await tx.rows(keep, [
    instanceId, accountId, of, number, isLast, fileId, sumMinor, json(opening), json(closing),
    json(told), entries,
  ]) // biome-ignore format: in the order of the columns
}

const read = statement(
  'statementPages.read',
  `select page, is_last, sum_minor::float8 as sum_minor, opening, closing, told, entries from statement_page
   where instance_id = $1 and account_id = $2 and statement = $3 order by page`,
)

/** The pages of a statement that are here, in their order. */
export async function readPageRows(
  tx: Transaction,
  of: { readonly instanceId: string; readonly accountId: string; readonly statement: string },
): Promise<KeptPage[]> {
  const rows = await tx.rows<{
    page: number
    is_last: boolean
    sum_minor: number
    opening: PageBalance | null
    closing: PageBalance | null
    told: StatementPage['told'] | null
    entries: string[]
  }>(read, [of.instanceId, of.accountId, of.statement])
  return rows.map((row) => ({
    statement: of.statement,
    number: row.page,
    isLast: row.is_last,
    sumMinor: row.sum_minor,
    opening: row.opening ?? undefined,
    closing: row.closing ?? undefined,
    told: row.told ?? undefined,
    entries: row.entries,
  }))
}
