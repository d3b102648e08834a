/** Import of invoices: from files that creditors send to invoices that debtors owe. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Instance } from '../instances/instances.ts'
import { isDatabaseAway } from '../platform/database/database-away.ts'
import { writeCrediting } from './credit-notes.ts'
import { LARGEST_FILE_BYTES, refuseTooLarge } from './decode-xml.ts'
import { describeRefusal, ImportRefusal } from './import-refusal.ts'
import {
  describeFile,
  refusedResult,
  type ImportContext,
  type ImportOptions,
  type ImportResult,
  type ImportRun,
  type ReadFile,
} from './import-run.ts'
import { learnTableSizes } from './imports.queries.ts'
import { parseInvoice } from './ubl.ts'
import { tryAgain, writeInvoices } from './write-invoices.ts'

export { creditByHand, tellCredited, type CreditByHand } from './credit-notes.ts'
export { workImports } from './office/work-imports.ts'
export { ImportRefusal } from './import-refusal.ts'
export { tryAgain } from './write-invoices.ts'
export { asParsed, readDraft, SHORTEST_TERM_DAYS, type DraftBody, type ReadDraft } from './draft-invoice.ts'
export { readNextNumber, storeDraft } from './drafts.ts'
export { firstReminderDay, mostOfReminder, readReminderTerms, refuseReminder } from './earlier-reminder.ts'
export { ElementReader, placeOf, type ReadElement } from './read-elements.ts'
export { shape, TEXT, type Shape, type Vocabulary } from './ubl-shape.ts'
export type { AlreadySent, ImportContext, ImportOptions, ImportResult } from './import-run.ts'
export { creditorIdentity, registrationKey } from '@kvitt/domain/people/party-identity.ts'

export type ImportInput = {
  /** How the file is called in results and refusals. */
  readonly name: string
  /** When it is known, a file that is too large is not even opened. */
  readonly sizeBytes?: number
  /** The file's bytes from the beginning. A credit note is opened twice. */
  open(): AsyncIterable<Uint8Array>
}

const BATCH_FILES = 250
/** Batches that are written at once, each on a connection of its own. */
const MOST_WRITING = 2
/** Files between two looks at what the database has answered; a look costs more than reading a file. */
const TURN_FILES = 8
const BATCH_ATTACHMENT_BYTES = 20 * 1_048_576

type Batch = { readonly files: ReadFile[]; readonly results: ImportResult[] }

/**
 * Imports `inputs` into `instance` and answers one result for each, as soon as it is certain (D-21). What is
 * answered as created is committed. Credit notes come last, after the invoices that they may be about. A file
 * that is refused touches no other file. Throws only when the database cannot be reached.
 */
export async function* importInvoices(
  context: ImportContext,
  instance: Pick<Instance, 'id' | 'timeZone'>,
  inputs: AsyncIterable<ImportInput> | Iterable<ImportInput>,
  options: ImportOptions,
): AsyncIterable<ImportResult> {
  const run: ImportRun = {
    instanceId: instance.id,
    options,
    clock: context.clock,
    today: context.clock.today(instance.timeZone),
  }
  const crediting: ImportInput[] = []
  // Two batches are written while the next is read: the database and this thread are never idle both.
  const writing: Promise<ImportResult[]>[] = []
  let isLarge = false
  try {
    for await (const batch of readBatches(context, inputs, crediting)) {
      while (writing.length >= (isLarge ? MOST_WRITING : 1)) {
        yield* await (writing.shift() ?? [])
        if (!isLarge) await learnTableSizes(context.db)
        isLarge = true
      }
      const written = writeBatch(context, run, batch)
      // Awaited on a later turn of the loop; until then its failure is nobody's.
      written.catch(() => {})
      writing.push(written)
    }
    while (writing.length > 0) yield* await (writing.shift() ?? [])
  } finally {
    await Promise.allSettled(writing)
  }
  for (const input of crediting) {
    const read = await readFile(context, input)
    yield 'outcome' in read ? read : await writeOne(context, run, read)
  }
}

