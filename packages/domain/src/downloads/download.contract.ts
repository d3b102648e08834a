/** Lists as files: the same questions as the lists, answered as CSV, PDF or XLSX. */
import { z } from 'zod'
import { claimCall, claimQuery, invoiceCall, invoiceQuery } from '../contract.ts'

export const format = z.enum(['csv', 'pdf', 'xlsx'])
export type DownloadFormat = z.output<typeof format>

/** The debtor's invoices. The filter is that of the list; all pages at once, 10,000 rows at most. */
export const downloadInvoices = invoiceCall({
  name: 'downloadInvoices',
  power: 'lists',
  method: 'POST',
  reads: true,
  path: '/ledger/download',
  answers: 'file',
  query: invoiceQuery.extend({
    format,
    order: z.string().max(10).optional(),
    orderBy: z.string().max(60).optional(),
  }),
  body: z
    .object({
      statuses: z.object({ main: z.string().optional() }).optional(),
      'statuses.main': z.string().optional(),
    })
    .optional(),
  response: z.any(),
  refusals: ['invalid_filter'],
})

/** The debtor's claims, likewise. */
export const downloadClaims = claimCall({
  name: 'downloadClaims',
  power: 'lists',
  method: 'POST',
  reads: true,
  path: '/ledger/download',
  answers: 'file',
  query: claimQuery.extend({
    format,
    order: z.string().max(10).optional(),
    orderBy: z.string().max(60).optional(),
  }),
  body: z.object({ status: z.string().max(400).optional() }).optional(),
  response: z.any(),
  refusals: ['invalid_filter'],
})

/** What has happened to one invoice. */
export const downloadEvents = invoiceCall({
  name: 'downloadEvents',
  path: '/events/download',
  answers: 'file',
  query: invoiceQuery.extend({ format }),
  response: z.any(),
})
