/** The calls that make an invoice and send it. */
import { z } from 'zod'
import { amountIn, clientCall, day, invoiceNumber } from '../contract.ts'
import { CURRENCIES } from '../money.ts'
import { strictLine } from '../typed-text.contract.ts'
import { actedInvoice } from './office-invoice.contract.ts'

/** May be left out, null or empty. */
const maybe = (most: number) => z.union([strictLine(most), z.literal('')]).nullish()

export const DISTRIBUTIONS = ['EMAIL', 'LETTER', 'ELECTRONIC_INVOICE', 'DIGITAL_MAILBOX'] as const

const address = {
  address: maybe(200),
  address2: maybe(200),
  zip: maybe(40),
  city: maybe(100),
  countryCode: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullish(),
}

const draftDebtor = z.strictObject({
  type: z.enum(['PERSON', 'COMPANY']),
  name: strictLine(200),
  identificationNumber: maybe(40),
  email: maybe(254),
  phone: maybe(40),
  /** The address stands here, or in `invoiceAddress` as answers have it. */
  ...address,
  invoiceAddress: z.strictObject(address).nullish(),
  /** What the creditor calls the debtor. */
  customerNumber: maybe(60),
  language: z.enum(['sv', 'en', 'nb', 'da', 'fi']).nullish(),
})

/** As parseDocumentDay; that it is a real one is looked at with the draft. */
const documentDay = z.string().regex(/^20\d\d-\d{2}-\d{2}$/)

const draftRow = z.strictObject({
  description: strictLine(300),
  quantity: amountIn,
  /** Without value added tax, with up to four decimals. */
  unitPrice: amountIn,
  /** One decimal is allowed. */
  vatPercent: amountIn,
  /** Why there is no tax; needed at 0 %. */
  vatReason: maybe(200),
})

export const invoiceDraft = z.strictObject({
  /** Left out: the next of the creditor's own series. */
  invoiceNumber: invoiceNumber.nullish(),
  debtor: draftDebtor,
  invoiceDate: documentDay,
  expireDate: documentDay,
  currency: z.enum(CURRENCIES),
  /** One that cannot be used is replaced by ours and kept as `originalReference` (D-22). */
  paymentReference: maybe(60),
  /** How it goes to the debtor if that way is open; else the provider's own order of ways. */
  distribution: z.enum(DISTRIBUTIONS).nullish(),
  /** The creditor has sent it: nothing is sent by us, and its due date may have passed. */
  alreadySent: z
    .strictObject({ sentDate: day, remindedOn: day.nullish(), reminderFee: amountIn.nullish() })
    .nullish(),
  rows: z.array(draftRow).min(1).max(500),
})

export const createOfficeInvoice = clientCall({
  name: 'createOfficeInvoice',
  right: 'draft',
  method: 'POST',
  path: '/invoices',
  status: 201,
  takesKey: true,
  body: invoiceDraft,
  response: actedInvoice,
  refusals: [
    'invoice_number_taken',
    'reminder_too_soon',
    'reminder_fee_not_agreed',
    'reminder_fee_too_large',
    'idempotency_key_reused',
  ],
})

/** Withdraws what has not been sent: it is ARCHIVED. */
export const withdrawOfficeInvoice = clientCall({
  name: 'withdrawOfficeInvoice',
  right: 'draft',
  method: 'DELETE',
  path: '/invoices/:id',
  takesKey: true,
  response: actedInvoice,
  refusals: ['already_sent', 'idempotency_key_reused'],
})

/** PENDING; and ACTIVATED once it is sent, on its invoice date or at once when that has come. */
export const approveOfficeInvoice = clientCall({
  name: 'approveOfficeInvoice',
  right: 'approve',
  method: 'POST',
  path: '/invoices/:id/approve',
  takesKey: true,
  takesUndo: true,
  response: actedInvoice,
  refusals: ['act_not_open', 'due_too_soon', 'idempotency_key_reused'],
})
