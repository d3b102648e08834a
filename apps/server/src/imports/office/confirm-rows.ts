/** Makes the invoices of the rows that are ready, in batches of one transaction each: what is made is kept, whatever comes after. */
import { addDays, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { ImportProblem } from '@kvitt/domain/imports/import-problem.ts'
import type { Context } from '../../context.ts'
import { openBreather } from '../../platform/breathe.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identity.ts'
import { applyCrediting, tellCredited } from '../credit-notes.ts'
import { SHORTEST_TERM_DAYS } from '../draft-invoice.ts'
import { ImportRefusal } from '../import-refusal.ts'
import type { ImportRun, ReadFile } from '../import-run.ts'
import { tryAgain, writeInvoices } from '../write-invoices.ts'
import { keepTaskOf } from './import-task.ts'
import {
  BEFORE_ALL,
  countRows,
  judgeRows,
  readReadyRows,
  type JudgedRow,
  type RowPlace,
} from './import-rows.queries.ts'
import type { JudgedInvoice } from './judge-invoice.ts'
import { groupRows, judgeGroups, openJudging, rowsOf, wholeInvoices } from './judge-rows.ts'
import {
  addNotApproved,
  lockImport,
  setProgressOf,
  setStatusOf,
  type ImportKey,
  type LockedImport,
} from './office-imports.queries.ts'

const BATCH_ROWS = 1_000

/** Goes on until all is made, or somebody has undone it. */
export async function confirmRows(
  context: Pick<Context, 'db' | 'clock' | 'config'>,
  one: LockedImport,
  today: CalendarDate,
): Promise<void> {
  const key = { instanceId: one.instance_id, importId: one.id }
  const breathe = openBreather()
  let after: RowPlace | undefined = BEFORE_ALL
  while (after !== undefined) {
    const from: RowPlace = after
    after = await tryAgain(() =>
      context.db.transaction((tx) => confirmBatch(context, tx, { key, today, after: from })),
    )
    await breathe()
  }
}

type Batch = { readonly key: ImportKey; readonly today: CalendarDate; readonly after: RowPlace }

/** Answers where the next batch begins; undefined when there is none. */
async function confirmBatch(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  { key, today, after }: Batch,
): Promise<RowPlace | undefined> {
  const one = await lockImport(tx, key)
  if (one?.status !== 'CONFIRMED' || one.work !== 'CONFIRM' || !one.confirmation) return undefined
  const { alreadySent } = one.confirmation
  const withWrong = alreadySent !== null
  const rows = await readReadyRows(tx, key, { after, limit: BATCH_ROWS, withWrong })
  const whole = wholeInvoices(rows, BATCH_ROWS)
  const last = whole.at(-1)
  if (!last) {
    await setStatusOf(tx, key, { status: 'CONFIRMED', work: null })
    await keepTaskOf(tx, one, await countRows(tx, key))
    return undefined
  }
  const judging = await openJudging(tx, one, { today, alreadySent })
  const of = { instanceId: key.instanceId, creditorId: one.creditor_id }
  const groups = groupRows(whole)
  const continued = after.invoiceNumber
  const judged = await judgeGroups(tx, of, { groups, judging, continued })
  const { kept, notApproved } = await makeAll(tx, { context, one, today, judged })
  await judgeRows(tx, key, kept)
  if (notApproved > 0) await addNotApproved(tx, key, notApproved)
  await setProgressOf(tx, key, progressAfter(one, last.number))
  return { invoiceNumber: last.invoice_number, number: last.number }
}

const progressAfter = (one: LockedImport, _number: number): number =>
  (100 * (one.made_count + one.applied_count)) / Math.max(1, one.invoice_count + one.credit_count)

type Making = {
  readonly context: Pick<Context, 'clock' | 'config'>
  readonly one: LockedImport
  readonly today: CalendarDate
  readonly judged: readonly (JudgedInvoice & { readonly isHeld?: boolean })[]
}

async function makeAll(
  tx: Transaction,
  { context, one, today, judged }: Making,
): Promise<{ readonly kept: readonly JudgedRow[]; readonly notApproved: number }> {
  const approve = one.confirmation?.approve === true
  const options = { as: 'draft', creditorId: one.creditor_id, hasKnownAccounts: true } as const
  const run: ImportRun = { instanceId: one.instance_id, options, clock: context.clock, today }
  const kept: JudgedRow[] = []
  const making: { readonly invoice: JudgedInvoice; readonly file: ReadFile & { readonly id: string } }[] = []
  let notApproved = 0
  for (const invoice of judged) {
    const { file } = invoice
    if (!file || invoice.isHeld) kept.push(...rowsOf(invoice))
    else if (file.type === 'CREDIT_INVOICE') {
      if (approve)
        kept.push(
          ...(await credit(context, tx, { ...run, options: { ...options, as: 'distributed' } }, invoice)),
        )
    } else {
      const id = newId(context.clock.now())
      const sendDate = approve ? sendDateOf(file, today) : undefined
      if (approve && sendDate === undefined) notApproved += 1
      making.push({ invoice, file: { ...file, id, ...(sendDate ? { sendDate } : {}) } })
    }
  }
  const results = await writeInvoices(
    tx,
    run,
    making.map(({ file }) => file),
  )
  for (const [index, { invoice, file }] of making.entries()) {
    const isMade = results[index]?.outcome === 'created'
    kept.push(
      ...rowsOf({ ...invoice, isHeld: !isMade }).map((row) =>
        isMade ? { ...row, invoiceId: file.id } : row,
      ),
    )
  }
  return { kept, notApproved }
}

/** M-02: on its date or today when that has passed; undefined where its debtor would have too little time. */
function sendDateOf({ invoice, terms }: ReadFile, today: CalendarDate): CalendarDate | undefined {
  // What its creditor has sent gave the debtor the time that it gave (D-21).
  if (terms?.alreadySent) return today
  const sendDate = laterOf(today, invoice.issueDate)
  return invoice.dueDate < addDays(sendDate, SHORTEST_TERM_DAYS) ? undefined : sendDate
}

/** M-05: a credit note takes effect as it is confirmed, on the invoice that it is about; else its row is wrong, and nothing is kept. */
async function credit(
  context: Making['context'],
  tx: Transaction,
  run: ImportRun,
  invoice: JudgedInvoice,
): Promise<JudgedRow[]> {
  const { file, rows } = invoice
  if (!file) return []
  const { invoiceNumber: number, payableMinor: creditMinor } = file.invoice
  const wrong = (found: Omit<ImportProblem, 'mends'>): JudgedRow[] =>
    rowsOf({ rows, problems: new Map([[rows[0]?.number ?? 0, [{ ...found, mends: [] }]]]) })
  try {
    const { outcome, credited } = await applyCrediting(tx, run, file)
    if (outcome === 'unchanged') return rowsOf({ ...invoice, isHeld: true })
    if (!credited) return wrong({ code: 'number_taken', field: 'invoice_number', params: { number } })
    await tellCredited(context, tx, { number, creditMinor, credited })
    return rowsOf(invoice).map((row) => ({ ...row, invoiceId: credited.invoice.id }))
  } catch (error) {
    if (!(error instanceof ImportRefusal) || !error.told) throw error
    return wrong({ ...error.told, field: 'credited_invoice' })
  }
}
