/** Reads the rows of a file as it was sent, whatever its format, one after the other. */
import { IMPORT_COLUMNS, type ImportColumn, type ImportMapping } from '@kvitt/domain/imports/import-column.ts'
import type { ImportFormat } from '@kvitt/domain/imports/import-problem.ts'
import { oneLine } from '@kvitt/domain/plain-text.ts'
import { describeRefusal, ImportRefusal } from '../import-refusal.ts'
import type { ParsedInvoice } from '../parsed-invoice.ts'
import { parseInvoice } from '../ubl.ts'
import type { OpenFile } from './decode-table.ts'
import type { Cell, NewImportRow } from './import-rows.queries.ts'
import { openArchive, type SentDocument } from './open-archive.ts'
import { readCsv, type TableRow } from './read-csv.ts'
import { readWorkbook } from './read-workbook.ts'
import { unreadable } from './recognise-file.ts'

/** The names of a table's columns, then its rows; or the rows that documents are. */
export type FileRows =
  | { readonly kind: 'table'; readonly names: readonly string[]; readonly rows: AsyncIterable<TableRow> }
  | { readonly kind: 'documents'; readonly rows: AsyncIterable<NewImportRow> }

/** Refuses `import_unreadable`, also while the rows are read. */
export async function readImportFile(format: ImportFormat, open: OpenFile): Promise<FileRows> {
  switch (format) {
    case 'CSV':
      return openTable(readCsv(open))
    case 'UBL':
      return { kind: 'documents', rows: readAlone(open) }
    case 'XLSX':
      return openTable(readWorkbook(await wholeOf(open)))
    case 'ZIP':
      return { kind: 'documents', rows: readArchive(await wholeOf(open)) }
  }
}

const LONGEST_NAME = 200
/** Never in the middle of a letter. */
const cut = (text: string): string => text.slice(0, LONGEST_NAME).replace(/[\ud800-\udbff]$/, '')

async function openTable(rows: AsyncGenerator<TableRow>): Promise<FileRows> {
  const first = await rows.next()
  if (first.done) throw unreadable('empty')
  const seen = new Map<string, number>()
  const names = first.value.cells.map((cell, index) => {
    const name = cut(oneLine(String(cell))) || `#${index + 1}`
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name} (${times})`
  })
  if (names.length < 2) throw unreadable('table')
  return { kind: 'table', names, rows }
}

async function wholeOf(open: OpenFile): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of open()) parts.push(part)
  return Buffer.concat(parts)
}

async function* readArchive(bytes: Buffer): AsyncGenerator<NewImportRow> {
  const archive = await openArchive(bytes)
  let number = 0
  for await (const document of archive.documents()) yield await documentRow(document, ++number)
}

/** A file that is one document: when it cannot be read, nothing of it can. */
async function* readAlone(open: OpenFile): AsyncGenerator<NewImportRow> {
  const bytes = await wholeOf(open)
  yield await documentRow({ name: '', bytes }, 1, (refusal) => {
    throw unreadable('document', { detail: describeRefusal('', refusal).replace(/^[,:] /, '') })
  })
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** A document as a row: what it says stands in the cells, in the order of our columns. */
export async function documentRow(
  { bytes }: SentDocument,
  number: number,
  onRefusal: (refusal: ImportRefusal) => void = () => {},
): Promise<NewImportRow> {
  try {
    const invoice = await parseInvoice(whole(bytes))
    const values = valuesOf(invoice)
    const cells = IMPORT_COLUMNS.map((column): Cell => values[column] ?? '')
    return { number, invoiceNumber: invoice.invoiceNumber, cells, document: bytes }
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error
    onRefusal(error)
    return { number, invoiceNumber: '', cells: [], document: bytes }
  }
}

/** Where our columns stand in the cells of a document's row. */
export const DOCUMENT_MAPPING: ImportMapping = Object.fromEntries(
  IMPORT_COLUMNS.map((column, index) => [column, index]),
)

function valuesOf({ debtor, ...invoice }: ParsedInvoice): Partial<Record<ImportColumn, string>> {
  const isCredit = invoice.document === 'CreditNote' || invoice.payableMinor < 0
  return {
    invoice_number: invoice.invoiceNumber,
    invoice_date: invoice.issueDate,
    due_date: invoice.dueDate,
    currency: invoice.currency,
    reference: invoice.reference ?? '',
    debtor_type: debtor.kind,
    debtor_name: debtor.name,
    debtor_id: debtor.identificationNumber ?? '',
    email: debtor.email ?? '',
    phone: debtor.phone ?? '',
    address: debtor.address ?? '',
    zip: debtor.zip,
    city: debtor.city ?? '',
    country: debtor.country,
    type: isCredit ? 'CREDIT_NOTE' : 'INVOICE',
    credited_invoice: invoice.billingReferences.join(' '),
    customer_number: invoice.customerNumber ?? '',
    description: invoice.rows[0]?.name ?? '',
  }
}
