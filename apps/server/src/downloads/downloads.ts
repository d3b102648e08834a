/** Lists as files (specification section 7): the debtor's invoices and claims and an invoice's events as CSV, PDF or XLSX. */
import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import type { DownloadFormat } from '@kvitt/domain/downloads/download.contract.ts'
import { parseAmount, type Currency } from '@kvitt/domain/money.ts'
import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { Context } from '../context.ts'
import { findVisibleInvoice, listEvents } from '../invoices/invoices.ts'
import type { JsonText } from '../platform/json.ts'
import type { Listed } from '../platform/paging.ts'
import type { FileAnswer } from '../platform/send-file.ts'
import { textOf, type Language, type TextKey } from '../platform/texts.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import { writeCsv } from './csv.ts'
import type { Cell, Table } from './table.ts'
import { writeTablePdf } from './table-pdf.ts'
import { writeXlsx } from './xlsx.ts'

/** More rows than this are for a program, which pages through the list itself. */
const MOST_ROWS: Readonly<Record<DownloadFormat, number>> = { csv: 10_000, xlsx: 10_000, pdf: 2_000 }
const PAGE = 1_000

export type Wanted = { readonly format: DownloadFormat; readonly language: Language }

/** One page of the list, filtered and ordered as the caller asked. */
type ReadPart<Item> = (page: { limit: string; page: string }) => Promise<Listed<Item>>

/** Page by page, as much of the list as the format takes. */
async function readAll<Item>(readPart: ReadPart<Item>, { format }: Wanted): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 1; items.length < MOST_ROWS[format]; page++) {
    const part = await readPart({ limit: String(PAGE), page: String(page) })
    items.push(...part.items)
    if (part.items.length < PAGE) break
  }
  return items
}

/** The debtor's invoices, as the list has them. */
export async function downloadInvoices(
  context: Context,
  viewer: Viewer,
  readPart: ReadPart<JsonText>,
  wanted: Wanted,
): Promise<FileAnswer> {
  const read = await readAll(readPart, wanted)
  const invoices = read.map((item) => JSON.parse(item.text) as InvoiceAnswer)
  const { language } = wanted
  const text = (key: TextKey): string => textOf(language, key)
  const table: Table = {
    title: text('document.invoices'),
    language,
    instance: viewer.instance.row,
    columns: [
      { label: text('document.invoice_number'), isAmount: false, share: 13.5 },
      { label: text('document.sender'), isAmount: false, share: 21 },
      { label: text('document.status'), isAmount: false, share: 11 },
      { label: text('document.invoice_date'), isAmount: false, share: 12 },
      { label: text('document.due_date'), isAmount: false, share: 12 },
      { label: text('document.currency'), isAmount: false, share: 6.5 },
      { label: text('document.invoice_amount'), isAmount: true, share: 12.5 },
      { label: text('document.balance'), isAmount: true, share: 11.5 },
    ],
    rows: invoices.map((invoice) => [
      invoice.invoiceNumber,
      invoice.clientName,
      text(`status.${invoice.statuses.main.toLowerCase()}` as TextKey),
      invoice.dates.invoiceDate,
      invoice.dates.expireDate,
      invoice.currency.invoiceCurrency,
      amountCell(invoice.totals.totalToPay, invoice.currency.invoiceCurrency),
      amountCell(invoice.balances.total, invoice.currency.invoiceCurrency),
    ]),
  }
  return fileOf(context, viewer, table, wanted)
}

/** The debtor's claims, as the list has them. */
export async function downloadClaims(
  context: Context,
  viewer: Viewer,
  readPart: ReadPart<Loosen<ClaimAnswer>>,
  wanted: Wanted,
): Promise<FileAnswer> {
  const claims = await readAll(readPart, wanted)
  const { language } = wanted
  const text = (key: TextKey): string => textOf(language, key)
  const table: Table = {
    title: text('document.claims'),
    language,
    instance: viewer.instance.row,
    columns: [
      { label: text('document.claim_number'), isAmount: false, share: 15 },
      { label: text('document.sender'), isAmount: false, share: 27 },
      { label: text('document.status'), isAmount: false, share: 14 },
      { label: text('document.due_date'), isAmount: false, share: 14 },
      { label: text('document.currency'), isAmount: false, share: 8 },
      { label: text('document.balance'), isAmount: true, share: 22 },
    ],
    rows: claims.map((claim) => [
      claim.collectionBatchNumber,
      claim.clientName,
      text(`claim_status.${claim.status.toLowerCase()}` as TextKey),
      claim.expireDate,
      claim.currency,
      minorOf(claim.balanceTotal),
    ]),
  }
  return fileOf(context, viewer, table, wanted)
}

/** The digits of an answer's number as minor units. */
function amountCell(value: number, currency: string): Cell {
  const parsed = parseAmount(String(value), currency as Currency)
  return parsed ? { minor: parsed.minor } : null
}

/** What has happened to one invoice, oldest first. */
export async function downloadEvents(
  context: Context,
  viewer: Viewer,
  invoiceNumber: string | undefined,
  wanted: Wanted,
): Promise<FileAnswer> {
  const invoice = await findVisibleInvoice(context, viewer, invoiceNumber)
  const events = await listEvents(context, viewer, invoice.invoice_number)
  const { language } = wanted
  const text = (key: TextKey): string => textOf(language, key)
  const table: Table = {
    title: `${text('document.events')} ${invoice.invoice_number}`,
    language,
    instance: viewer.instance.row,
    columns: [
      { label: text('document.date'), isAmount: false, share: 14 },
      { label: text('document.event'), isAmount: false, share: 46 },
      { label: text('document.currency'), isAmount: false, share: 8 },
      { label: text('document.amount'), isAmount: true, share: 16 },
      { label: text('document.balance'), isAmount: true, share: 16 },
    ],
    rows: events.map((event) => [
      event.date,
      eventText(event.type, language),
      invoice.currency,
      minorOf(event.amount),
      minorOf(event.balance),
    ]),
  }
  return fileOf(context, viewer, table, wanted)
}

function minorOf(amount: { minor: number } | number | null): Cell {
  return amount === null || typeof amount === 'number' ? null : { minor: amount.minor }
}

/** The events that have a text of their own; a type that is newer than the texts is "event". */
function eventText(type: string, language: Language): string {
  const key = `event.${type.toLowerCase()}`
  const found = textOf(language, key as TextKey)
  return found === key ? textOf(language, 'event.other') : found
}

const TYPES: Readonly<Record<DownloadFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

async function fileOf(
  context: Context,
  viewer: Viewer,
  table: Table,
  { format }: Wanted,
): Promise<FileAnswer> {
  const bytes =
    format === 'csv'
      ? writeCsv(table)
      : format === 'pdf'
        ? await writeTablePdf(table)
        : await writeXlsx(table)
  const name = `${table.title.replace(/[^\p{L}\p{N}._ -]+/gu, '-')} ${stamp(context, viewer)}.${format}`
  return { bytes, mimeType: TYPES[format], name, isPublic: false }
}

/** The business day and the time of day in the instance's zone, as it stands in a file name. */
function stamp({ clock }: Context, { instance }: Viewer): string {
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone: instance.timeZone, timeStyle: 'medium' })
  return `${clock.today(instance.timeZone)} ${time.format(clock.now()).replaceAll(':', '')}`
}
