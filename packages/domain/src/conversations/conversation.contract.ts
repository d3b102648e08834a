/** The calls by which a debtor asks the creditor something about an invoice or a claim (staff.md 5, "The debtor's half"). */
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
import { DECISIONS, PAID_HOW } from './request.ts'

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

/** What is asked for: more time until a day, or that it was paid on a day; null where words alone are. */
export const wish = z
  .strictObject({ day, amount: amount.nullable(), how: z.enum(PAID_HOW).nullable() })
  .nullable()

/** What was decided; null while nothing is. `day`: the new last day, or that of the payment that was found, with its amount. */
export const outcome = z
  .strictObject({
    decision: z.enum(DECISIONS),
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
    /** MORE_TIME: the last day that is asked for. SAID_PAID: the day of the payment. */
    day: z.string().max(10).nullish(),
    /** Both of SAID_PAID alone. */
    amount: amountIn.nullish(),
    how: z.enum(PAID_HOW).nullish(),
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
  }),
} as const

export const getInvoiceRequestTerms = invoiceCall({ name: 'invoiceRequestTerms', ...terms })
export const getClaimRequestTerms = claimCall({ name: 'claimRequestTerms', ...terms })

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
