/** Every message, its tries and how each way took it, as an operator's people see it and put it right. */
import { z } from 'zod'
import { adminCall, instant, LIST_QUERY, searchBody } from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { MESSAGE_ACTS, MESSAGE_CHANNELS, MESSAGE_STATUSES } from './outbox.ts'
import { typedLines } from '../typed-text.contract.ts'

const listed = {
  id: z.uuid(),
  version: z.number().int(),
  /** What it tells, such as `reminder`; `subject` is how it is headed, in the reader's language. */
  kind: z.string(),
  subject: z.string(),
  status: z.enum(MESSAGE_STATUSES),
  /** The way that it goes, or went. */
  channel: z.enum(MESSAGE_CHANNELS),
  /** The ways that are left when this one is closed. */
  nextChannels: z.array(z.enum(MESSAGE_CHANNELS)),
  /** The ways that were closed before, the first one first, each with the code that it answered. */
  closed: z.array(z.strictObject({ channel: z.string(), error: z.string() })),
  /** On this way. */
  tries: z.number().int(),
  /** What the last try met, or why it was dropped. */
  error: z.string().nullable(),
  /** Null as long as the debtor's own is taken when it is sent. */
  recipient: z.string().nullable(),
  /** What it is about; null for what goes to staff. */
  debt: z
    .strictObject({ type: z.enum(['invoices', 'collection-batches']), id: z.uuid(), number: z.string() })
    .nullable(),
  debtor: z.strictObject({ id: z.uuid(), name: z.string() }).nullable(),
  creditor: creditorOfRow.nullable(),
  createdAt: instant,
  sentAt: instant.nullable(),
  /** When it is tried next, where it waits. */
  nextAt: instant.nullable(),
  /** What can be done with it now. */
  acts: z.array(z.enum(MESSAGE_ACTS)),
}

export const outboxMessage = z.strictObject(listed)
/** `text` is null of what is composed when it is sent, and of what held a secret. */
export const outboxMessageDetail = z.strictObject({ ...listed, text: z.string().nullable() })
export type OutboxMessage = z.output<typeof outboxMessage>
export type OutboxMessageDetail = z.output<typeof outboxMessageDetail>

export const searchOutbox = adminCall({
  name: 'searchOutbox',
  right: 'see',
  method: 'POST',
  path: '/outbox/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(outboxMessage),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getOutboxMessage = adminCall({
  name: 'outboxMessage',
  right: 'see',
  path: '/outbox/:id',
  response: outboxMessageDetail,
})

const act = {
  right: 'messages',
  method: 'POST',
  takesKey: true,
  response: outboxMessageDetail,
  refusals: ['message_not_open', 'idempotency_key_reused', 'invalid_request'],
} as const
const why = z.strictObject({ reason: typedLines(1000).min(1) })

/** One that nobody took goes again from its first way on, and its task ends; of one that was sent another is made, and answered. */
export const resendMessage = adminCall({
  ...act,
  name: 'resendMessage',
  path: '/outbox/:id/resend',
  body: why,
})

export const dropMessage = adminCall({ ...act, name: 'dropMessage', path: '/outbox/:id/drop', body: why })

export const mendMessage = adminCall({
  ...act,
  name: 'mendMessage',
  path: '/outbox/:id/mended',
  body: why,
})

export const sendMessageNow = adminCall({
  ...act,
  name: 'sendMessageNow',
  path: '/outbox/:id/send-now',
})

export const sendOtherWay = adminCall({
  ...act,
  name: 'sendOtherWay',
  path: '/outbox/:id/other-way',
  body: z.strictObject({ channel: z.enum(MESSAGE_CHANNELS) }),
})

/** Letters that lie in the folder of the printer: it empties it. */
export const getPrintQueue = adminCall({
  name: 'printQueue',
  right: 'see',
  path: '/print-queue',
  response: z.strictObject({
    isConfigured: z.boolean(),
    letters: z.number().int(),
    oldestAt: instant.nullable(),
  }),
})
