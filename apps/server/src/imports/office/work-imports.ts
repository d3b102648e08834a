/**
 * What goes on with imports after they were answered: reading, judging, making invoices. One process at a time works for a
 * creditor; what a process leaves undone when it ends, another goes on with.
 */
import { addEvidence, NO_EVIDENCE } from '@kvitt/domain/imports/read-cell.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { proposeMapping } from '@kvitt/domain/imports/import-column.ts'
import type { Context } from '../../context.ts'
import { openBreather } from '../../platform/breathe.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { isDatabaseLost } from '../../platform/database/database-away.ts'
import { withLease } from '../../platform/lease.ts'
import { confirmRows } from './confirm-rows.ts'
import { keepTaskOf } from './import-task.ts'
import {
  BEFORE_ALL,
  countRows,
  dropRows,
  insertRows,
  readRowsByInvoice,
  regroupRows,
  type NewImportRow,
  type RowPlace,
} from './import-rows.queries.ts'
import { judgeAndKeep, openJudging, wholeInvoices } from './judge-rows.ts'
import { dropPartRows, readKeptColumns, readParts } from './import-files.queries.ts'
import {
  countAttempt,
  lockImport,
  readImport,
  readNextWork,
  readWorked,
  refuseImport,
  setColumnsOf,
  setProgressOf,
  setStatusOf,
  takeBackAttempt,
  type FileColumn,
  type ImportKey,
  type LockedImport,
} from './office-imports.queries.ts'
import { readImportFile } from './read-import-file.ts'
import { unreadable } from './recognise-file.ts'

export type ImportWorkContext = Pick<Context, 'db' | 'clock' | 'config' | 'log'>

/** The lease is about a creditor and not about a day. */
const NO_DAY = '2000-01-01'
const BATCH_ROWS = 2_000
/** Of archives, whose rows are whole documents. */
const BATCH_BYTES = 4 * 1024 * 1024
/** Times that a check may be broken off, by whatever: then it is the file. */
const MOST_ATTEMPTS = 3
/** How far a check is once all is read, in percent. */
const READ_PERCENT = 50

type Creditor = { readonly instanceId: string; readonly creditorId: string; readonly timeZone: string }

/** Does all that is to be done for one creditor's imports, unless another process is at it. */
export async function workFor(
  context: ImportWorkContext,
  { instanceId, creditorId, timeZone }: Creditor,
): Promise<void> {
  await withLease(context.db, { instanceId, work: `import:${creditorId}`, day: NO_DAY }, async (db) => {
    for (;;) {
      const key = await readNextWork(db, { instanceId, creditorId })
      if (!key) return
      try {
        await workOn({ ...context, db }, key, timeZone)
      } catch (error) {
        // A lost connection is not the file's fault; what it did to the lease or the database's memory may be.
        if (isDatabaseLost(error)) await takeBackAttempt(context.db, key).catch(() => {})
        throw error
      }
    }
  })
}

/** Goes on with everything that was left undone. */
export async function workImports(
  context: ImportWorkContext,
  instances: readonly { readonly id: string; readonly timeZone: string }[],
): Promise<void> {
  const zones = new Map(instances.map(({ id, timeZone }) => [id, timeZone]))
  const seen = new Set<string>()
  for (const { instanceId, creditorId } of await readWorked(context.db)) {
    const timeZone = zones.get(instanceId)
    if (timeZone === undefined || seen.has(creditorId)) continue
    seen.add(creditorId)
    try {
      await workFor(context, { instanceId, creditorId, timeZone })
    } catch (error) {
      context.log.error({ err: error, creditorId }, 'import not done yet')
    }
  }
}

async function workOn(context: ImportWorkContext, key: ImportKey, timeZone: string): Promise<void> {
  const one = await readImport(context.db, key)
  const today = context.clock.today(timeZone)
  const attempt = await countAttempt(context.db, key)
  try {
    // What was confirmed goes on for ever: it is no file any more but invoices, some of them made.
    if (attempt > MOST_ATTEMPTS && one?.work !== 'CONFIRM') throw unreadable('broken')
    if (one?.work === 'READ') await readAll(context, one)
    if (one?.work === 'CONFIRM') await confirmRows(context, one, today)
    else if (one?.work) await judgeAll(context, key, today)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await context.db.transaction(async (tx) => {
      const { why = '', ...params } = error.params
      if ((await lockImport(tx, key))?.status !== 'CHECKING') return
      await refuseImport(tx, key, { why, params })
      await dropPartRows(tx, key)
      await dropRows(tx, key)
    })
  }
}

