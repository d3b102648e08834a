/** The debtor's invoices as a list, and what they come to. */
import { z } from 'zod'
import { amount, invoiceCall, invoiceNumber, type AnswerOf } from '../contract.ts'
import { invoiceAnswer } from './invoice.contract.ts'

/** What is owed, once for each currency. Invoices in a claim or behind a plan count there, not here (D-29). */
export const getStats = invoiceCall({
  name: 'invoiceStats',
  path: '/stats',
  response: z.array(z.strictObject({ currency: z.string(), balance: amount, count: z.number().int() })),
})

/**
 * All invoices of the debtor whose invoice the viewer was let in with. The filter is nested or dotted:
 * `{statuses: {main}}` or `{"statuses.main"}`, statuses joined by `[OR]`.
 */
export const listInvoices = invoiceCall({
  name: 'invoiceLedger',
  method: 'POST',
  path: '/ledger',
  query: z.object({
    invoiceNumber: invoiceNumber.optional(),
    limit: z.string().optional(),
    page: z.string().optional(),
    order: z.string().max(10).optional(),
    orderBy: z.string().max(60).optional(),
  }),
  body: z
    .object({
      statuses: z.object({ main: z.string().optional() }).optional(),
      'statuses.main': z.string().optional(),
    })
    .optional(),
  response: z.array(invoiceAnswer),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export type StatsAnswer = AnswerOf<typeof getStats>
