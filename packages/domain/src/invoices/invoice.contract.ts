/** The calls about one invoice. Fields keep the specification's spelling (section 3). */
import { z } from 'zod'
import { amount, day, invoiceCall, invoiceQuery, LIST_QUERY, type AnswerOf } from '../contract.ts'
import { INVOICE_STATUSES, INVOICE_TYPES } from './invoice.ts'

export const invoiceAnswer = z.strictObject({
  id: z.uuid(),
  invoiceNumber: z.string(),
  paymentReference: z.string(),
  /** The reference that the creditor printed when ours replaced it (D-22). */
  originalReference: z.string().nullable(),
  zipCode: z.string(),
  clientName: z.string(),
  type: z.enum(INVOICE_TYPES),
  statuses: z.strictObject({ main: z.enum(INVOICE_STATUSES) }),
  /** `today` is the instance's business day, so that every distance on the screen agrees with the server. */
  dates: z.strictObject({ invoiceDate: day, sentDate: day.nullable(), expireDate: day, today: day }),
  balances: z.strictObject({ total: amount, principal: amount, costs: amount, interest: amount }),
  totals: z.strictObject({ totalToPay: amount }),
  currency: z.strictObject({ invoiceCurrency: z.string() }),
  documents: z.strictObject({ invoiceWithAttachments: z.string().nullable() }),
  document: z.strictObject({ invoiceWithAttachments: z.string().nullable() }),
  /** All of it was credited before it was closed: it is over without being paid. */
  isCredited: z.boolean(),
  isPartPayment: z.boolean(),
  partPaymentVariant: z.enum(['PART_PAYMENT', 'ONGOING_PAYMENT', 'PART_PAYMENT_ACCOUNT']).nullable(),
  debtor: z.strictObject({
    name: z.string(),
    email: z.string().nullable(),
    invoiceAddress: z.strictObject({ zip: z.string(), countryCode: z.string() }),
  }),
  property: z.string().nullable(),
  collectionBatchNumber: z.string().nullable(),
  collection_batch_payment_reference: z.string().nullable(),
  collection_batch_zip: z.string().nullable(),
  collection_batch_number: z.string().nullable(),
})

/** Also the login lookup: the public form with a right pair is the session. */
export const getInvoice = invoiceCall({
  name: 'invoice',
  path: '',
  pairProof: 'first_read',
  response: invoiceAnswer,
})

export const documentAnswer = z.strictObject({
  type: z.string(),
  topic: z.string(),
  /** A name below `storage/` that opens the file for a short time. */
  fileName: z.string(),
  fileNameRaw: z.string(),
})
export const listDocuments = invoiceCall({
  name: 'invoiceDocuments',
  power: 'documents',
  path: '/documents',
  response: z.array(documentAnswer),
})

/** Days with one rate and one base (inkassolagen section 5). */
export const interestPeriodAnswer = z.strictObject({
  /** The yearly rate in percent, such as "11.5". */
  rate: z.string(),
  from: day,
  /** The last day that bears interest. */
  to: day,
  days: z.int(),
  /** What it is on. */
  principal: amount,
  amount,
})
/**
 * What a posting of interest, or an invoice for interest, is made of; empty for everything else. What is missing to the
 * sum is interest of earlier days that had been too little to post.
 */
const interest = z.array(interestPeriodAnswer)

export const eventAnswer = z.strictObject({
  topic: z.enum(['LEDGER', 'FINANCIAL']),
  type: z.string(),
  subType: z.string().nullable(),
  date: day,
  amount: amount.nullable(),
  balance: amount.nullable(),
  status: z.string().nullable(),
  interest,
})
const eventQuery = invoiceQuery.extend(LIST_QUERY)
export const listEvents = invoiceCall({
  name: 'invoiceEvents',
  path: '/events',
  query: eventQuery,
  response: z.array(eventAnswer),
  refusals: ['invalid_filter', 'invalid_paging'],
})
export const financialEventAnswer = z.strictObject({
  date: day,
  type: z.string(),
  amounts: z.strictObject({ total: amount }),
  balances: z.strictObject({ total: amount }),
  interest,
})
export const listFinancialEvents = invoiceCall({
  name: 'invoiceFinancialEvents',
  path: '/events/financial',
  query: eventQuery,
  refusals: ['invalid_filter', 'invalid_paging'],
  response: z.array(financialEventAnswer),
})
export const ledgerEventAnswer = z.strictObject({
  type: z.string(),
  plannedDate: day.nullable(),
  performedDate: day.nullable(),
  status: z.string(),
})
export const listLedgerEvents = invoiceCall({
  name: 'invoiceLedgerEvents',
  path: '/events/ledger',
  query: eventQuery,
  refusals: ['invalid_filter', 'invalid_paging'],
  response: z.array(ledgerEventAnswer),
})

export const accountAnswer = z.strictObject({
  accountNumber: z.string().nullable(),
  receiverName: z.string(),
  bankName: z.string().nullable(),
  iban: z.string().nullable(),
  bic: z.string().nullable(),
})
export const clientAnswer = z.strictObject({
  name: z.string(),
  logotypeDocumentFileName: z.string().nullable(),
  paymentAccounts: z.array(accountAnswer),
  addressInformation: z.strictObject({
    address: z.string().nullable(),
    address2: z.string().nullable(),
    zip: z.string().nullable(),
    city: z.string().nullable(),
  }),
  contactInformation: z.strictObject({ email: z.string().nullable(), phone: z.string().nullable() }),
})
export const getClient = invoiceCall({ name: 'invoiceClient', path: '/client', response: clientAnswer })

export type InvoiceAnswer = AnswerOf<typeof getInvoice>
export type DocumentAnswer = z.output<typeof documentAnswer>
export type EventAnswer = z.output<typeof eventAnswer>
export type FinancialEventAnswer = z.output<typeof financialEventAnswer>
export type InterestPeriodAnswer = z.output<typeof interestPeriodAnswer>
export type AccountAnswer = z.output<typeof accountAnswer>
export type ClientAnswer = z.output<typeof clientAnswer>
