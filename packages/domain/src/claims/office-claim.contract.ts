/** A creditor's claims as its own staff and programs see them. */
import { z } from 'zod'
import { amount, officeCall, day, LIST_QUERY, searchBody } from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { documentAnswer, eventAnswer } from '../invoices/invoice.contract.ts'
import { officeDebtor } from '../invoices/office-invoice.contract.ts'
import { sentMessage } from '../messages/office-message.contract.ts'
import { claimInvoiceAnswer } from './claim.contract.ts'
import { CLAIM_STATUSES } from './claim.ts'

export const officeClaim = z.strictObject({
  id: z.uuid(),
  /** Changes with every change of the claim; goes back with a change that somebody makes. */
  version: z.number().int(),
  collectionBatchNumber: z.string(),
  paymentReference: z.string(),
  status: z.enum(CLAIM_STATUSES),
  stopReason: z.string().nullable(),
  /** While it is paused: why, and the day on which it goes on by itself; null until somebody says so. */
  pauseReason: z.string().nullable(),
  resumeDate: day.nullable(),
  dates: z.strictObject({
    openedOn: day,
    /** The last day to pay. */
    expireDate: day,
    /** The instance's business day. */
    today: day,
  }),
  balances: z.strictObject({ total: amount, principal: amount, costs: amount, interest: amount }),
  /** What the documents of its invoices asked for. */
  totals: z.strictObject({ totalToPay: amount }),
  currency: z.string(),
  isPartPayment: z.boolean(),
  partPaymentVariant: z.enum(['PART_PAYMENT', 'ONGOING_PAYMENT', 'PART_PAYMENT_ACCOUNT']).nullable(),
  /** How many invoices it was made of. */
  invoiceCount: z.number().int(),
  /** Everything of its debtor rests (M-34): nothing is charged, sent or started. */
  isResting: z.boolean(),
  nextStep: z.strictObject({ type: z.string(), plannedDate: day }).nullable(),
  debtor: officeDebtor,
  creditor: creditorOfRow,
})

/** What an act answers: an API key without the scope `read` learns nothing of the debtor by it. */
export const actedClaim = officeClaim.partial({ debtor: true })

export const searchOfficeClaims = officeCall({
  name: 'searchOfficeClaims',
  right: 'see',
  method: 'POST',
  path: '/collection-batches/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(officeClaim),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getOfficeClaim = officeCall({
  name: 'officeClaim',
  right: 'see',
  path: '/collection-batches/:id',
  response: officeClaim,
})

/** The invoices that it was made of, each with what was bought. */
export const listOfficeClaimInvoices = officeCall({
  name: 'officeClaimInvoices',
  right: 'see',
  path: '/collection-batches/:id/invoices',
  response: z.array(claimInvoiceAnswer),
})

/** Steps performed and money moved, merged into one story. */
export const listOfficeClaimEvents = officeCall({
  name: 'officeClaimEvents',
  right: 'see',
  path: '/collection-batches/:id/events',
  query: z.object(LIST_QUERY),
  response: z.array(eventAnswer),
  refusals: ['invalid_filter', 'invalid_paging'],
})

/** Its demand, with a name below `storage/` that opens it for a short time. */
export const listOfficeClaimDocuments = officeCall({
  name: 'officeClaimDocuments',
  right: 'see',
  path: '/collection-batches/:id/documents',
  response: z.array(documentAnswer),
})

export const listOfficeClaimMessages = officeCall({
  name: 'officeClaimMessages',
  right: 'see',
  path: '/collection-batches/:id/messages',
  response: z.array(sentMessage),
})
