/** The documents of an invoice as the wire has them: each with a name that opens it for whom it was made. */
import type { DisputeFileAnswer } from '@kvitt/domain/disputes/dispute.contract.ts'
import { FILE_ENDINGS } from '@kvitt/domain/disputes/dispute-file.ts'
import type { DocumentAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import type { InvoiceRow } from '../invoices/invoices.ts'
import { readBucketEvents } from '../ledger/ledger.ts'
import { makeLink, type FileLink } from '../platform/files/file-links.ts'
import { textOf } from '../platform/texts.ts'
import type { DisputeFileRow } from './dispute-files.queries.ts'
import { readDocuments } from './documents.queries.ts'
import { copyName, fileNamePart, isPaidInPart, paymentsName } from './invoice-letters.ts'
import { REMINDER_TITLES } from './letters.ts'
import { readUndrawnReminders, type ReminderRow } from './reminders.queries.ts'

/** For whom the names of files are made. */
export type LinkMaker = Pick<FileLink, 'session' | 'isForStaff'>

/** What the debtor was sent or can draw, each with a name that opens it for whom `maker` says. */
export async function presentDocuments(
  context: Context,
  instance: Instance,
  { invoice, maker }: { readonly invoice: InvoiceRow; readonly maker: LinkMaker },
): Promise<DocumentAnswer[]> {
  const { instance_id: instanceId, id: invoiceId } = invoice
  const [stored, reminders, events] = await Promise.all([
    readDocuments(context.db, instanceId, invoiceId),
    readUndrawnReminders(context.db, instanceId, invoiceId),
    readBucketEvents(context.db, { instanceId, invoiceId }),
  ])
  const link = (kind: FileLink['kind'], id: string, ending = 'pdf') =>
    makeLink(context, { ...maker, kind, id }, ending)
  return [
    ...(invoice.has_copy
      ? [
          {
            type: 'INVOICE_WITH_ATTACHMENTS',
            topic: 'INVOICE',
            fileName: link('c', invoiceId),
            fileNameRaw: copyName(instance, invoice),
          },
        ]
      : []),
    ...stored.map((d) => ({
      type: d.type,
      topic: d.topic,
      fileName: link('d', d.id, endingOf(d.name_raw)),
      fileNameRaw: d.name_raw,
    })),
    ...reminders.map((row) => ({
      type: row.type,
      topic: 'REMINDER',
      fileName: link('d', row.id),
      fileNameRaw: reminderName(instance, invoice, row),
    })),
    ...(isPaidInPart(invoice, events)
      ? [
          {
            type: 'PAYMENTS',
            topic: 'PAYMENT',
            fileName: link('p', invoiceId),
            fileNameRaw: paymentsName(instance, invoice),
          },
        ]
      : []),
  ]
}

/** A file of a dispute as the wire has it, with a name that opens it. */
export function presentDisputeFile(
  context: Pick<Context, 'fileKey' | 'clock'>,
  maker: LinkMaker,
  row: DisputeFileRow,
): DisputeFileAnswer {
  return {
    id: row.id,
    type: 'DISPUTE_FILE',
    topic: 'CONNECTED_FILE',
    fileName: makeLink(context, { ...maker, kind: 'f', id: row.id }, FILE_ENDINGS[row.mime_type]),
    fileNameRaw: row.name,
    mimeType: row.mime_type,
    size: row.size,
    description: row.description,
    date: row.added_on,
  }
}

function endingOf(name: string): string {
  return /\.([a-z0-9]{2,5})$/i.exec(name)?.[1]?.toLowerCase() ?? 'bin'
}

export function reminderName(instance: Instance, invoice: InvoiceRow, row: ReminderRow): string {
  const title = textOf(instance.language, REMINDER_TITLES[row.type])
  return `${title} ${fileNamePart(invoice.invoice_number)} ${row.performed_date}.pdf`
}
