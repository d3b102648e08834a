/** The calls by which a debtor asks the creditor something about an invoice or a claim. */
import { z } from 'zod'
import {
  amount,
  amountIn,
  claimCall,
  claimQuery,
  day,
  instant,
  invoiceCall,
  invoiceQuery,
} from '../contract.ts'
import { sentFile } from '../sent-file.contract.ts'
import { FILE_TYPES, LARGEST_FILE, LONGEST_DESCRIPTION } from '../disputes/dispute-file.ts'
import { CONVERSATION_KINDS, CONVERSATION_STATUSES } from './conversation.ts'
import { ownPlanFigures } from '../part-payments/own-plan.contract.ts'
import { OUTCOMES, PAID_HOW, PLAN_ANSWERS } from './request.ts'

/** A file that was sent along; its name opens it below `storage/` for a short time. */
export const conversationFile = z.strictObject({
  id: z.uuid(),
  fileName: z.string(),
  /** What its sender called it, made safe. */
  fileNameRaw: z.string(),
  mimeType: z.enum(FILE_TYPES),
  /** Bytes. */
  size: z.int(),
  /** The day on which it came. */
  date: day,
})

/**
 * What is asked for: more time until a day, that it was paid on a day, or a plan that pays `amount` a month from a first day on; null
 * where words alone are.
 */
export const wish = z
  .strictObject({ day, amount: amount.nullable(), how: z.enum(PAID_HOW).nullable() })
  .nullable()

/**
 * What was decided; null while nothing is. `day`: the new last day, or that of the payment that was found, with its amount; of a plan the
 * first day and the amount a month that were agreed, or that the creditor would agree to.
 */
export const outcome = z
  .strictObject({
    decision: z.enum(OUTCOMES),
    day: day.nullable(),
    amount: amount.nullable(),
    /** Within the creditor's bounds: nobody had to be asked. */
    byRule: z.boolean(),
  })
  .nullable()

export const conversation = z.strictObject({
  id: z.uuid(),
  kind: z.enum(CONVERSATION_KINDS),
  status: z.enum(CONVERSATION_STATUSES),
  /** The day since which it waits for the creditor, or did. */
  askedOn: day,
  /** The last day for the creditor's answer; null where none is waited for. */
  answerBy: day.nullable(),
  /** COUNTERED: the last day for the debtor's own answer. */
  counterUntil: day.nullable(),
  wish,
  outcome,
  /** No step is taken until it is answered. */
  rests: z.boolean(),
  /** The oldest first. */
  messages: z.array(
    z.strictObject({
      id: z.uuid(),
      from: z.enum(['DEBTOR', 'CREDITOR']),
      text: z.string(),
      date: day,
      at: instant,
    }),
  ),
  files: z.array(conversationFile),
})

const words = z.string().max(200_000)

/** `debtorEmail` is where the answer is told of, else the debtor's own addresses. */
const asking = {
  power: 'disputes',
  method: 'POST',
  path: '/conversations',
  status: 201,
  takesKey: true,
  body: z.object({
    kind: z.enum(CONVERSATION_KINDS),
    /** A question has to have some. */
    text: words.nullish(),
    /** MORE_TIME: the last day that is asked for. SAID_PAID: the day of the payment. PLAN: that of the first instalment. */
    day: z.string().max(10).nullish(),
    /** SAID_PAID: what was paid. PLAN: what is paid a month. */
    amount: amountIn.nullish(),
    /** Of SAID_PAID alone. */
    how: z.enum(PAID_HOW).nullish(),
    /** PLAN: of the figures that were shown. */
    offerVersion: z.string().max(80).nullish(),
    debtorEmail: z.string().max(1000).nullish(),
  }),
  response: conversation,
  refusals: [
    'invalid_request',
    'invalid_email',
    'message_required',
    'reason_too_long',
    'conversation_not_allowed',
    'conversation_open',
    'request_not_open',
    'day_out_of_reach',
    'amount_malformed',
    'amount_too_large',
    'plan_amount_out_of_reach',
    'plan_changed',
    'payment_in_progress',
    'provider_unavailable',
    'idempotency_key_reused',
  ],
} as const

export const askOnInvoice = invoiceCall({ name: 'askOnInvoice', ...asking })
export const askOnClaim = claimCall({ name: 'askOnClaim', ...asking })

