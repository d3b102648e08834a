/** The operator's invoice for the fees of a settlement. */
import { z } from 'zod'
import { amount, day, officeCall } from '../contract.ts'
import { SETTLEMENT_FILES } from './settlement-file.ts'
import { SETTLEMENT_LINE_KINDS } from './settlement.ts'
import { VAT_INVOICE_KINDS } from './vat-invoice.ts'

const party = z.strictObject({
  name: z.string(),
  /** In the register of companies. */
  number: z.string().nullable(),
  vatNumber: z.string().nullable(),
  country: z.string(),
  address: z.array(z.string()),
})

/**
 * Its `total` is taken off what the settlement pays out; `unpaid` is what there was too little for, and is taken off the next. Of a credit
 * note the amounts are negative.
 */
export const vatInvoice = z.strictObject({
  /** 1, 2, 3 of the provider, none left out. */
  number: z.number().int(),
  kind: z.enum(VAT_INVOICE_KINDS),
  issuedOn: day,
  settlement: z.strictObject({ id: z.uuid(), number: z.number().int() }),
  period: z.strictObject({ from: day, to: day }),
  currency: z.string(),
  seller: party,
  buyer: party,
  fees: z.array(z.strictObject({ kind: z.enum(SETTLEMENT_LINE_KINDS), amount, currency: z.string() })),
  rates: z.array(z.strictObject({ percent: z.number(), base: amount, vat: amount, currency: z.string() })),
  net: amount,
  vat: amount,
  total: amount,
  unpaid: amount,
  /** The buyer accounts for the VAT. */
  isReverseCharge: z.boolean(),
  /** Numbers of invoices of which something goes back here. */
  refersTo: z.array(z.number().int()),
})

/** Of a settlement without fees there is none: `not_found`. */
export const getVatInvoice = officeCall({
  name: 'vatInvoice',
  right: 'see',
  path: '/settlements/:id/vat-invoice',
  response: vatInvoice,
  alsoFiles: [SETTLEMENT_FILES.pdf],
  refusals: ['settlement_counting'],
})
