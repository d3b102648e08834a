/** The calls about one claim, the specification's collection batch. Fields keep its spelling (section 3). */
import { z } from 'zod'
import { amount, claimCall, claimQuery, day, LIST_QUERY, type AnswerOf } from '../contract.ts'
import { instanceAnswer } from '../instances/instance.contract.ts'
import {
  clientAnswer,
  eventAnswer,
  financialEventAnswer,
  interestPeriodAnswer,
  ledgerEventAnswer,
} from '../invoices/invoice.contract.ts'
import { CLAIM_STATUSES } from './claim.ts'

/** The newest demand. Its name opens it below `storage/` for a short time. */
const collectionDocument = z.strictObject({
  collection: z.strictObject({ fileName: z.string(), fileNameRaw: z.string() }).nullable(),
})

export const claimAnswer = z.strictObject({
  id: z.uuid(),
  collectionBatchNumber: z.string(),
  paymentReference: z.string(),
  zip: z.string(),
  clientName: z.string(),
  status: z.enum(CLAIM_STATUSES),
  currency: z.string(),
  /** The last day to pay. */
  expireDate: day,
  /** The instance's business day, so that every distance on the screen agrees with the server. */
  today: day,
  balanceTotal: amount,
  balances: z.strictObject({ total: amount, principal: amount, costs: amount, interest: amount }),
  /** What the documents of its invoices asked for. */
  invoiceTotalToPay: amount,
  /** All of it was credited before it was closed: it is over without being paid. */
  isCredited: z.boolean(),
  isPartPayment: z.boolean(),
  partPaymentVariant: z.enum(['PART_PAYMENT', 'ONGOING_PAYMENT', 'PART_PAYMENT_ACCOUNT']).nullable(),
  debtor: z.strictObject({ name: z.string(), email: z.string().nullable() }),
  document: collectionDocument,
})

/** With a right pair this is the session of a claim. */
export const getClaim = claimCall({ name: 'claim', path: '', response: claimAnswer })

/** The same by its number (D-25). */
export const getClaimByNumber = claimCall({
  name: 'claimByNumber',
  path: '/:collectionBatchNumber',
  doors: ['debtor'],
  response: claimAnswer,
})

export const claimInvoiceAnswer = z.strictObject({
  id: z.uuid(),
  invoiceNumber: z.string(),
  paymentReference: z.string(),
  purchaseDate: day,
  expireDate: day,
  totalToPay: amount,
  /** What moved from the invoice to the claim. */
  transferred: z.strictObject({ total: amount, principal: amount, costs: amount, interest: amount }),
  /** All interest that was posted on the invoice, also what was paid before it moved. */
  interest: z.array(interestPeriodAnswer),
  rows: z.array(z.strictObject({ accountNumber: z.string().nullable(), description: z.string(), amount })),
})

/** The invoices that a claim was made of, each with what was bought. */
export const listClaimInvoices = claimCall({
  name: 'claimInvoices',
  path: '/invoices',
  response: z.array(claimInvoiceAnswer),
})

export const getClaimClient = claimCall({ name: 'claimClient', path: '/client', response: clientAnswer })

export const getClaimInstance = claimCall({
  name: 'claimInstanceProvider',
  path: '/instance-provider',
  response: instanceAnswer,
})

export const getClaimDocuments = claimCall({
  name: 'claimDocuments',
  power: 'documents',
  path: '/documents',
  response: z.strictObject({ document: collectionDocument }),
  refusals: ['document_not_found'],
})

const eventQuery = claimQuery.extend(LIST_QUERY)

export const listClaimEvents = claimCall({
  name: 'claimEvents',
  path: '/events',
  query: eventQuery,
  response: z.array(eventAnswer),
  refusals: ['invalid_filter', 'invalid_paging'],
})
export const listClaimFinancialEvents = claimCall({
  name: 'claimFinancialEvents',
  path: '/events/financial',
  query: eventQuery,
  response: z.array(financialEventAnswer),
  refusals: ['invalid_filter', 'invalid_paging'],
})
export const listClaimLedgerEvents = claimCall({
  name: 'claimLedgerEvents',
  path: '/events/ledger',
  query: eventQuery,
  response: z.array(ledgerEventAnswer),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export type ClaimAnswer = AnswerOf<typeof getClaim>
export type ClaimInvoiceAnswer = AnswerOf<typeof listClaimInvoices>[number]