/** What can be asked for now, and what comes of it; null where it cannot be. `rests`: no step is taken until it is answered. */
const terms = {
  power: 'disputes',
  path: '/conversations/terms',
  response: z.strictObject({
    /** A day up to `atOnce` is granted at once; null: a person decides about each. */
    moreTime: z
      .strictObject({
        from: day,
        to: day,
        atOnce: day.nullable(),
        rests: z.boolean(),
        interestGoesOn: z.boolean(),
      })
      .nullable(),
    saidPaid: z.strictObject({ from: day, to: day, most: amount, rests: z.boolean() }).nullable(),
    /** A plan of the debtor's own: days of its first instalment, and what it may pay a month, `least` included and `below` not. */
    plan: z.strictObject({ from: day, to: day, least: amount, below: amount, rests: z.boolean() }).nullable(),
  }),
} as const

export const getInvoiceRequestTerms = invoiceCall({ name: 'invoiceRequestTerms', ...terms })
export const getClaimRequestTerms = claimCall({ name: 'claimRequestTerms', ...terms })

const planSought = {
  /** What is paid a month, and the day of the first instalment; both left out with `conversation`. */
  amount: z.string().max(40).optional(),
  day: z.string().max(10).optional(),
  /** A plan of the creditor's that waits for an answer. */
  conversation: z.string().max(60).optional(),
}
/** What a plan comes to, as it would be counted today. `atOnce`: it is agreed to by rule. `rests`: else no step is taken until it is answered. */
const planFigures = {
  power: 'disputes',
  path: '/conversations/plan',
  response: ownPlanFigures.extend({ atOnce: z.boolean(), rests: z.boolean() }),
  refusals: [
    'invalid_request',
    'request_not_open',
    'conversation_not_open',
    'day_out_of_reach',
    'amount_malformed',
    'plan_amount_out_of_reach',
    'payment_in_progress',
  ],
} as const

export const getInvoiceOwnPlan = invoiceCall({
  name: 'invoiceOwnPlan',
  query: invoiceQuery.extend(planSought),
  ...planFigures,
})
export const getClaimOwnPlan = claimCall({
  name: 'claimOwnPlan',
  query: claimQuery.extend(planSought),
  ...planFigures,
})

/**
 * The debtor agrees to the creditor's plan, which starts, or does not; or takes its own proposal back. What rested goes on.
 */
const answeringPlan = {
  power: 'plans',
  method: 'POST',
  path: '/conversations/answer',
  takesKey: true,
  body: z.object({
    conversation: z.string().max(60),
    answer: z.enum(PLAN_ANSWERS),
    /** ACCEPT: of the figures that were shown. */
    offerVersion: z.string().max(80).nullish(),
  }),
  response: conversation,
  refusals: [
    'invalid_request',
    'conversation_not_open',
    'request_not_open',
    'day_out_of_reach',
    'plan_amount_out_of_reach',
    'plan_changed',
    'payment_in_progress',
    'provider_unavailable',
    'idempotency_key_reused',
  ],
} as const

export const answerPlanOnInvoice = invoiceCall({ name: 'answerPlanOnInvoice', ...answeringPlan })
export const answerPlanOnClaim = claimCall({ name: 'answerPlanOnClaim', ...answeringPlan })

/** Every thread of the invoice or the claim, of its invoices too, the newest first. */
const reading = {
  power: 'disputes',
  path: '/conversations',
  response: z.array(conversation),
} as const

export const listInvoiceConversations = invoiceCall({ name: 'invoiceConversations', ...reading })
export const listClaimConversations = claimCall({ name: 'claimConversations', ...reading })

/** The debtor has more to say: the thread waits for the creditor again. */
const writing = {
  power: 'disputes',
  method: 'POST',
  path: '/conversations/messages',
  status: 201,
  takesKey: true,
  body: z.object({ conversation: z.string().max(60), text: words }),
  response: conversation,
  refusals: [
    'invalid_request',
    'message_required',
    'reason_too_long',
    'conversation_not_open',
    'too_many_messages',
    'idempotency_key_reused',
  ],
} as const

export const writeOnInvoice = invoiceCall({ name: 'writeOnInvoice', ...writing })
export const writeOnClaim = claimCall({ name: 'writeOnClaim', ...writing })

/** A file for a thread that waits for the creditor. The same file again is the same answer, and nothing is kept twice. */
const newFile = {
  power: 'disputes',
  method: 'PUT',
  path: '/conversations/files',
  status: 201,
  largestFile: LARGEST_FILE,
  body: z.object({ file: sentFile, description: z.string().max(LONGEST_DESCRIPTION).optional() }),
  response: conversationFile,
  refusals: ['conversation_not_open', 'file_rejected', 'file_too_large', 'too_many_files'],
} as const

const thread = { conversation: z.string().max(60) }

export const addInvoiceConversationFile = invoiceCall({
  name: 'addInvoiceConversationFile',
  query: invoiceQuery.extend(thread),
  ...newFile,
})
export const addClaimConversationFile = claimCall({
  name: 'addClaimConversationFile',
  query: claimQuery.extend(thread),
  ...newFile,
})
