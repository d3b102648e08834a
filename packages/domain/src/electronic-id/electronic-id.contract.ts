/** The calls of electronic identification (specification section 7). They lead to a session. */
import { z } from 'zod'
import { openCall, type AnswerOf } from '../contract.ts'
import { LOGIN_WAYS, MESSAGE_CODES } from './order.ts'

const orderRef = z.string().min(1).max(200)

/**
 * Starts an order for whoever holds the browser. Nothing in the body counts: who it is, is what the order finds
 * out. The browser gets a cookie, without which the order's name is worth nothing.
 */
export const startOrder = openCall({
  name: 'bankidAuth',
  method: 'POST',
  path: '/external/bankid/auth',
  body: z.unknown(),
  response: z.strictObject({ orderRef: z.string(), autoStartToken: z.string(), qrCode: z.string() }),
  refusals: ['eid_rate_limited', 'eid_already_in_progress', 'provider_unavailable'],
})

/**
 * Asked every two seconds. `complete` comes once, with the session's token. A page that was opened with an order in its address
 * says `isReturn`: it is refused with `eid_session_open` while somebody is logged in in that browser, until the page has asked
 * whether they are to be logged out (threat csrf.sessionswap).
 */
export const collectOrder = openCall({
  name: 'bankidCollect',
  method: 'POST',
  path: '/external/bankid/collect',
  query: z.object({ source: z.literal('debtor').optional() }),
  body: z.object({ orderRef, type: z.enum(LOGIN_WAYS), isReturn: z.boolean().optional() }),
  response: z.strictObject({
    orderRef: z.string(),
    status: z.enum(['pending', 'failed', 'complete']),
    hintCode: z.string().nullable(),
    messageCode: z.enum(MESSAGE_CODES).nullable(),
    /** The message in the caller's language. */
    message: z.string().nullable(),
    /** What to draw as a QR code now; another one every second. Null once the app has read it. */
    qrCode: z.string().nullable(),
    idToken: z.string().nullable(),
    tokenType: z.literal('Bearer').nullable(),
    debtorName: z.string().nullable(),
  }),
  refusals: ['eid_order_unknown', 'eid_nothing_here', 'eid_session_open', 'provider_unavailable'],
})

/** Ends the order here and at the provider. Harmless when it is over already. */
export const cancelOrder = openCall({
  name: 'bankidCancel',
  method: 'POST',
  path: '/external/bankid/cancel',
  body: z.object({ orderRef }),
  response: z.strictObject({ orderRef: z.string() }),
  refusals: ['eid_order_unknown'],
})

export type StartAnswer = AnswerOf<typeof startOrder>
export type CollectAnswer = AnswerOf<typeof collectOrder>
