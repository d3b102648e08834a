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
  /** The other way of one of those is under way still: nobody knows yet which of the two has paid. */
  readonly isUnderWay: boolean
}

const sumOf = (rows: readonly { readonly amount_minor: number }[]): number =>
  rows.reduce((minor, row) => minor + row.amount_minor, 0)

const ofUntold = (outs: readonly MoneyOutRow[]): RowsOfDebit => ({
  outs,
  late: [],
  twice: [],
  isUnderWay: false,
})

async function sorted(
  { tx, instanceId }: Reading,
  { outs, late }: { readonly outs: readonly MoneyOutRow[]; readonly late: readonly LateOrder[] },
  fileId: string,
): Promise<RowsOfDebit> {
  const gone = new Map(
    (await readGoneOtherWay(tx, instanceId, { id: null, fileIds: [fileId] })).map((row) => [row.id, row]),
  )
  const twice = late.filter(({ id }) => gone.has(id))
  return {
    outs,
    late: late.filter(({ id }) => !gone.has(id)),
    twice,
    isUnderWay: twice.some(({ id }) => gone.get(id)?.isUnderWay),
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
    return unsaid.length === 0 && outs.length > 0 ? ofUntold(outs) : undefined
  if (late.length > 0 && sumOf(outs) + sumOf(late) === minor) return sorted(work, { outs, late }, fileId)
  const told = outs.filter((row) => row.amount_minor === minor)
  const others = told.length + unsaid.length - 1
  if (others < 0 || (others > 0 && (await countAlike(tx, line)) <= others)) return undefined
  const [first] = told
  if (first) return ofUntold([first])
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
  if (twice.length === 0) return undefined
  return { outs: [], late: [], twice: twice.map(rowOf), isUnderWay: twice.some((row) => row.isUnderWay) }
}

/** Whether that is so of a line, and whether the other way is under way still. To act on it, ask namedTwice. */
export async function readNamedTwice(
  db: Connection,
  instanceId: string,
  lineId: string,
): Promise<{ readonly isTwice: boolean; readonly isUnderWay: boolean }> {
  const id = await readNamedLate(db, instanceId, lineId)
  const rows = id === undefined ? [] : await readGoneOtherWay(db, instanceId, { id, fileIds: [] })
  return { isTwice: rows.length > 0, isUnderWay: rows.some((row) => row.isUnderWay) }
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
  return Promise.all(
    files.map(async ({ isOfLate, ...file }) => {
      const ofFile = isOfLate ? gone.filter(({ fileId }) => fileId === file.id) : []
      // A debit of one row is of the first of those with its sum, as rowsOfDebit has it.
      const late = file.isWhole || ofFile.length === 0 ? [] : await readLateOfFile(db, instanceId, file.id)
      const one = late.find(({ amount_minor: minor }) => minor === of.amountMinor)
      const rows = file.isWhole ? ofFile : ofFile.filter(({ id }) => id === one?.id)
      return { ...file, twice: rows.length, isUnderWay: rows.some((row) => row.isUnderWay) }
    }),
  )
}
