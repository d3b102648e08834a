/** What is owed back, and how it goes back. */
import { z } from 'zod'
import { adminCall, amount, day, instant, LIST_QUERY, searchBody } from '../contract.ts'
import { seen } from '../bank-files/suspense.contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { CURRENCIES } from '../money.ts'
import { PAYOUT_SCHEMES } from '../payouts/payout-account.ts'
import { PAYOUT_STATUSES } from '../payouts/payout.ts'
import { proposal } from '../proposals/proposal.contract.ts'
import { REFUND_KINDS, REFUND_STATUSES, REFUND_TRY_STATUSES, WAITS } from './refund.ts'

const listed = {
  id: z.uuid(),
  version: z.number().int(),
  kind: z.enum(REFUND_KINDS),
  status: z.enum(REFUND_STATUSES),
  /** All that was owed back. */
  amount,
  /** What nobody has sent yet. */
  left: amount,
  currency: z.string(),
  since: day,
  /** Null for money that was nobody's. */
  debtor: z.strictObject({ id: z.uuid(), name: z.string() }).nullable(),
  creditor: creditorOfRow.nullable(),
  debt: z
    .strictObject({ type: z.enum(['invoices', 'collection-batches']), id: z.uuid(), number: z.string() })
    .nullable(),
}

export const refundRow = z.strictObject(listed)

export const refundCase = z.strictObject({
  ...listed,
  /** Payments whose gateway can send it back, with the most that each can carry. */
  ways: z.array(
    z.strictObject({
      payment: z.uuid(),
      gateway: z.string(),
      paid: amount,
      paidOn: day,
      most: amount,
      /** As `needsAnother` of all that is left. */
      needsAnother: z.boolean(),
    }),
  ),
  /** What the bank's file said of the money, where it came by itself. */
  bankLine: z
    .strictObject({
      payer: z.string().nullable(),
      bankDate: day,
      account: z.string(),
      message: z.string().nullable(),
    })
    .nullable(),
  /** What has been tried by a gateway, the newest first. */
  tries: z.array(
    z.strictObject({
      id: z.uuid(),
      payment: z.uuid(),
      amount,
      status: z.enum(REFUND_TRY_STATUSES),
      failure: z.string().nullable(),
      at: instant,
    }),
  ),
  /** The day on which a transfer was ordered, and the one on which it is known to have left. */
  transfer: z.strictObject({ amount, orderedOn: day, leftOn: day.nullable() }).nullable(),
  /** Where it came from, and goes back to in a file; null where the bank has told no account. */
  account: z
    .strictObject({
      scheme: z.enum(PAYOUT_SCHEMES),
      number: z.string(),
      receiverName: z.string().nullable(),
    })
    .nullable(),
  /** The files to the bank that it has been in, the newest first. */
  files: z.array(
    z.strictObject({
      file: z.uuid(),
      /** The row of the file. */
      row: z.uuid(),
      executionDate: day,
      amount,
      status: z.enum(PAYOUT_STATUSES),
      /** The bank's code and words of why it refuses. */
      reason: z.string().nullable(),
      scheme: z.enum(PAYOUT_SCHEMES),
      number: z.string(),
    }),
  ),
  /** Why it is in no file now; null when it can be in the next one, or is nobody's to send. */
  waits: z.enum(WAITS).nullable(),
  /** A person has said that it is ordered at the bank, and no statement has told of it: it can be said that it was not. */
  isByHand: z.boolean(),
  /** Saying that it was not ordered needs another person. */
  notOrderedNeedsAnother: z.boolean(),
  /** Sending it now needs another person: with what has gone to the debtor today it is above the limit. */
  needsAnother: z.boolean(),
  /** The proposal that waits for that person. */
  proposal: z.uuid().nullable(),
})
export type RefundCase = z.output<typeof refundCase>

export const searchRefunds = adminCall({
  name: 'searchRefunds',
  right: 'see',
  method: 'POST',
  path: '/refunds/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(refundRow),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getRefund = adminCall({
  name: 'refund',
  right: 'see',
  path: '/refunds/:id',
  response: refundCase,
})

const acting = { right: 'payouts', method: 'POST', response: refundCase, takesKey: true } as const
const ACTING = ['refund_not_owed', 'refund_under_way', 'refund_taken_back', 'idempotency_key_reused'] as const

