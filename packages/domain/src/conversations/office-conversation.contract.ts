/** What debtors ask a creditor, and its answers. */
import { z } from 'zod'
import { amount, amountIn, officeCall, day, instant, LIST_QUERY, searchBody } from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { ownPlanFigures } from '../part-payments/own-plan.contract.ts'
import { officeDebtor } from '../invoices/office-invoice.contract.ts'
import { conversationFile, outcome, wish } from './conversation.contract.ts'
import { CONVERSATION_KINDS, CONVERSATION_STATUSES } from './conversation.ts'
import { DECISIONS } from './request.ts'

/** Where a thread stands, with nobody's data. */
const standing = {
  id: z.uuid(),
  version: z.number().int(),
  kind: z.enum(CONVERSATION_KINDS),
  status: z.enum(CONVERSATION_STATUSES),
  /** The day since which it waits for an answer, or did. */
  askedOn: day,
  /** The last day on which it is answered in time; null once it is. */
  deadline: day.nullable(),
  /** COUNTERED: the last day for the debtor's answer. */
  counterUntil: day.nullable(),
  /** What it is about: the resource where that is found, its row, and its number. */
  subject: z.strictObject({
    type: z.enum(['invoices', 'collection-batches']),
    id: z.uuid(),
    number: z.string(),
  }),
  balance: amount,
  currency: z.string(),
  wish,
  outcome,
  /** No step is taken until it is answered. */
  rests: z.boolean(),
  creditor: creditorOfRow,
}

/** What stands in a list, and first in a detail. */
const listed = {
  ...standing,
  /** What was written last, by whom. */
  last: z.strictObject({ from: z.enum(['DEBTOR', 'CREDITOR']), text: z.string() }),
  debtor: officeDebtor,
}

export const officeConversation = z.strictObject(listed)

export const officeConversationDetail = z.strictObject({
  ...listed,
  /** Where the debtor wants to be told of the answer; empty where nobody named an address. */
  email: z.string(),
  expireDate: day,
  /** The task that asks for the answer; null where it has none. */
  taskId: z.uuid().nullable(),
  files: z.array(conversationFile),
  /** The oldest first. `by`: whoever of the creditor's staff wrote it. */
  messages: z.array(
    z.strictObject({
      id: z.uuid(),
      from: z.enum(['DEBTOR', 'CREDITOR']),
      text: z.string(),
      date: day,
      at: instant,
      by: z.string().nullable(),
    }),
  ),
})
export type OfficeConversationDetail = z.output<typeof officeConversationDetail>

export const searchOfficeConversations = officeCall({
  name: 'searchOfficeConversations',
  right: 'see',
  method: 'POST',
  path: '/conversations/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(officeConversation),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getOfficeConversation = officeCall({
  name: 'officeConversation',
  right: 'see',
  path: '/conversations/:id',
  response: officeConversationDetail,
})

/** The answer to a question. The debtor is told, and may write again. */
export const answerConversation = officeCall({
  name: 'answerConversation',
  right: 'answer',
  method: 'POST',
  path: '/conversations/:id/answer',
  takesKey: true,
  takesUndo: true,
  body: z.strictObject({ text: z.string().max(200_000) }),
  /** A program that answers need not be one that may read. */
  response: z.strictObject(standing),
  refusals: [
    'invalid_request',
    'answer_required',
    'reason_too_long',
    'conversation_answered',
    'act_not_open',
    'idempotency_key_reused',
  ],
})

/**
 * What a plan of the debtor's own comes to, as it would be counted today: the one that was asked for, or with another amount a month or
 * first day.
 */
export const getOfficeOwnPlan = officeCall({
  name: 'officeOwnPlan',
  right: 'see',
  path: '/conversations/:id/plan',
  query: z.object({ amount: z.string().max(40).optional(), day: z.string().max(10).optional() }),
  response: ownPlanFigures,
  refusals: [
    'invalid_request',
    'act_not_open',
    'request_not_open',
    'day_out_of_reach',
    'amount_malformed',
    'plan_amount_out_of_reach',
    'payment_in_progress',
  ],
})

/**
 * A request is decided. ACCEPT starts the plan that was asked for; COUNTER proposes another, with another `amount` a month or first
 * `day`, to which the debtor answers. GRANT gives the day that was asked for, or another `day`; FOUND enters the payment as one that the creditor was
 * paid itself, with another `amount` or `day` where it was so; TRACING says that it is looked for, and goes on waiting. Whoever declines, traces or
 * has not found says so in words.
 */
export const decideConversation = officeCall({
  name: 'decideConversation',
  right: 'answer',
  method: 'POST',
  path: '/conversations/:id/decide',
  takesKey: true,
  takesUndo: true,
  body: z.strictObject({
    decision: z.enum(DECISIONS),
    answer: z.string().max(200_000).nullish(),
    day: day.nullish(),
    amount: amountIn.nullish(),
  }),
  response: z.strictObject(standing),
  refusals: [
    'invalid_request',
    'answer_required',
    'reason_too_long',
    'conversation_answered',
    'act_not_open',
    'in_claim',
    'owed_in_plan',
    'nothing_left',
    'payment_signed',
    'day_out_of_reach',
    'amount_malformed',
    'amount_too_large',
    'request_not_open',
    'plan_amount_out_of_reach',
    'plan_not_as_shown',
    'plan_beyond_bounds',
    'payment_in_progress',
    'idempotency_key_reused',
  ],
})
