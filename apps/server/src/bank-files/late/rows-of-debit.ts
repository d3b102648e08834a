/** Which rows of a file a debit is of. */
import { readGoneOtherWay } from '../../payouts/payouts.ts'
import type { Connection } from '../../platform/database/database.ts'
import type { LineRow } from '../bank-files.queries.ts'
import { countAlike, lockUntold, type MoneyOutRow } from '../money-out.queries.ts'
import { readFilesOfDebit } from './files-of-debit.queries.ts'
import { namesLateOrder, readLateOfFile, readNamedLate, type LateOrder } from './late-orders.queries.ts'
import type { OutWork } from './take-up-order.ts'

type Reading = Pick<OutWork, 'tx' | 'instanceId'>

/** What a debit is of: it comes to its sum. */
export type RowsOfDebit = {
  /** Rows that no line has told of yet. */
  readonly outs: readonly MoneyOutRow[]
  /** Said to be not executed, and owed still: they are on their way again. */
  readonly late: readonly LateOrder[]
  /** Said to be not executed, and gone another way since: they were paid twice. */
  readonly twice: readonly LateOrder[]
}

const sumOf = (rows: readonly { readonly amount_minor: number }[]): number =>
  rows.reduce((minor, row) => minor + row.amount_minor, 0)

async function sorted(
  { tx, instanceId }: Reading,
  { outs, late }: { readonly outs: readonly MoneyOutRow[]; readonly late: readonly LateOrder[] },
  fileId: string,
): Promise<RowsOfDebit> {
  const gone = new Set(
    (await readGoneOtherWay(tx, instanceId, { id: null, fileIds: [fileId] })).map(({ id }) => id),
  )
  return {
    outs,
    late: late.filter(({ id }) => !gone.has(id)),
    twice: late.filter(({ id }) => gone.has(id)),
  }
}

/**
 * All rows that no line has told of, when it is their sum, alone or with those that were said to be not executed; else the one that has its
 * sum. Of several with its sum none, unless each has its debit: it may be any of them then. Undefined where it is none. Nothing is
 * written. Ask under lockBankFiles.
 */
export async function rowsOfDebit(
  work: Reading,
  line: LineRow,
  fileId: string,
): Promise<RowsOfDebit | undefined> {
  const { tx, instanceId } = work
  const outs = await lockUntold(tx, line, fileId)
  const { amount_minor: minor } = line
  const late = await readLateOfFile(tx, instanceId, fileId)
  const unsaid = late.filter((row) => row.amount_minor === minor)
  // All of them, or the one of as much that was said to be not executed: nobody knows.
  if (sumOf(outs) === minor && outs.length !== 1)
    return unsaid.length === 0 && outs.length > 0 ? { outs, late: [], twice: [] } : undefined
  if (late.length > 0 && sumOf(outs) + sumOf(late) === minor) return sorted(work, { outs, late }, fileId)
  const told = outs.filter((row) => row.amount_minor === minor)
  const others = told.length + unsaid.length - 1
  if (others < 0 || (others > 0 && (await countAlike(tx, line)) <= others)) return undefined
  const [first] = told
  if (first) return { outs: [first], late: [], twice: [] }
  return sorted(work, { outs: [], late: unsaid.slice(0, 1) }, fileId)
}

const rowOf = ({ id, amountMinor }: { readonly id: string; readonly amountMinor: number }): LateOrder => ({
  id,
  amount_minor: amountMinor,
})

/** The row that a debit names, where it was said to be not executed and has gone another way since. Ask under lockBankFiles. */
export async function namedTwice(
  { tx, instanceId }: Reading,
  line: LineRow,
): Promise<RowsOfDebit | undefined> {
  if (!(await namesLateOrder(tx, line))) return undefined
  const twice = await readGoneOtherWay(tx, instanceId, { id: line.named_payment_id, fileIds: [] })
  return twice.length === 0 ? undefined : { outs: [], late: [], twice: twice.map(rowOf) }
}

/** Whether that is so of a line. To act on it, ask namedTwice. */
export async function isNamedTwice(db: Connection, instanceId: string, lineId: string): Promise<boolean> {
  const id = await readNamedLate(db, instanceId, lineId)
  return id !== undefined && (await readGoneOtherWay(db, instanceId, { id, fileIds: [] })).length > 0
}

/** The files that a debit may be of, the newest first, with how many of those rows were paid twice then. */
export async function readFilesWithTwice(
  db: Connection,
  instanceId: string,
  of: Parameters<typeof readFilesOfDebit>[2],
) {
  const files = await readFilesOfDebit(db, instanceId, of)
  const fileIds = files.flatMap(({ id, isOfLate }) => (isOfLate ? [id] : []))
  const gone = fileIds.length === 0 ? [] : await readGoneOtherWay(db, instanceId, { id: null, fileIds })
  return files.map(({ isOfLate, ...file }) => {
    const rows = gone.filter(
      ({ fileId, amountMinor }) => fileId === file.id && (file.isWhole || amountMinor === of.amountMinor),
    )
    // Of several alike that were not executed a debit of one is of one.
    return { ...file, twice: isOfLate ? Math.min(rows.length, file.count) : 0 }
  })
}
