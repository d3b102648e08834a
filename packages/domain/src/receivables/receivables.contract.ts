/** What debtors owed at the end of a day, by the books. Amounts are in the currency's main unit. */
import { z } from 'zod'
import { amount, day, LIST_QUERY, officeCall, searchBody } from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { AGE_BUCKETS } from './ageing.ts'

const owed = { principal: amount, costs: amount, interest: amount, total: amount }

/**
 * The day counts by booking: what was booked by the end of it is in, whatever day its money counts from. It is the instance's
 * business day; left out, today.
 */
const ofDay = { day: day.optional() }

const REFUSALS = ['day_out_of_reach', 'invalid_request', 'invalid_filter', 'invalid_paging'] as const

/** One open debt as it stood then: of an invoice in a claim the claim has it. Also what was stopped and is not asked for any more. */
export const receivable = z.strictObject({
  id: z.uuid(),
  type: z.enum(['invoices', 'collection-batches']),
  number: z.string(),
  paymentReference: z.string(),
  debtor: z.strictObject({ id: z.uuid(), name: z.string().nullable() }),
  creditor: creditorOfRow,
  currency: z.string(),
  /** The day on which it first fell due; of a claim, its oldest invoice. */
  dueOn: day,
  /** Days from then to the day, 0 before. */
  daysLate: z.number().int(),
  bucket: z.enum(AGE_BUCKETS),
  ...owed,
})

export const searchReceivables = officeCall({
  name: 'searchReceivables',
  right: 'see',
  method: 'POST',
  path: '/receivables/search',
  query: z.object({ ...LIST_QUERY, ...ofDay }),
  body: searchBody,
  response: z.array(receivable),
  refusals: REFUSALS,
})

/** What the list of a day comes to, by currency and age, beside what the books themselves kept for the day. */
export const getReceivables = officeCall({
  name: 'receivables',
  right: 'see',
  path: '/receivables',
  query: z.object({ ...ofDay, creditor: z.uuid().optional() }),
  response: z.strictObject({
    day,
    sums: z.array(
      z.strictObject({
        currency: z.string(),
        count: z.number().int(),
        ...owed,
        ages: z.array(
          z.strictObject({ bucket: z.enum(AGE_BUCKETS), count: z.number().int(), total: amount }),
        ),
        /** The counterweight of all that is owed, kept by day as it was posted: the same sum, reached another way. */
        kept: amount,
        agrees: z.boolean(),
      }),
    ),
  }),
  refusals: ['day_out_of_reach', 'invalid_request'],
})
