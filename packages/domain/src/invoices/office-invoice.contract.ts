/** A creditor's invoices as its own staff and programs see them. */
import { z } from 'zod'
import { amount, officeCall, day, LIST_QUERY, searchBody } from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { INVOICE_STATUSES, INVOICE_TYPES } from './invoice.ts'

export const officeDebtor = z.strictObject({
  id: z.uuid(),
  type: z.enum(['PERSON', 'COMPANY']),
  name: z.string(),
  identificationNumber: z.string().nullable(),
  /** How they are reached is hidden: `email`, `phone` and all of the address but its country are empty (M-36). */
  isProtected: z.boolean(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  invoiceAddress: z.strictObject({
    address: z.string().nullable(),
    address2: z.string().nullable(),
    zip: z.string(),
    city: z.string().nullable(),
    countryCode: z.string(),
  }),
})

/** What stands in a list, and first in a detail. */
const listed = {
  id: z.uuid(),
  /** Changes with every change of the invoice; goes back with a change that somebody makes. */
  version: z.number().int(),
  invoiceNumber: z.string(),
  paymentReference: z.string(),
  originalReference: z.string().nullable(),
  type: z.enum(INVOICE_TYPES),
  statuses: z.strictObject({ main: z.enum(INVOICE_STATUSES) }),
  dates: z.strictObject({
    invoiceDate: day,
    sentDate: day.nullable(),
    expireDate: day,
    /** The instance's business day. */
    today: day,
  }),
  balances: z.strictObject({ total: amount, principal: amount, costs: amount, interest: amount }),
  totals: z.strictObject({ totalToPay: amount }),
  currency: z.strictObject({ invoiceCurrency: z.string() }),
  isPartPayment: z.boolean(),
  partPaymentVariant: z.enum(['PART_PAYMENT', 'ONGOING_PAYMENT', 'PART_PAYMENT_ACCOUNT']).nullable(),
  /** The claim that its balance has moved to. */
  collectionBatch: z.strictObject({ id: z.uuid(), collectionBatchNumber: z.string() }).nullable(),
  /** Everything of its debtor rests (M-34): nothing is charged, sent or started. */
  isResting: z.boolean(),
  /** The next step that is planned for it; null while it rests. */
  nextStep: z.strictObject({ type: z.string(), plannedDate: day }).nullable(),
  property: z.string().nullable(),
  /** How its creditor wants it to reach the debtor; null for the provider's order of ways. */
  distribution: z.string().nullable(),
  /** What its creditor calls the debtor, where that is known. */
  customerNumber: z.string().nullable(),
  /** In which language the debtor is written to; null for that of the country. */
  language: z.string().nullable(),
  debtor: officeDebtor,
  creditor: creditorOfRow,
}

export const officeInvoice = z.strictObject(listed)

/** What an act answers: an API key without the scope `read` learns nothing of the debtor by it. */
export const actedInvoice = officeInvoice.partial({ debtor: true, customerNumber: true })

export const searchOfficeInvoices = officeCall({
  name: 'searchOfficeInvoices',
  right: 'see',
  method: 'POST',
  path: '/invoices/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(officeInvoice),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getOfficeInvoice = officeCall({
  name: 'officeInvoice',
  right: 'see',
  path: '/invoices/:id',
  response: officeInvoice,
})
