/** Pages of a statement, put together as they come: in any order, and again. */
import { joinPages, type StatementPage } from '@kvitt/domain/bank-files/bank-file.ts'
import { keepTold } from '../../creditors/creditors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { keepBalances } from '../bank-statements.ts'
import { keepPageRow, readPageRows } from './statement-pages.queries.ts'

type Of = { readonly instanceId: string; readonly accountId: string }

/** The names of entries that the other pages of a statement have told of. */
export async function readOtherEntries(
  tx: Transaction,
  of: Of,
  { statement, number }: StatementPage,
): Promise<Set<string>> {
  const rows = await readPageRows(tx, { ...of, statement })
  return new Set(rows.filter((row) => row.number !== number).flatMap(({ entries }) => entries))
}

/**
 * Keeps a page with the names of its entries, in the place of what it was before. With the one that was missing, the statement
 * tells of its balances and days.
 */
export async function keepPage(
  tx: Transaction,
  of: Of & { readonly fileId: string; readonly clock: Clock },
  page: StatementPage & { readonly entries: readonly string[] },
): Promise<void> {
  await keepPageRow(tx, of, page)
  const rows = await readPageRows(tx, { ...of, statement: page.statement })
  const balances = joinPages(rows)
  if (!balances) return
  await keepBalances(tx, of, balances)
  await keepTold(tx, of, [rows.at(-1)?.told ?? {}])
}
