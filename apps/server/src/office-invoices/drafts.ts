/** Invoices that a creditor's staff or programs write: a draft, its withdrawal, and its approval to be sent (staff.md 3). */
import { date, laterOf, parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isEmail } from '@kvitt/domain/form/field-rules.ts'
import type { invoiceDraft } from '@kvitt/domain/invoices/draft.contract.ts'
import { priceDraft, type PricedDraft } from '@kvitt/domain/invoices/draft.ts'
import { canMove } from '@kvitt/domain/invoices/invoice.ts'
import { parseAmount } from '@kvitt/domain/money.ts'
import { isIdentificationNumberValid } from '@kvitt/domain/people/identification-number.ts'
import { isZipValid } from '@kvitt/domain/people/zip.ts'
import { normaliseZip } from '@kvitt/domain/references.ts'
import type { z } from 'zod'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { readCreditor } from '../creditors/creditors.ts'
import { readNextNumber, storeDraft, type ParsedInvoice } from '../imports/imports.ts'
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
import { refuseReminderFee } from './earlier-reminder.ts'
import { readAlreadySent, setTermRows, type AlreadySent, type DraftTerms } from './drafts.queries.ts'

export type DraftBody = z.output<typeof invoiceDraft>

/** The shortest time between the day on which we send an invoice and its due date. */
export const SHORTEST_TERM_DAYS = 10

const wrong = (field: string): Refusal => new Refusal('invalid_request', {}, [field])

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
    await refuseEarlierFee(tx, of, read)
    const number = body.invoiceNumber ?? (await readNextNumber(tx, { ...of, kind: 'INVOICE' }))
    const invoice = await asParsed(tx, of, { ...read, number })
    const id = await storeDraft(tx, { clock: context.clock, today }, { ...of, invoice })
    if (id === undefined) throw new Refusal('invoice_number_taken', { number }, ['invoiceNumber'])
    await setTermRows(tx, { instanceId: of.instanceId, invoiceId: id }, read.terms)
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

/** Refuses what a reminder of the creditor's own may not have cost. */
async function refuseEarlierFee(
  tx: Transaction,
  of: { readonly instanceId: string; readonly creditorId: string },
  { body, debtor, priced, invoiceDate, terms: { alreadySent } }: ReadDraft,
): Promise<void> {
  if (!alreadySent?.remindedOn) return
  const reminded = { ...of, kind: debtor.kind, currency: body.currency, totalMinor: priced.totalMinor }
  const days = { issueDate: invoiceDate, remindedOn: date(alreadySent.remindedOn) }
  await refuseReminderFee(tx, { ...reminded, ...days }, alreadySent.reminderFeeMinor)
}

type ReadDraft = {
  readonly body: DraftBody
  readonly debtor: ParsedInvoice['debtor']
  readonly invoiceDate: CalendarDate
  readonly expireDate: CalendarDate
  readonly priced: PricedDraft
  readonly terms: DraftTerms
}

/** What the fields say together. Refuses `invalid_request` with the field that is wrong. */
function readDraft(body: DraftBody, today: CalendarDate): ReadDraft {
  const priced = priceDraft(body.rows, body.currency)
  if ('field' in priced) throw wrong(priced.field)
  const invoiceDate = dayOf(body.invoiceDate, 'invoiceDate')
  const expireDate = dayOf(body.expireDate, 'expireDate')
  const alreadySent = readSent(body, today)
  if (expireDate < invoiceDate || (!alreadySent && expireDate < today)) throw wrong('expireDate')
  const { debtor, distribution } = body
  return {
    body,
    debtor: readDebtor(debtor, today),
    invoiceDate,
    expireDate,
    priced,
    terms: {
      distribution: distribution ?? null,
      language: debtor.language ?? null,
      customerNumber: debtor.customerNumber?.trim() || null,
      alreadySent,
    },
  }
}

function dayOf(text: string, field: string): CalendarDate {
  const day = parseDate(text)
  if (day === undefined) throw wrong(field)
  return day
}

function readSent(
  { alreadySent, invoiceDate, currency }: DraftBody,
  today: CalendarDate,
): AlreadySent | null {
  if (!alreadySent) return null
  const sentDate = dayOf(alreadySent.sentDate, 'alreadySent.sentDate')
  if (sentDate > today || sentDate < invoiceDate) throw wrong('alreadySent.sentDate')
  const { remindedOn: reminded, reminderFee } = alreadySent
  const remindedOn = reminded ? dayOf(reminded, 'alreadySent.remindedOn') : null
  if (remindedOn !== null && (remindedOn > today || remindedOn < sentDate))
    throw wrong('alreadySent.remindedOn')
  const fee = parseAmount(String(reminderFee ?? 0), currency)
  const isFeeRight = fee && fee.minor >= 0 && (fee.minor === 0 || remindedOn !== null)
  if (!isFeeRight) throw wrong('alreadySent.reminderFee')
  return { sentDate, remindedOn, reminderFeeMinor: fee.minor }
}

function readDebtor(debtor: DraftBody['debtor'], today: CalendarDate): ParsedInvoice['debtor'] {
  const said = (name: 'address' | 'address2' | 'zip' | 'city' | 'countryCode'): string | null =>
    debtor[name]?.trim() || debtor.invoiceAddress?.[name]?.trim() || null
  const [country, zip, street, city] = [said('countryCode'), said('zip'), said('address'), said('city')]
  if (country === null) throw wrong('debtor.countryCode')
  if (zip === null || !isZipValid(country, zip)) throw wrong('debtor.zip')
  if (street === null) throw wrong('debtor.address')
  if (city === null) throw wrong('debtor.city')
  const number = debtor.identificationNumber?.trim() || null
  if (number !== null && !isIdentificationNumberValid(country, number, today)) {
    throw wrong('debtor.identificationNumber')
  }
  const email = debtor.email?.trim() || null
  if (email !== null && !isEmail(email)) throw wrong('debtor.email')
  return {
    kind: debtor.type,
    name: debtor.name.trim(),
    country,
    identificationNumber: number,
    email,
    phone: debtor.phone?.trim() || null,
    address: street,
    address2: said('address2'),
    zip: normaliseZip(zip),
    city,
  }
}

/** The draft as a file of its creditor would say it. */
async function asParsed(
  tx: Transaction,
  { instanceId, creditorId }: { readonly instanceId: string; readonly creditorId: string },
  draft: ReadDraft & { readonly number: string },
): Promise<ParsedInvoice> {
  const { body, debtor, priced, number } = draft
  const creditor = await readCreditor(tx, instanceId, creditorId)
  const { identification_number: identificationNumber, logo_name: _, ...said } = creditor
  return {
    document: 'Invoice',
    invoiceNumber: number,
    issueDate: draft.invoiceDate,
    dueDate: draft.expireDate,
    currency: body.currency,
    payableMinor: priced.totalMinor,
    rows: priced.rows.map(({ netMinor, ...row }, index) => ({
      line: String(index + 1),
      name: body.rows[index]?.description.trim() ?? '',
      description: null,
      unit: null,
      amountMinor: netMinor,
      accountNumber: null,
      ...row,
      vatReason: body.rows[index]?.vatReason?.trim() || null,
    })),
    taxes: priced.taxes.filter(({ taxMinor }) => taxMinor !== 0),
    creditor: { ...said, identificationNumber },
    debtor,
    reference: body.paymentReference?.trim() || null,
    account: null,
    billingReferences: [],
    attachments: [],
    debtorAddress: null,
    customerNumber: draft.terms.customerNumber,
    warnings: [],
  }
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
