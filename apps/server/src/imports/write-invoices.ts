/** Writes a batch of invoices: a dozen statements, whether it holds one invoice or five hundred. */
import { bookInvoice } from '@kvitt/domain/ledger/booking.ts'
import { money } from '@kvitt/domain/money.ts'
import { postBookings, type Booking } from '../ledger/ledger.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import {
  compareWithHeld,
  refuseOtherCreditor,
  type ImportResult,
  type ImportRun,
  type ReadFile,
} from './import-run.ts'
import {
  insertAttachments,
  insertInvoiceRows,
  insertPerformedSteps,
  insertPlannedSteps,
  readHeldDocuments,
} from './imports.queries.ts'
import { prepareInvoices, type NewInvoice } from './prepare-invoices.ts'
import { readCreditorIds } from './parties.queries.ts'

/** Another import made one of these invoices while we were at it: roll back, and look again. */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError'
}

/** How often somebody looks again after another import was faster with one of its invoices. */
const MOST_TRIES = 3

/** Does what another import may be faster with. */
export async function tryAgain<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof OvertakenError) || attempt >= MOST_TRIES) throw error
    }
  }
}

/**
 * Writes what is new of `files`, and answers for each of them, in their order. Throws OvertakenError when
 * another import was faster with one of them; then nothing may be kept.
 */
export async function writeInvoices(
  tx: Transaction,
  run: ImportRun,
  files: readonly ReadFile[],
): Promise<ImportResult[]> {
  const results = await answerHeld(tx, run, files)
  const first = new Map<string, ReadFile>()
  for (const file of files) {
    if (!results.has(file) && !first.has(file.documentKey)) first.set(file.documentKey, file)
  }
  const invoices = await prepareInvoices(tx, run, [...first.values()])
  await insertAll(tx, run, invoices)
  const made = new Map(invoices.map((invoice) => [invoice.file.documentKey, invoice]))
  return files.map((file) => {
    const held = results.get(file)
    if (held) return held
    const invoice = made.get(file.documentKey)
    if (!invoice) throw new Error('a file of the batch was neither held nor written')
    return invoice.file === file
      ? createdResult(invoice)
      : compareWithHeld(file, { ...invoice.row, content_hash: invoice.file.hash })
  })
}

function createdResult({ file, row, warnings }: NewInvoice): ImportResult {
  return {
    file: file.file,
    outcome: 'created',
    invoiceNumber: row.invoice_number,
    paymentReference: row.payment_reference,
    zip: row.zip,
    reason: null,
    warnings,
  }
}

/** The answers for files whose document is here already, or that another creditor sent. */
async function answerHeld(
  tx: Transaction,
  run: ImportRun,
  files: readonly ReadFile[],
): Promise<Map<ReadFile, ImportResult>> {
  const identities = [...new Set(files.map((file) => file.creditorIdentity))]
  const creditors = await readCreditorIds(tx, run.instanceId, identities)
  const answers = new Map<ReadFile, ImportResult>()
  const wanted = new Map<string, ReadFile[]>()
  for (const file of files) {
    const creditorId = creditors.get(file.creditorIdentity)
    const refused = refuseOtherCreditor(file, creditorId, run.options)
    if (refused) answers.set(file, refused)
    else if (creditorId !== undefined) {
      const key = [creditorId, file.type, file.invoice.invoiceNumber].join('|')
      wanted.set(key, [...(wanted.get(key) ?? []), file])
    }
  }
  if (wanted.size === 0) return answers
  const keys = [...wanted.keys()].map((key) => {
    const [creditorId = '', type = '', ...number] = key.split('|')
    return { creditorId, type, number: number.join('|') }
  })
  for (const held of await readHeldDocuments(tx, run.instanceId, keys)) {
    for (const file of wanted.get([held.creditor_id, held.type, held.number].join('|')) ?? []) {
      answers.set(file, compareWithHeld(file, held))
    }
  }
  return answers
}

function bookingOf(run: ImportRun, { row }: NewInvoice): Booking {
  return {
    id: newId(run.clock.now()),
    kind: row.type,
    bookedOn: run.today,
    cause: `invoice:${row.id}`,
    invoiceId: row.id,
    paymentId: null,
    lines: bookInvoice(
      { invoiceId: row.id, creditorId: row.creditor_id, debtorId: row.debtor_id },
      money(row.total_minor, row.currency),
    ),
  }
}

async function insertAll(tx: Transaction, run: ImportRun, invoices: readonly NewInvoice[]): Promise<void> {
  if (invoices.length === 0) return
  const { instanceId, clock } = run
  const inserted = await insertInvoiceRows(
    tx,
    instanceId,
    invoices.map((invoice) => invoice.row),
  )
  if (inserted < invoices.length) throw new OvertakenError('another import was faster')
  await insertAttachments(
    tx,
    instanceId,
    invoices.flatMap(({ file, row }) => attachmentRows(run, file, row.id)),
  )
  if (run.options.as === 'draft') {
    await insertPlannedSteps(tx, instanceId, invoices.flatMap(planSending(run)))
    return
  }
  await insertPerformedSteps(
    tx,
    instanceId,
    invoices.map(({ file, row }) => ({
      id: newId(clock.now()),
      invoice_id: row.id,
      type: row.type,
      performed_date: file.invoice.issueDate,
    })),
  )
  const owed = invoices.filter(({ row }) => row.total_minor !== 0)
  await postBookings(
    tx,
    instanceId,
    owed.map((invoice) => bookingOf(run, invoice)),
    clock,
  )
}

/** M-02: what is approved waits for the day on which it is sent. */
const planSending =
  ({ clock }: ImportRun) =>
  ({ file, row }: NewInvoice) =>
    file.sendDate === undefined
      ? []
      : [{ id: newId(clock.now()), invoice_id: row.id, type: 'INVOICE', planned_date: file.sendDate }]

/** The attachments of a file as documents of `invoiceId`. */
export function attachmentRows(run: ImportRun, { invoice }: ReadFile, invoiceId: string) {
  return invoice.attachments.map((attachment) => ({
    fileId: newId(run.clock.now()),
    documentId: newId(run.clock.now()),
    invoiceId,
    ...attachment,
  }))
}