/** Reads files into batches. Crediting files are put aside: only their input is kept, to be read again. */
async function* readBatches(
  context: ImportContext,
  inputs: AsyncIterable<ImportInput> | Iterable<ImportInput>,
  crediting: ImportInput[],
): AsyncIterable<Batch> {
  let batch: Batch = { files: [], results: [] }
  let attachmentBytes = 0
  let turns = 0
  for await (const input of inputs) {
    const read = await readFile(context, input)
    // Reading is work for this thread alone: let the batches that are being written have their turn.
    if (++turns % TURN_FILES === 0) await nextTurn()
    if ('outcome' in read) batch.results.push(read)
    else if (read.type === 'CREDIT_INVOICE') crediting.push(input)
    else {
      batch.files.push(read)
      attachmentBytes += read.invoice.attachments.reduce((sum, a) => sum + a.content.length, 0)
    }
    const size = batch.files.length + batch.results.length
    if (size >= BATCH_FILES || attachmentBytes > BATCH_ATTACHMENT_BYTES) {
      yield batch
      batch = { files: [], results: [] }
      attachmentBytes = 0
    }
  }
  if (batch.files.length + batch.results.length > 0) yield batch
}

async function readFile(context: ImportContext, input: ImportInput): Promise<ReadFile | ImportResult> {
  try {
    if (/\.(csv|xlsx?|pdf|zip)$/i.test(input.name)) {
      throw new ImportRefusal('Only UBL XML can be imported. Export the invoice as Peppol BIS Billing 3.')
    }
    if ((input.sizeBytes ?? 0) > LARGEST_FILE_BYTES) refuseTooLarge()
    return describeFile(input.name, await parseInvoice(input.open()))
  } catch (error) {
    return refusedResult(input.name, reasonOf(context, input.name, error), null)
  }
}

/** Why a file was not taken, as a sentence for the person who imports it. */
export function reasonOf(context: Pick<ImportContext, 'log'>, file: string, error: unknown): string {
  if (error instanceof ImportRefusal) return describeRefusal(file, error)
  const code = (error as { code?: unknown }).code
  if (code === 'ENOENT') return `${file}: There is no such file.`
  if (code === 'EISDIR') return `${file}: This is a folder. Name the files in it.`
  if (code === 'EACCES' || code === 'EPERM') return `${file}: The file may not be read by this account.`
  context.log.error({ err: error }, 'a file could not be imported')
  return `${file}: The file could not be imported because of a fault in the program; the log says more.`
}

async function writeBatch(context: ImportContext, run: ImportRun, batch: Batch): Promise<ImportResult[]> {
  if (batch.files.length === 0) return batch.results
  try {
    const written = await tryAgain(() => context.db.transaction((tx) => writeInvoices(tx, run, batch.files)))
    return [...batch.results, ...written]
  } catch (error) {
    if (isOutOfReach(error)) throw error
    // One of them cannot be written: the others must not suffer for it.
    const results = [...batch.results]
    for (const file of batch.files) results.push(await writeOne(context, run, file))
    return results
  }
}

async function writeOne(context: ImportContext, run: ImportRun, file: ReadFile): Promise<ImportResult> {
  try {
    return await tryAgain(() =>
      context.db.transaction(async (tx) => {
        if (file.type === 'CREDIT_INVOICE') return writeCrediting(tx, run, file)
        const [result] = await writeInvoices(tx, run, [file])
        if (!result) throw new Error('an invoice was not answered for')
        return result
      }),
    )
  } catch (error) {
    if (isOutOfReach(error)) throw error
    return refusedResult(file.file, reasonOf(context, file.file, error), file.invoice.invoiceNumber)
  }
}

/** True when the database is gone or refuses us, so that no file of the call can be written. */
function isOutOfReach(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return isDatabaseAway(error) || (typeof code === 'string' && /^(28|3D|42|57)/.test(code))
}
