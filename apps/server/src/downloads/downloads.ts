/** Lists as files (specification section 7): the debtor's invoices and claims and an invoice's events as CSV, PDF or XLSX. */
import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import type { DownloadFormat } from '@kvitt/domain/downloads/download.contract.ts'
import { parseAmount, type Currency } from '@kvitt/domain/money.ts'
import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { Context } from '../context.ts'
import { findClaimListScope } from '../claims/claims.ts'
import { findListScope, findVisibleInvoice, listEvents } from '../invoices/invoices.ts'
import type { JsonText } from '../platform/http/json.ts'
import type { Listed } from '../platform/http/paging.ts'
import type { FileAnswer } from '../platform/http/send-file.ts'
import { textOf, type Language, type TextKey } from '../platform/texts.ts'
import type { ListScope, Viewer } from '../sign-in/viewer.ts'
import {
  makeTable,
  stampOf,
  type Cell,
  type Row,
  type Rows,
  type TableHead,
} from '../platform/tables/tables.ts'

/** More rows than this are for a program, which pages through the list itself. */
const MOST_ROWS = 10_000
const PAGE = 1_000
const PIECE = 250

export type WantedFile = {
  readonly format: DownloadFormat
  readonly language: Language
  /** Ends when whoever asked has gone. */
  readonly signal: AbortSignal
}

/** One page of the list, filtered and ordered as the caller asked. */
type ReadPart<Item> = (page: { limit: string; page: string }) => Promise<Listed<Item>>

/** Page by page, as much of the list as a file takes. */
async function* readRows<Item>(readPart: ReadPart<Item>, rowOf: (item: Item) => Row): AsyncGenerator<Row[]> {
  for (let page = 1; page * PAGE <= MOST_ROWS; page++) {
    const { items } = await readPart({ limit: String(PAGE), page: String(page) })
    // In pieces: a message to the thread is packed at once.
    for (let at = 0; at < items.length; at += PIECE) yield items.slice(at, at + PIECE).map(rowOf)
    if (items.length < PAGE) return
  }
}

/** The debtor's invoices, as the list has them. */
export async function downloadInvoices(
  context: Context,
  viewer: Viewer,
  readPart: ReadPart<JsonText>,
  wanted: WantedFile,
): Promise<FileAnswer> {
  const { language } = wanted
  const text = (key: TextKey): string => textOf(language, key)
  const scope = await findListScope(context, viewer, undefined)
  const head: TableHead = {
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
  }
  const rowOf = (item: JsonText): Row => {
    const invoice = JSON.parse(item.text) as InvoiceAnswer
    return [
      invoice.invoiceNumber,
      invoice.clientName,
      text(`status.${invoice.statuses.main.toLowerCase()}` as TextKey),
      invoice.dates.invoiceDate,
      invoice.dates.expireDate,
      invoice.currency.invoiceCurrency,
      amountCell(invoice.totals.totalToPay, invoice.currency.invoiceCurrency),
      amountCell(invoice.balances.total, invoice.currency.invoiceCurrency),
    ]
  }
  return fileOf(context, { viewer, scope }, { head, rows: readRows(readPart, rowOf) }, wanted)
}

/** The debtor's claims, as the list has them. */
export async function downloadClaims(
  context: Context,
  viewer: Viewer,
  readPart: ReadPart<Loosen<ClaimAnswer>>,
  wanted: WantedFile,
): Promise<FileAnswer> {
  const { language } = wanted
  const text = (key: TextKey): string => textOf(language, key)
  const scope = await findClaimListScope(context, viewer, undefined)
  const head: TableHead = {
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
  }
  const rowOf = (claim: Loosen<ClaimAnswer>): Row => [
    claim.collectionBatchNumber,
    claim.clientName,
    text(`claim_status.${claim.status.toLowerCase()}` as TextKey),
    claim.expireDate,
    claim.currency,
    minorOf(claim.balanceTotal),
  ]
  return fileOf(context, { viewer, scope }, { head, rows: readRows(readPart, rowOf) }, wanted)
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
  wanted: WantedFile,
): Promise<FileAnswer> {
  const invoice = await findVisibleInvoice(context, viewer, invoiceNumber)
  const events = await listEvents(context, viewer, invoice.invoice_number)
  const { language } = wanted
  const text = (key: TextKey): string => textOf(language, key)
  const head: TableHead = {
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
  }
  const rows = events.map(
    (event): Row => [
      event.date,
      eventText(event.type, language),
      invoice.currency,
      minorOf(event.amount),
      minorOf(event.balance),
    ],
  )
  return fileOf(
    context,
    { viewer, scope: { debtorIds: [invoice.debtor_id] } },
    { head, rows: [rows] },
    wanted,
  )
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

type Asker = { readonly viewer: Viewer; readonly scope: ListScope }

function fileOf(
  context: Context,
  { viewer, scope }: Asker,
  { head, rows }: { readonly head: TableHead; readonly rows: Rows },
  { format, signal }: WantedFile,
): Promise<FileAnswer> {
  const requester = `${viewer.instance.id} ${scope.debtorIds.toSorted()[0]}`
  return makeTable(head, rows, {
    format,
    requester,
    signal,
    stamp: stampOf(context, viewer.instance.timeZone),
  })
}
