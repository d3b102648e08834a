/** Those who owe a creditor something, or have: with what is this creditor's, and nothing of anybody else's (staff.md 1). */
import { z } from 'zod'
import { CLAIM_STATUSES } from '../claims/claim.ts'
import { amount, officeCall, day, LIST_QUERY, searchBody } from '../contract.ts'
import { INVOICE_STATUSES } from '../invoices/invoice.ts'
import { officeDebtor } from '../invoices/office-invoice.contract.ts'

const listed = {
  ...officeDebtor.shape,
  version: z.number().int(),
  /** Of this creditor: how many invoices, how many of them and of claims are open, and what is owed on them. */
  invoiceCount: z.number().int(),
  openCount: z.number().int(),
  balances: z.array(z.strictObject({ currency: z.string(), total: amount })),
}

export const listedOfficeDebtor = z.strictObject(listed)

export const officeDebtorDetail = z.strictObject({
  ...listed,
  /** The newest two hundred of each; the lists of invoices and claims have all. */
  invoices: z.array(
    z.strictObject({
      id: z.uuid(),
      invoiceNumber: z.string(),
      status: z.enum(INVOICE_STATUSES),
      invoiceDate: day,
      expireDate: day,
      totalToPay: amount,
      balance: amount,
      currency: z.string(),
      collectionBatchId: z.uuid().nullable(),
    }),
  ),
  claims: z.array(
    z.strictObject({
      id: z.uuid(),
      collectionBatchNumber: z.string(),
      status: z.enum(CLAIM_STATUSES),
      expireDate: day,
      balance: amount,
      currency: z.string(),
    }),
  ),
})

export const searchOfficeDebtors = officeCall({
  name: 'searchOfficeDebtors',
  right: 'see',
  method: 'POST',
  path: '/debtors/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(listedOfficeDebtor),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getOfficeDebtor = officeCall({
  name: 'officeDebtor',
  right: 'see',
  path: '/debtors/:id',
  response: officeDebtorDetail,
})
