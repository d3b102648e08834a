/** The closing of a month by an operator's people. Amounts are in the currency's main unit. */
import { z } from 'zod'
import { PROOF_TERMS, PROOF_VERDICTS } from '../client-funds/proof.ts'
import { adminCall, amount, day, instant } from '../contract.ts'
import { AGE_BUCKETS } from '../receivables/ageing.ts'
import { typedLines } from '../typed-text.contract.ts'
import { CHECK_STATES, CLOSE_CHECKS } from './month-close.ts'

const month = z.string().regex(/^\d{4}-\d{2}$/)

/** One currency at the end of the month's last day. */
const closing = z.strictObject({
  currency: z.string(),
  /** Null where nothing was ever held in it. */
  funds: z
    .strictObject({
      verdict: z.enum(PROOF_VERDICTS),
      difference: amount.nullable(),
      terms: z.array(z.strictObject({ term: z.enum(PROOF_TERMS), amount: amount.nullable() })),
    })
    .nullable(),
  held: amount,
  receivables: z.strictObject({
    count: z.number().int(),
    total: amount,
    ages: z.array(z.strictObject({ bucket: z.enum(AGE_BUCKETS), count: z.number().int(), total: amount })),
    /** What the books kept for the day. */
    kept: amount,
  }),
  /** Of periods that ended in the month. */
  settlements: z.strictObject({
    count: z.number().int(),
    collected: amount,
    fees: amount,
    vat: amount,
    corrections: amount,
    paidOut: amount,
  }),
  /** Issued in the month. */
  vatInvoices: z.strictObject({
    count: z.number().int(),
    first: z.number().int().nullable(),
    last: z.number().int().nullable(),
    fees: amount,
    vat: amount,
  }),
  /** Money that nobody could place, at the end of the day. */
  suspense: z.strictObject({ count: z.number().int(), total: amount }),
})

const report = z.strictObject({
  month,
  day,
  /** Of what it says: whoever closes the month sends it back. */
  version: z.string(),
  checks: z.array(
    z.strictObject({ check: z.enum(CLOSE_CHECKS), state: z.enum(CHECK_STATES), count: z.number().int() }),
  ),
  currencies: z.array(closing),
})

const closed = z.strictObject({
  month,
  closedBy: z.string(),
  closedAt: instant,
  note: z.string(),
})

/** Which months are closed, the newest first, and which may be now. */
export const listMonthClosings = adminCall({
  name: 'monthClosings',
  right: 'client_funds',
  path: '/month-closings',
  response: z.strictObject({ open: z.array(month), closed: z.array(closed) }),
})

/** What the month comes to: of a closed one as it was closed, of one that may be closed as it is now. No other is there. `currency` for SIE. */
export const getMonthReport = adminCall({
  name: 'monthReport',
  right: 'client_funds',
  path: '/month-closings/report',
  query: z.object({ month: z.string().max(7), currency: z.string().max(3).optional() }),
  response: z.strictObject({ ...report.shape, closed: closed.nullable() }),
  alsoFiles: ['application/pdf', 'application/x-sie'],
  refusals: ['invalid_request', 'month_not_closable'],
})

/**
 * From now on nothing is booked into it. `version` is of the report that was looked at: another one is refused. A note says why where
 * something is not in order. The same again answers the same.
 */
export const closeMonth = adminCall({
  name: 'closeMonth',
  right: 'close_month',
  method: 'POST',
  path: '/month-closings',
  body: z.strictObject({ month, version: z.string().max(100), note: typedLines(2000).nullish() }),
  response: z.strictObject({ ...report.shape, closed: closed.nullable() }),
  refusals: ['invalid_request', 'month_not_closable', 'changed_meanwhile', 'why_required', 'books_busy'],
})
