/** What a creditor's staff and programs do with an invoice that has been sent. */
import { z } from 'zod'
import { amountIn, officeCall, day } from '../contract.ts'
import type { StaffRight } from '../staff/roles.ts'
import { actedInvoice } from './office-invoice.contract.ts'
import { proposal } from '../proposals/proposal.contract.ts'
import { typedLine, typedLines } from '../typed-text.contract.ts'

const reason = typedLines(500)

/** An act answers the invoice as it is then. */
function invoiceAct<B extends z.ZodType, const Act extends string>(
  act: Act,
  right: StaffRight,
  {
    name,
    body,
    takesUndo = false,
  }: { readonly name: string; readonly body: B; readonly takesUndo?: boolean },
) {
  return officeCall({
    name,
    right,
    method: 'POST',
    path: `/invoices/:id/${act}`,
    takesKey: true,
    takesUndo,
    body,
    response: actedInvoice,
    refusals: [
      'act_not_open',
      'debtor_rests',
      'in_claim',
      'owed_in_plan',
      'amount_too_large',
      'amount_malformed',
      'nothing_left',
      'day_out_of_reach',
      'paused_already',
      'why_required',
      'payment_signed',
      'idempotency_key_reused',
    ],
  })
}

/** All that is left, an amount, or rows; amounts include value added tax. */
export const creditInvoice = invoiceAct('credit', 'credit', {
  name: 'creditOfficeInvoice',
  takesUndo: true,
  body: z.strictObject({
    amount: amountIn.nullish(),
    rows: z
      .array(
        z.strictObject({
          line: z.union([z.string().max(60), z.number().int()]),
          quantity: amountIn.nullish(),
          amount: amountIn.nullish(),
        }),
      )
      .min(1)
      .max(500)
      .nullish(),
    reason,
  }),
})

/** One of both: `costs` or `interest`. Without an amount, all of it. */
export const waiveOnInvoice = invoiceAct('waive', 'waive', {
  name: 'waiveOnOfficeInvoice',
  body: z.strictObject({
    costs: z.boolean().nullish(),
    interest: z.boolean().nullish(),
    amount: amountIn.nullish(),
    reason,
  }),
})

/** Steps rest, interest goes on. */
export const pauseInvoice = invoiceAct('pause', 'pause', {
  name: 'pauseOfficeInvoice',
  takesUndo: true,
  body: z.strictObject({ until: day, reason }),
})

export const resumeInvoice = invoiceAct('resume', 'more_time', {
  name: 'resumeOfficeInvoice',
  body: z.strictObject({ reason: reason.nullish() }).optional(),
})

/** A new last day: no step comes before it. */
export const giveMoreTime = invoiceAct('more-time', 'more_time', {
  name: 'giveOfficeInvoiceMoreTime',
  body: z.strictObject({ until: day, reason: reason.nullish() }),
})

/** Every step comes as early as the law allows; the answer's `nextStep` says which and when. */
export const sendToCollection = invoiceAct('to-collection', 'to_collection', {
  name: 'sendOfficeInvoiceToCollection',
  body: z.strictObject({ ground: reason }),
})

/** Money that the creditor was paid itself; it counts from its day. */
export const enterDirectPayment = invoiceAct('direct-payment', 'direct_payment', {
  name: 'enterDirectPayment',
  body: z.strictObject({ amount: amountIn, date: day, note: reason.nullish() }),
})

export const STOP_REASONS = [
  'WITHDRAWN',
  'LIMITATION',
  'BANKRUPTCY',
  'DECEASED',
  'DEBT_RELIEF',
  'OTHER',
] as const

/** Nothing more is asked for; what is left stays in the books as not collected. */
export const stopInvoice = invoiceAct('stop', 'stop', {
  name: 'stopOfficeInvoice',
  body: z.strictObject({ reason: z.enum(STOP_REASONS), note: reason.nullish() }),
})

/**
 * The tax authority has denied so much of the reduction that the invoice counted on: the debtor owes it too, with thirty days to pay.
 * `decision` is what the authority calls it: the same one counts once.
 */
const denial = invoiceAct('deny-tax-reduction', 'tax_denial', {
  name: 'denyTaxReductionOfOfficeInvoice',
  body: z.strictObject({ amount: amountIn, decision: typedLine(60), note: reason.nullish() }),
})
export const denyTaxReduction = { ...denial, refusals: [...denial.refusals, 'denial_entered'] as const }

const writingOff = invoiceAct('write-off', 'write_off', {
  name: 'writeOffOfficeInvoice',
  body: z.strictObject({ amount: amountIn.nullish(), reason }),
})
/**
 * The debtor owes it no more. Without an amount, all that is left. What an operator's person writes off above the limit, for a
 * debtor and a day, changes nothing yet: the answer is the proposal (202), which another decides.
 */
export const writeOffInvoice = {
  ...writingOff,
  mayPropose: true,
  response: z.union([actedInvoice, proposal]),
  refusals: [...writingOff.refusals, 'proposal_open'] as const,
}