const keyOf = ({ instance_id: instanceId, id: importId }: LockedImport): ImportKey => ({
  instanceId,
  importId,
})

/** Under the import's lock, while it is still being checked; false when somebody has let go of it. */
async function whileChecking(
  db: Database,
  key: ImportKey,
  work: (tx: Transaction, one: LockedImport) => Promise<void>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const one = await lockImport(tx, key)
    if (one?.status !== 'CHECKING') return false
    await work(tx, one)
    return true
  })
}

/** Keeps the rows of the file. One that was broken off begins anew. */
async function readAll({ db }: ImportWorkContext, one: LockedImport): Promise<void> {
  const key = keyOf(one)
  if (!(await whileChecking(db, key, (tx) => dropRows(tx, key)))) return
  let bytes = 0
  const file = await readImportFile(one.format, async function* () {
    bytes = 0
    for await (const part of readParts(db, key)) {
      bytes += part.length
      yield part
    }
  })
  const columns: FileColumn[] =
    file.kind === 'table' ? file.names.map((name) => ({ name, ...NO_EVIDENCE })) : []
  const names = columns.map(({ name }) => name)
  const kept = await readKeptColumns(db, { instanceId: key.instanceId, creditorId: one.creditor_id })
  const mapping = file.kind === 'table' ? proposeMapping(names, kept) : {}
  const at = mapping.invoice_number
  const breathe = openBreather()
  let batch: NewImportRow[] = []
  let size = 0
  const write = async (): Promise<boolean> => {
    const rows = batch
    batch = []
    size = 0
    return whileChecking(db, key, async (tx) => {
      await insertRows(tx, key, rows)
      await setProgressOf(tx, key, (READ_PERCENT * bytes) / Math.max(1, one.byte_count))
    })
  }
  for await (const row of file.rows) {
    if ('document' in row) {
      batch.push(row)
      size += row.document?.length ?? 0
    } else {
      row.cells.forEach((cell, index) => {
        const column = columns[index]
        if (column && typeof cell === 'string' && cell !== '')
          columns[index] = { ...addEvidence(column, cell), name: column.name }
      })
      const number =
        at === undefined
          ? ''
          : String(row.cells[at] ?? '')
              .trim()
              .slice(0, 200)
      batch.push({ number: row.number, invoiceNumber: number, cells: row.cells, document: null })
    }
    if ((batch.length >= BATCH_ROWS || size >= BATCH_BYTES) && !(await write())) return
    await breathe()
  }
  if (!(await write())) return
  await whileChecking(db, key, async (tx) => {
    await setColumnsOf(tx, key, { columns, mapping })
    await dropPartRows(tx, key)
    await setStatusOf(tx, key, { status: 'CHECKING', work: 'JUDGE' })
  })
}

/** Judges all rows, those of one invoice together. What was judged before is judged again. */
async function judgeAll(
  context: ImportWorkContext,
  key: ImportKey,
  today: ReturnType<Context['clock']['today']>,
): Promise<void> {
  const { db } = context
  const breathe = openBreather()
  const isGoing = await whileChecking(db, key, async (tx, one) => {
    if (one.format === 'CSV' || one.format === 'XLSX') await regroupRows(tx, key, one.mapping.invoice_number)
  })
  if (!isGoing) return
  let after: RowPlace = BEFORE_ALL
  let done = 0
  for (;;) {
    const rows = await readRowsByInvoice(db, key, { after, limit: BATCH_ROWS })
    if (rows.length === 0) break
    const whole = wholeInvoices(rows, BATCH_ROWS)
    const from = after
    const going = await whileChecking(db, key, async (tx, one) => {
      const judging = await openJudging(tx, one, { today, alreadySent: null })
      const continued = from.invoiceNumber
      await judgeAndKeep(tx, key, { rows: whole, creditorId: one.creditor_id, judging, continued })
      await setProgressOf(
        tx,
        key,
        READ_PERCENT + ((100 - READ_PERCENT) * done) / Math.max(done + rows.length, one.row_count),
      )
    })
    if (!going) return
    const last = whole.at(-1)
    if (last) after = { invoiceNumber: last.invoice_number, number: last.number }
    done += whole.length
    await breathe()
  }
  await whileChecking(db, key, async (tx, one) => {
    const counted = await countRows(tx, key)
    await setStatusOf(tx, key, { status: 'READY', work: null })
    await keepTaskOf(tx, one, counted)
  })
}
