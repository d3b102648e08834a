/** The letters of one invoice that are drawn when they are asked for: its copy, its receipt, and itself as data. */
import { canHaveReceipt } from '@kvitt/domain/invoices/invoice.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import { readPayee } from '../creditors/creditors.ts'
import type { Instance } from '../instances/instances.ts'
import {
  findVisibleInvoice,
  payeeCreditorOf,
  readShownInvoice,
  type InvoiceRow,
} from '../invoices/invoices.ts'
import { readBucketEvents, readClaimEvents, type BucketEvent } from '../ledger/ledger.ts'
import { portalUrlOf } from '../mail/mail.ts'
import type { FileAnswer } from '../platform/http/send-file.ts'
import { textOf } from '../platform/texts.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import { readParties, readTaxes, type PaperFor, type StoredFile } from './documents.queries.ts'
import { requesterOf, drawOnce } from './drawings.ts'
import { readTrade } from './electronic-invoice.queries.ts'
import { writeElectronicInvoice } from './electronic-invoice.ts'
import type { Letter } from './letter.ts'
import { paidEvents } from './paid-events.ts'

/** A letter with its heading, which names no number. */
export type TitledFile = StoredFile & { readonly title: string }

/** A creditor's number as part of a file name: nothing that leads to another folder. */
export function fileNamePart(number: string): string {
  return number.replace(/[^\p{L}\p{N}._ -]+/gu, '-').replace(/^\.+/, '')
}

export function copyName(instance: Instance, invoice: InvoiceRow): string {
  return `${textOf(instance.language, 'document.invoice')} ${fileNamePart(invoice.invoice_number)}.pdf`
}

/** The copy of an invoice, as it goes to the debtor; undefined when it may not be shown. */
export async function openInvoiceCopy(
  context: Context,
  instance: Instance,
  { invoiceId, paper }: { readonly invoiceId: string; readonly paper: PaperFor },
): Promise<TitledFile | undefined> {
  const invoice = await readShownInvoice(context.db, instance.id, invoiceId)
  if (!invoice?.has_copy) return undefined
  const letter = await letterOf(context, instance, { invoice, paper })
  const content = Buffer.from(await drawOnce({ kind: 'copy', requester: requesterOf(invoice) }, letter))
  const title = textOf(instance.language, 'document.invoice')
  return { content, name_raw: copyName(instance, invoice), mime_type: 'application/pdf', title }
}

/** Has a part of it been paid, so that there is something to tell before there is a receipt? */
export function isPaidInPart(invoice: InvoiceRow, events: readonly BucketEvent[]): boolean {
  const owes = invoice.balance_minor > 0 && invoice.claim_id === null
  return owes && events.some(({ kind }) => kind === 'PAYMENT')
}

export function paymentsName(instance: Instance, invoice: InvoiceRow): string {
  return `${textOf(instance.language, 'document.payments')} ${fileNamePart(invoice.invoice_number)}.pdf`
}

/** What has been paid of an invoice that still owes something; undefined when there is nothing to tell. */
export async function openPayments(
  context: Context,
  instance: Instance,
  invoiceId: string,
): Promise<FileAnswer | undefined> {
  const invoice = await readShownInvoice(context.db, instance.id, invoiceId)
  if (!invoice) return undefined
  const events = await readBucketEvents(context.db, { instanceId: instance.id, invoiceId })
  if (!isPaidInPart(invoice, events)) return undefined
  const letter = await letterOf(context, instance, { invoice, paper: 'shown' })
  const bytes = await drawOnce(
    { kind: 'payments', requester: requesterOf(invoice) },
    letter,
    paidEvents(events),
  )
  return { bytes, mimeType: 'application/pdf', name: paymentsName(instance, invoice), isPublic: false }
}

/** An invoice of ours as UBL, `from` our address in the network to the debtor's; undefined when it may not be shown. */
export async function openElectronicInvoice(
  context: Context,
  instance: Instance,
  { invoiceId, from, to }: { readonly invoiceId: string; readonly from: string; readonly to: string },
): Promise<Uint8Array | undefined> {
  const invoice = await readShownInvoice(context.db, instance.id, invoiceId)
  if (!invoice) return undefined
  const [trade, payee] = await Promise.all([
    readTrade(context.db, instance.id, invoiceId),
    readPayee(context.db, instance.id, accountOf(invoice)),
  ])
  const unnamed = textOf(instance.language, 'document.invoice')
  return payee && writeElectronicInvoice({ invoice, trade, payee, from, to, unnamed })
}

/** The receipt of a paid invoice, drawn in the instance's language. */
export async function getReceipt(
  context: Context,
  viewer: Viewer,
  invoiceNumber: string | undefined,
): Promise<FileAnswer> {
  const invoice = await findVisibleInvoice(context, viewer, invoiceNumber)
  const subject = {
    status: invoice.status,
    type: invoice.type,
    balanceMinor: invoice.balance_minor,
    isPartPayment: invoice.is_part_payment,
    inClaim: invoice.claim_id !== null,
  }
  if (!canHaveReceipt(subject)) throw new Refusal('receipt_not_available')
  const { instance_id: instanceId, id: invoiceId } = invoice
  const events = await readBucketEvents(context.db, { instanceId, invoiceId })
  const ofClaim = invoice.claim_id
    ? await readClaimEvents(context.db, invoice.instance_id, invoice.claim_id)
    : []
  const letter = await letterOf(context, viewer.instance, { invoice, paper: 'shown' })
  const bytes = await drawOnce({ kind: 'receipt', requester: requesterOf(invoice) }, letter, {
    events: paidEvents(events),
    // What moved to a plan or a claim was paid there.
    isPaid: [...events, ...ofClaim].some(({ kind }) => kind === 'PAYMENT' || kind === 'TRANSFER_TO_PLAN'),
  })
  const name = `${textOf(viewer.instance.language, 'document.receipt')} ${fileNamePart(invoice.invoice_number)}.pdf`
  return { bytes, mimeType: 'application/pdf', name, isPublic: false }
}

/** What every letter about an invoice says; `paper` decides whether it is addressed to who acts for the debtor. */
export async function letterOf(
  context: Context,
  instance: Instance,
  { invoice, paper }: { readonly invoice: InvoiceRow; readonly paper: PaperFor },
): Promise<Letter> {
  const [parties, taxes, payee] = await Promise.all([
    readParties(context.db, invoice.instance_id, invoice.id, paper),
    readTaxes(context.db, invoice.instance_id, invoice.id),
    readPayee(context.db, invoice.instance_id, accountOf(invoice)),
  ])
  const portalUrl = portalUrlOf(context.config, instance.row)
  return { instance: instance.row, portalUrl, language: instance.language, invoice, parties, taxes, payee }
}

const accountOf = (invoice: InvoiceRow) => ({
  paymentAccountId: invoice.payment_account_id,
  currency: invoice.currency,
  payeeOf: payeeCreditorOf(invoice),
})
