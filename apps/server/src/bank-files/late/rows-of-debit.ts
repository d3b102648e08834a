/** Which rows of a file a debit without a name is of. */
import type { LineRow } from '../bank-files.queries.ts'
import { countAlike, lockUntold, type MoneyOutRow } from '../money-out.queries.ts'
import { readLateOfFile } from './late-orders.queries.ts'
import { takeUpOrder, type OutWork } from './take-up-order.ts'

const sumOf = (rows: readonly { readonly amount_minor: number }[]): number =>
  rows.reduce((minor, row) => minor + row.amount_minor, 0)

/**
 * All rows that no line has told of, when it is their sum, alone or with those that were said to be not executed; else the one that has its
 * sum. Of several with its sum none, unless each has its debit: it may be any of them then. What was said to be not executed and is in
 * it is on its way again; where nothing is answered, whoever asks refuses the act whole. Ask under lockBankFiles.
 */
export async function rowsOfDebit(
  work: OutWork,
  line: LineRow,
  fileId: string,
): Promise<readonly MoneyOutRow[]> {
  const { tx, instanceId } = work
  const outs = await lockUntold(tx, line, fileId)
  const { amount_minor: minor } = line
  const late = await readLateOfFile(tx, instanceId, fileId)
  const unsaid = late.filter((row) => row.amount_minor === minor)
  // All of them, or the one of as much that was said to be not executed: nobody knows.
  if (sumOf(outs) === minor && outs.length !== 1) return unsaid.length === 0 ? outs : []
  if (late.length > 0 && sumOf(outs) + sumOf(late) === minor) {
    for (const { id } of late) if (!(await takeUpOrder(work, id))) return []
    return lockUntold(tx, line, fileId)
  }
  const told = outs.filter((row) => row.amount_minor === minor)
  const others = told.length + unsaid.length - 1
  if (others < 0 || (others > 0 && (await countAlike(tx, line)) <= others)) return []
  const [first] = told
  if (first) return [first]
  const [{ id } = { id: '' }] = unsaid
  if (!(await takeUpOrder(work, id))) return []
  return (await lockUntold(tx, line, fileId)).filter(({ order_id: orderId }) => orderId === id)
}
