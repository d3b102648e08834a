/** The disputes that a creditor answers. */
import { z } from 'zod'
import {
  amount,
  amountIn,
  clientCall,
  officeCall,
  day,
  instant,
  LIST_QUERY,
  searchBody,
} from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { officeDebtor } from '../invoices/office-invoice.contract.ts'
import { disputeFileAnswer } from './dispute.contract.ts'
import { DISPUTE_DECISIONS, OFFICE_DISPUTE_STATUSES } from './office-dispute.ts'

/** What stands in a list, and first in a detail. */
const listed = {
  id: z.uuid(),
  version: z.number().int(),
  status: z.enum(OFFICE_DISPUTE_STATUSES),
  /** The debtor's own words. */
  reason: z.string(),
  openedOn: day,
  /** The last day on which it is answered in time; null once it is. */
  deadline: day.nullable(),
  decidedOn: day.nullable(),
  /** What is disputed: the resource where it is found, its row, and its number. */
  subject: z.strictObject({
    type: z.enum(['invoices', 'collection-batches']),
    id: z.uuid(),
    number: z.string(),
  }),
  /** What is open of it now. */
  balances: z.strictObject({ total: amount, principal: amount, costs: amount, interest: amount }),
  currency: z.string(),
  debtor: officeDebtor,
  creditor: creditorOfRow,
}

export const officeDispute = z.strictObject(listed)

export const officeDisputeDetail = z.strictObject({
  ...listed,
  /** Where the debtor wants to be answered; empty where nobody named an address. */
  email: z.string(),
  /** What the document or documents asked for. */
  totalToPay: amount,
  paymentReference: z.string(),
  expireDate: day,
  /** The task that asks for the answer; null where it has none. */
  taskId: z.uuid().nullable(),
  /** What the debtor has sent along; each name opens its file below `storage/` for a short time. */
  files: z.array(disputeFileAnswer),
  /** What was written, the oldest first. `by`: whoever of the creditor's or the provider's staff answered. */
  thread: z.array(
    z.strictObject({
      from: z.enum(['DEBTOR', 'CREDITOR']),
      text: z.string(),
      at: instant.nullable(),
      date: day,
      by: z.string().nullable(),
    }),
  ),
})
/** What an answer to it answers: an API key without the scope `read` learns nobody's data and nobody's words by it. */
export const actedDispute = officeDisputeDetail.partial().required({ id: true, version: true, status: true })
export type OfficeDisputeDetail = z.output<typeof officeDisputeDetail>

export const searchOfficeDisputes = officeCall({
  name: 'searchOfficeDisputes',
  right: 'see',
  method: 'POST',
  path: '/disputes/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(officeDispute),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getOfficeDispute = officeCall({
  name: 'officeDispute',
  right: 'see',
  path: '/disputes/:id',
  response: officeDisputeDetail,
})

/** `amount` is what is credited when it is upheld in part, VAT included: above 0 and below the open principal. */
/** The creditor's own decision: an operator has no way yet to attach the creditor's answer. */
export const decideOfficeDispute = clientCall({
  name: 'decideOfficeDispute',
  right: 'answer',
  method: 'POST',
  path: '/disputes/:id/decide',
  takesKey: true,
  takesUndo: true,
  body: z.strictObject({
    decision: z.enum(DISPUTE_DECISIONS),
    amount: amountIn.nullish(),
    answer: z.string().max(200_000),
  }),
  response: actedDispute,
  refusals: [
    'invalid_request',
    'answer_required',
    'reason_too_long',
    'amount_invalid',
    'dispute_answered',
    'idempotency_key_reused',
  ],
})
