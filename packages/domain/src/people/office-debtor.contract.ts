/** Those who owe a creditor something, or have: with what is this creditor's, and nothing of anybody else's. */
import { z } from 'zod'
import { CLAIM_STATUSES } from '../claims/claim.ts'
import { amount, officeCall, day, LIST_QUERY, searchBody } from '../contract.ts'
import { INVOICE_STATUSES } from '../invoices/invoice.ts'
import { officeDebtor } from '../invoices/office-invoice.contract.ts'
import { REPRESENTATIVE_KINDS } from './representative.ts'
import { FILED_WITH, FLAG_ANSWERS, FLAG_KINDS } from './debtor-flag.ts'

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
  /** All debts of this person rest, whoever said so: nothing is charged, sent or started. */
  isResting: z.boolean(),
  /** The newest first. To a creditor those that its own people have reported, and of no other that there is one. */
  flags: z.array(
    z.strictObject({
      id: z.uuid(),
      kind: z.enum(FLAG_KINDS),
      from: day,
      setOn: day,
      source: z.string(),
      /** The creditor whose people told of it; null where the operator's did. */
      reportedBy: z.string().nullable(),
      answer: z.enum(FLAG_ANSWERS).nullable(),
      /** Told to the operator's people alone. */
      filedWith: z.enum(FILED_WITH).nullable(),
      filedOn: day.nullable(),
      endedOn: day.nullable(),
    }),
  ),
  /** Who acts for this person, the newest first; to a creditor who does so now, and no more of them than the name. */
  representatives: z.array(
    z.strictObject({
      id: z.uuid(),
      kind: z.enum(REPRESENTATIVE_KINDS),
      name: z.string(),
      until: day.nullable(),
      enteredOn: day,
      endedOn: day.nullable(),
      /** Told to the operator's people alone; of a protected person's guardian hidden too, who may live with them (M-36). */
      source: z.string().nullable(),
      email: z.string().nullable(),
      phone: z.string().nullable(),
      address: z.string().nullable(),
    }),
  ),
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
