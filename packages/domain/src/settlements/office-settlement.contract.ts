/** What a creditor is paid out. */
import { z } from 'zod'
import { amount, officeCall, day, instant, LIST_QUERY, searchBody } from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { SETTLEMENT_FILES } from './settlement-file.ts'
import { SETTLEMENT_LINE_KINDS, SETTLEMENT_STATUSES } from './settlement.ts'
import { VAT_INVOICE_KINDS } from './vat-invoice.ts'

/** `collected` less `fees`, `vat` and `corrections` is `paidOut`. Deductions are positive. */
const settlement = {
  id: z.uuid(),
  version: z.number().int(),
  /** 1, 2, 3 of the creditor in its currency. */
  number: z.number().int(),
  period: z.strictObject({ from: day, to: day }),
  currency: z.string(),
  collected: amount,
  fees: amount,
  vat: amount,
  corrections: amount,
  paidOut: amount,
  status: z.enum(SETTLEMENT_STATUSES),
  countedAt: instant.nullable(),
  creditor: creditorOfRow,
}
const listedSettlement = z.strictObject(settlement)

export const officeSettlement = z.strictObject({
  ...settlement,
  /** Of the operator, for the fees; null where there are none. */
  vatInvoice: z
    .strictObject({ number: z.number().int(), issuedOn: day, kind: z.enum(VAT_INVOICE_KINDS) })
    .nullable(),
  lines: z.array(
    z.strictObject({
      kind: z.enum(SETTLEMENT_LINE_KINDS),
      date: day,
      /** What it is about; null for what is of the whole period. */
      subject: z
        .strictObject({ type: z.enum(['invoices', 'collection-batches']), id: z.uuid(), number: z.string() })
        .nullable(),
      /** Of a deduction, positive. */
      amount,
      currency: z.string(),
      /** The money counts from a day before the period. */
      isLate: z.boolean(),
      /** What the amount is a part of, and which per cent. */
      base: amount.nullable(),
      percent: z.number().nullable(),
    }),
  ),
})

export const searchOfficeSettlements = officeCall({
  name: 'searchOfficeSettlements',
  right: 'see',
  method: 'POST',
  path: '/settlements/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(listedSettlement),
  refusals: ['invalid_filter', 'invalid_paging'],
})

/** Its lines are those of its files, too: of each the amounts come to `paidOut`. */
export const getOfficeSettlement = officeCall({
  name: 'officeSettlement',
  right: 'see',
  path: '/settlements/:id',
  response: officeSettlement,
  alsoFiles: Object.values(SETTLEMENT_FILES),
  refusals: ['settlement_counting', 'file_too_long'],
})
