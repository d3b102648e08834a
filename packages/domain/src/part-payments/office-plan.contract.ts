/** The part payment plans of a creditor's debtors, as its staff sees them. */
import { z } from 'zod'
import { amount, day, officeCall, LIST_QUERY, searchBody } from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { INSTALMENT_STATES, PLAN_STATUSES } from './part-payment.ts'

const plan = {
  id: z.uuid(),
  version: z.number().int(),
  number: z.string(),
  status: z.enum(PLAN_STATUSES),
  currency: z.string(),
  startedOn: day,
  endedOn: day.nullable(),
  /** What was owed when it began, and what was added since. */
  credit: amount,
  /** What is still to be paid of it, billed or not, without what interest and fees later bills will have; 0 once it has ended. */
  left: amount,
  /** Of that, what has been billed and is past its due day, and how many instalments that is. */
  late: amount,
  missed: z.number().int(),
  instalments: z.strictObject({ paid: z.number().int(), billed: z.number().int() }),
  /** The next day on which something falls due; null when nothing will. */
  nextDue: day.nullable(),
  debtor: z.strictObject({ id: z.uuid(), name: z.string() }),
  creditor: creditorOfRow,
  /** What it pays, in the order in which that is paid off. */
  debts: z.array(
    z.strictObject({ type: z.enum(['invoices', 'collection-batches']), id: z.uuid(), number: z.string() }),
  ),
}
const listedPlan = z.strictObject(plan)

export const officePlan = z.strictObject({
  ...plan,
  /** The terms that were agreed. */
  terms: z.strictObject({
    /** Null for an account: it lasts until it is paid off. */
    months: z.number().int().nullable(),
    percent: z.number(),
    startFee: amount,
    monthlyFee: amount,
  }),
  /** Those that were billed, and those to come as they will be billed of what is left today. */
  schedule: z.array(
    z.strictObject({
      number: z.number().int(),
      dueDate: day,
      amount,
      state: z.enum(INSTALMENT_STATES),
      /** What is left of it; null before it is billed. */
      balance: amount.nullable(),
      /** The day from which the payment counts that paid the last of it. */
      paidOn: day.nullable(),
      invoice: z.strictObject({ id: z.uuid(), number: z.string() }).nullable(),
    }),
  ),
})

export const searchOfficePlans = officeCall({
  name: 'searchOfficePlans',
  right: 'see',
  method: 'POST',
  path: '/plans/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(listedPlan),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getOfficePlan = officeCall({
  name: 'officePlan',
  right: 'see',
  path: '/plans/:id',
  response: officePlan,
})
