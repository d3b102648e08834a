/** What was paid to a creditor's debts. */
import { z } from 'zod'
import { amount, clientCall, officeCall, day, instant, LIST_QUERY, searchBody } from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { OFFICE_PAYMENT_STATUSES, PAYMENT_WAYS } from './office-payment.ts'
import { typedLines } from '../typed-text.contract.ts'

/** Money that was shared among several debts is one row for each of them. */
export const officePayment = z.strictObject({
  id: z.uuid(),
  version: z.number().int(),
  status: z.enum(OFFICE_PAYMENT_STATUSES),
  amount,
  currency: z.string(),
  way: z.enum(PAYMENT_WAYS),
  /** The gateway that it went through; null for what came by itself. */
  gateway: z.string().nullable(),
  /** The day on which it entered the books, and the day from which it counts; null before. */
  bookedOn: day.nullable(),
  valueOn: day.nullable(),
  createdAt: instant,
  /** What it was paid on. */
  subject: z.strictObject({
    type: z.enum(['invoices', 'collection-batches']),
    id: z.uuid(),
    number: z.string(),
    paymentReference: z.string(),
  }),
  debtor: z.strictObject({ id: z.uuid(), name: z.string() }),
  creditor: creditorOfRow,
})

export const searchOfficePayments = officeCall({
  name: 'searchOfficePayments',
  right: 'see',
  method: 'POST',
  path: '/payments/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(officePayment),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getOfficePayment = officeCall({
  name: 'officePayment',
  right: 'see',
  path: '/payments/:id',
  response: officePayment,
})

/** What the creditor's staff had entered as paid to it, and was not: it counts as paid no more. Answers the payment as it is then. */
export const reverseOfficePayment = clientCall({
  name: 'reverseOfficePayment',
  right: 'direct_payment',
  method: 'POST',
  path: '/payments/:id/reverse',
  takesKey: true,
  body: z.strictObject({ reason: typedLines(500) }),
  response: officePayment,
  refusals: ['act_not_open', 'owed_in_plan', 'why_required', 'idempotency_key_reused'],
})