/** By the gateway of one of its payments: as much of what is left as that payment can carry. Above the limit it is proposed. */
export const sendRefund = adminCall({
  ...acting,
  name: 'sendRefund',
  path: '/refunds/:id/send',
  body: z.strictObject({ payment: z.uuid() }),
  refusals: [...ACTING, 'debit_in_suspense', 'invalid_request', 'sign_in_again', 'proposal_open'],
})

/** All that is left has been ordered at the bank; of a creditor's own money: the creditor has sent it. Above the limit it is proposed. */
export const recordRefund = adminCall({
  ...acting,
  name: 'recordRefund',
  path: '/refunds/:id/record',
  refusals: [...ACTING, 'debit_in_suspense', 'sign_in_again', 'proposal_open'],
})

/** The transfer has left the bank, where no statement tells that. Of a row of a file only once the bank has taken it. */
export const confirmRefund = adminCall({
  ...acting,
  name: 'confirmRefund',
  path: '/refunds/:id/confirm',
  refusals: ['refund_not_owed', 'refund_under_way', 'debit_in_suspense', 'idempotency_key_reused'],
})

/**
 * A person had said that it was ordered at the bank, and it was not: it is to go back as before. Where the payer's bank has taken the money
 * back meanwhile, it goes nowhere, and what it had paid is undone with that. Above the limit it is proposed.
 */
export const refundNotOrdered = adminCall({
  ...acting,
  name: 'refundNotOrdered',
  path: '/refunds/:id/not-ordered',
  refusals: [
    'refund_not_owed',
    'debit_in_suspense',
    'sign_in_again',
    'proposal_open',
    'idempotency_key_reused',
  ],
})

/** What saying so would write in the books. Nothing changes. */
export const previewNotOrdered = adminCall({
  name: 'previewRefundNotOrdered',
  right: 'payouts',
  method: 'POST',
  path: '/refunds/:id/preview-not-ordered',
  response: seen,
  refusals: ['refund_not_owed', 'debit_in_suspense'],
})

/** What is to go back by transfer in a currency: what a file would have in it now, and what it would not as nobody knows the account. */
export const getGathered = adminCall({
  name: 'gatheredRefunds',
  right: 'payouts',
  path: '/refunds/gathered',
  query: z.object({ currency: z.enum(CURRENCIES) }),
  response: z.strictObject({
    rows: z.array(
      z.strictObject({
        id: z.uuid(),
        kind: z.enum(['refund', 'send_back']),
        amount,
        /** The invoice or claim that it is about. */
        number: z.string().nullable(),
        name: z.string().nullable(),
        account: z.strictObject({ scheme: z.enum(PAYOUT_SCHEMES), number: z.string() }).nullable(),
        /** A bank has refused it, or it has come back: it is in a file again only when it is named. */
        hasFailed: z.boolean(),
      }),
    ),
  }),
})

/** Whom an open proposal of a file of refunds pays, with whole accounts, for whoever decides. The proposal keeps their ends alone. */
export const getReceivers = adminCall({
  name: 'refundReceivers',
  right: 'decide_proposals',
  path: '/proposals/:id/receivers',
  response: z.strictObject({
    rows: z.array(
      z.strictObject({
        id: z.uuid(),
        name: z.string().nullable(),
        account: z.strictObject({ scheme: z.enum(PAYOUT_SCHEMES), number: z.string() }).nullable(),
      }),
    ),
  }),
})

/** A file of what goes back by transfer: those that are named, or all whose account is known and no bank has refused. Another decides. */
export const proposeRefundFile = adminCall({
  name: 'proposeRefundFile',
  right: 'payouts',
  method: 'POST',
  status: 202,
  path: '/refunds/files',
  body: z.strictObject({
    currency: z.string().max(3),
    refunds: z.array(z.uuid()).min(1).max(1000).optional(),
    /** A day of the bank, thirty days ahead at most; the next one when it is left out. */
    executionDate: day.optional(),
  }),
  response: proposal,
  refusals: [
    'invalid_request',
    'nothing_to_send_back',
    'refund_not_owed',
    'refund_account_unknown',
    'refund_taken_back',
    'debit_in_suspense',
    'payer_account_missing',
    'sign_in_again',
    'idempotency_key_reused',
  ],
  takesKey: true,
})
