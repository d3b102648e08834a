/** Invoices that a creditor's staff or programs write: a draft, its withdrawal, and its approval to be sent. */
import { date, laterOf } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { canMove } from '@kvitt/domain/invoices/invoice.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { readCreditor } from '../creditors/creditors.ts'
import {
  asParsed,
  readDraft,
  readNextNumber,
  readReminderTerms,
  refuseReminder,
  SHORTEST_TERM_DAYS,
  storeDraft,
  type DraftBody,
  type ReadDraft,
} from '../imports/imports.ts'
import {
  ApprovalRefused,
  approveLocked,
  lockInvoiceRow,
  moveInvoice,
  type InvoiceRow,
  type OfficeInvoiceKey,
} from '../invoices/invoices.ts'
import type { Transaction } from '../platform/database/database.ts'
import { actorOf, type ClientPrincipal } from '../staff/staff.ts'
import { actOnce, type Acted, type Asked } from './act-once.ts'
import type { Act } from './decide.ts'
import { readAlreadySent } from './drafts.queries.ts'

/** Keeps a draft. Refuses what is wrong with its fields, and `invoice_number_taken`. */
export function createDraft(
  context: Context,
  principal: ClientPrincipal,
  { body, asked }: { readonly body: DraftBody; readonly asked: Asked },
): Promise<Acted> {
  const today = context.clock.today(principal.instance.timeZone)
  const of = { instanceId: principal.instance.id, creditorId: principal.creditorId }
  return actOnce(context, principal, asked, async (tx) => {
    const read = readDraft(body, today)
    await refuseEarlierReminder(tx, of, read)
    const number = body.invoiceNumber ?? (await readNextNumber(tx, { ...of, kind: 'INVOICE' }))
    const creditor = await readCreditor(tx, of.instanceId, of.creditorId)
    const invoice = asParsed(creditor, { ...read, number })
    const run = { clock: context.clock, today }
    const id = await storeDraft(tx, run, { ...of, invoice, terms: read.terms })
    if (id === undefined) throw new Refusal('invoice_number_taken', { number }, ['invoiceNumber'])
    await noteDeed(tx, {
      instanceId: of.instanceId,
      kind: 'invoice_drafted',
      by: actorOf(principal),
      about: `invoice:${id}`,
      after: { totalMinor: read.priced.totalMinor, expireDate: read.expireDate },
    })
    return id
  })
}

/** Refuses a reminder of the creditor's own that came before its time, and what it may not have cost. */
async function refuseEarlierReminder(
  tx: Transaction,
  of: { readonly instanceId: string; readonly creditorId: string },
  { body, debtor, priced, invoiceDate, expireDate, terms: { alreadySent } }: ReadDraft,
): Promise<void> {
  if (!alreadySent?.remindedOn) return
  const reminded = { kind: debtor.kind, currency: body.currency, totalMinor: priced.totalMinor }
  const days = { issueDate: invoiceDate, dueDate: expireDate }
  const said = { remindedOn: date(alreadySent.remindedOn), feeMinor: alreadySent.reminderFeeMinor }
  refuseReminder(await readReminderTerms(tx, of), { ...reminded, ...days }, said)
}

/** Locks the creditor's invoice, which its door has found. */
function lockOwn(tx: Transaction, { instance_id: instanceId, id }: OfficeInvoiceKey): Promise<InvoiceRow> {
  return lockInvoiceRow(tx, instanceId, id)
}

/** M-03: withdraws what nobody has seen. Refuses `already_sent`. */
export function withdrawDraft({ context, principal, row, asked }: Act): Promise<Acted> {
  return actOnce(context, principal, asked, async (tx) => {
    const invoice = await lockOwn(tx, row)
    if (!canMove('cancel', invoice.status, 'ARCHIVED')) throw new Refusal('already_sent')
    await moveInvoice(tx, invoice, { move: 'cancel', to: 'ARCHIVED' })
    await noteDeed(tx, {
      instanceId: row.instance_id,
      kind: 'invoice_withdrawn',
      by: actorOf(principal),
      about: `invoice:${row.id}`,
      before: { status: invoice.status },
    })
    return row.id
  })
}

/**
 * M-02: a draft waits to be sent, on its invoice date or today when that has passed. Refuses `act_not_open`, and `due_too_soon`
 * where the debtor would have too little time.
 */
export function approveDraft({ context, principal, row, asked }: Act): Promise<Acted> {
  const today = context.clock.today(principal.instance.timeZone)
  return actOnce(context, principal, asked, async (tx) => {
    const invoice = await lockOwn(tx, row)
    if (!canMove('approve', invoice.status, 'PENDING')) throw new Refusal('act_not_open')
    const key = { instanceId: row.instance_id, invoiceId: row.id }
    const isSent = (await readAlreadySent(tx, key)) !== null
    const sendDate = isSent ? today : laterOf(today, date(invoice.issue_date))
    // What its creditor has sent gave the debtor the time that it gave (D-21).
    const termDays = isSent ? null : SHORTEST_TERM_DAYS
    try {
      await approveLocked(context, tx, invoice, { sendDate, termDays })
    } catch (error) {
      if (!(error instanceof ApprovalRefused)) throw error
      if (error.earliest === undefined) throw new Refusal('act_not_open')
      throw new Refusal('due_too_soon', { earliest: error.earliest }, ['expireDate'])
    }
    await noteDeed(tx, {
      instanceId: row.instance_id,
      kind: 'invoice_approved',
      by: actorOf(principal),
      about: `invoice:${row.id}`,
      after: { sendDate, totalMinor: invoice.total_minor },
    })
    return row.id
  })
}
