/** The creditors of an instance, as an operator's people see them, and what is agreed with each (staff.md 3: `clients`). */
import { z } from 'zod'
import { adminCall, amount, amountIn, day, instant, LIST_QUERY, searchBody } from '../contract.ts'
import { proposal } from '../proposals/proposal.contract.ts'
import { SETTLEMENT_PERIODS } from '../settlements/settlement.ts'

/** What the operator takes for its work from a day on. */
const terms = {
  from: day,
  /** Of what comes for invoices, and for claims. */
  invoiceCommissionPercent: z.number(),
  claimCommissionPercent: z.number(),
  /** Of the prices and the smallest payout. */
  currency: z.string(),
  /** For each payment, and for each claim that is opened. */
  paymentPrice: amount,
  casePrice: amount,
  /** On all that is taken. */
  vatPercent: z.number(),
  period: z.enum(SETTLEMENT_PERIODS),
  /** What is less waits for the next settlement. */
  smallestPayout: amount,
  /** Where it is written. */
  source: z.string(),
}

export const clientAgreement = z.strictObject({ ...terms, enteredAt: instant, enteredBy: z.string() })

const listed = {
  id: z.uuid(),
  version: z.number().int(),
  name: z.string(),
  identificationNumber: z.string().nullable(),
  countryCode: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  address: z.string().nullable(),
  zip: z.string().nullable(),
  city: z.string().nullable(),
  /** What holds today; null where nothing has been agreed: then nothing is taken, and each month is settled. */
  agreement: clientAgreement.nullable(),
}

export const client = z.strictObject(listed)
/** With all that was agreed, the newest first: of two from one day the later word holds. */
export const clientDetail = z.strictObject({ ...listed, agreements: z.array(clientAgreement) })

export const searchClients = adminCall({
  name: 'searchOfficeClients',
  right: 'see',
  method: 'POST',
  path: '/clients/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(client),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getClient = adminCall({
  name: 'client',
  right: 'see',
  path: '/clients/:id',
  response: clientDetail,
})

/** Proposes what is agreed from today or a later day on: another manager, or an approver, decides. What has been settled by then stays. */
export const proposeAgreement = adminCall({
  name: 'proposeAgreement',
  right: 'creditors',
  method: 'POST',
  path: '/clients/:id/agreements',
  status: 202,
  body: z.strictObject({
    from: z.string().max(10),
    invoiceCommissionPercent: amountIn.optional(),
    claimCommissionPercent: amountIn.optional(),
    currency: z.string().max(3),
    paymentPrice: amountIn.optional(),
    casePrice: amountIn.optional(),
    vatPercent: amountIn,
    period: z.enum(SETTLEMENT_PERIODS),
    smallestPayout: amountIn.optional(),
    source: z.string().max(200),
  }),
  response: proposal,
  refusals: ['invalid_request', 'proposal_open'],
})
