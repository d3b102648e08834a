/** The debtor's invoices as a list, and what they come to. */
import { z } from 'zod'
import { amount, filterText, invoiceCall, searchBody, searchQuery, type AnswerOf } from '../contract.ts'
import { clientAnswer, invoiceAnswer } from './invoice.contract.ts'

/**
 * What is owed on the open invoices, once for each currency, and how many they are: those that a list of them shows. What
 * a claim holds counts there; what a plan has not billed yet still counts here, so each krona counts once (D-29).
 */
export const getStats = invoiceCall({
  name: 'invoiceStats',
  power: 'lists',
  path: '/stats',
  response: z.array(z.strictObject({ currency: z.string(), balance: amount, count: z.number().int() })),
})

/**
 * All invoices of the debtor whose invoice the viewer was let in with. The filter is nested or dotted:
 * `{statuses: {main}}` or `{"statuses.main"}`, statuses joined by `[OR]`.
 */
export const listInvoices = invoiceCall({
  name: 'invoiceLedger',
  power: 'lists',
  method: 'POST',
  reads: true,
  path: '/ledger',
  query: searchQuery,
  body: z
    .object({
      statuses: z
        .unknown()
        .optional()
        .meta({ type: 'object', properties: { main: { type: 'string' } } }),
      'statuses.main': filterText,
    })
    .optional(),
  response: z.array(invoiceAnswer),
  refusals: ['invalid_filter', 'invalid_paging'],
})

/** The same invoices, searched as every resource can be (domain/search.ts). */
export const searchInvoices = invoiceCall({
  name: 'searchInvoices',
  power: 'lists',
  method: 'POST',
  reads: true,
  path: '/search',
  query: searchQuery,
  body: searchBody,
  response: z.array(invoiceAnswer),
  refusals: ['invalid_filter', 'invalid_paging'],
})

/** The creditors of the debtor's invoices. */
export const searchClients = invoiceCall({
  name: 'searchClients',
  power: 'lists',
  method: 'POST',
  reads: true,
  subject: 'clients',
  path: '/search',
  query: searchQuery,
  body: searchBody,
  response: z.array(clientAnswer),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export type StatsAnswer = AnswerOf<typeof getStats>
