/** An invoice that somebody writes, in a form or as rows of a table, instead of sending a document: its checks, the same for both. */
import { parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isEmail } from '@kvitt/domain/form/field-rules.ts'
import type { invoiceDraft } from '@kvitt/domain/invoices/draft.contract.ts'
import { priceDraft, type PricedDraft } from '@kvitt/domain/invoices/draft.ts'
import { parseAmount } from '@kvitt/domain/money.ts'
import { isIdentificationNumberValid } from '@kvitt/domain/people/identification-number.ts'
import { isZipValid } from '@kvitt/domain/people/zip.ts'
import { normaliseZip } from '@kvitt/domain/references.ts'
import type { z } from 'zod'
import type { AlreadySent, DraftTerms } from './import-run.ts'
import type { ParsedInvoice } from './parsed-invoice.ts'

export type DraftBody = z.output<typeof invoiceDraft>

/** The shortest time between the day on which we send an invoice and its due date. */
export const SHORTEST_TERM_DAYS = 10

const wrong = (field: string): Refusal => new Refusal('invalid_request', {}, [field])

export type ReadDraft = {
  readonly body: DraftBody
  readonly debtor: ParsedInvoice['debtor']
  readonly invoiceDate: CalendarDate
  readonly expireDate: CalendarDate
  readonly priced: PricedDraft
  readonly terms: DraftTerms
}

/** What the fields say together. Refuses `invalid_request` with the field that is wrong. */
export function readDraft(body: DraftBody, today: CalendarDate): ReadDraft {
  const priced = priceDraft(body.rows, body.currency)
  if ('field' in priced) throw wrong(priced.field)
  const invoiceDate = dayOf(body.invoiceDate, 'invoiceDate')
  const expireDate = dayOf(body.expireDate, 'expireDate')
  const alreadySent = readSent(body, { invoiceDate, expireDate, today })
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

/** Nobody has had an invoice before it was written; and who gets it after its due date has had no time to pay. */
export function canBeSentOn(
  sentDate: string,
  { invoiceDate, expireDate }: { readonly invoiceDate: string; readonly expireDate: string },
): boolean {
  return invoiceDate <= sentDate && sentDate <= expireDate
}

function readSent(
  { alreadySent, currency }: DraftBody,
  { today, ...days }: Readonly<Record<'invoiceDate' | 'expireDate' | 'today', CalendarDate>>,
): AlreadySent | null {
  if (!alreadySent) return null
  const sentDate = dayOf(alreadySent.sentDate, 'alreadySent.sentDate')
  if (!canBeSentOn(sentDate, days) || sentDate > today) throw wrong('alreadySent.sentDate')
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
export function asParsed(
  creditor: Omit<ParsedInvoice['creditor'], 'identificationNumber'> & {
    readonly identification_number: string | null
    readonly logo_name: string | null
  },
  draft: ReadDraft & { readonly number: string },
): ParsedInvoice {
  const { body, debtor, priced, number } = draft
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
