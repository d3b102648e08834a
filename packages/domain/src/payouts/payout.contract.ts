/** Settlements that are paid out: approved by two people, sent to the bank in a file, and told of by the bank. */
import { z } from 'zod'
import { adminCall, amount, day, instant, LIST_QUERY, searchBody } from '../contract.ts'
import { seen } from '../bank-files/suspense.contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { proposal } from '../proposals/proposal.contract.ts'
import { sentFile } from '../sent-file.contract.ts'
import { PAYOUT_SCHEMES } from './payout-account.ts'
import { PAYOUT_FILE_KINDS, PAYOUT_STATUSES } from './payout.ts'

const proposing = { right: 'payouts', method: 'POST', status: 202, response: proposal } as const

/** That a counted settlement is paid out, or one that the bank has refused is tried again. Another person decides. */
export const proposeSettlement = adminCall({
  ...proposing,
  name: 'proposeSettlement',
  path: '/settlements/:id/propose',
  refusals: ['proposal_open', 'settlement_not_open', 'payout_account_missing', 'debit_in_suspense'],
})

/** Of approved settlements of one currency: those that are named, or all that have an account to go to. */
export const proposePayouts = adminCall({
  ...proposing,
  name: 'proposePayouts',
  path: '/payouts',
  body: z.strictObject({
    currency: z.string().max(3),
    settlements: z.array(z.uuid()).min(1).max(1000).optional(),
    /** The day of the bank; today when it is left out. */
    executionDate: day.optional(),
  }),
  refusals: [
    'invalid_request',
    'nothing_to_pay_out',
    'settlement_not_open',
    'payout_account_missing',
    'payout_account_waits',
    'payer_account_missing',
    'debit_in_suspense',
  ],
})

const listed = {
  id: z.uuid(),
  version: z.number().int(),
  /** What the file is called at the bank. */
  messageId: z.string(),
  kind: z.enum(PAYOUT_FILE_KINDS),
  currency: z.string(),
  amount,
  count: z.number().int(),
  /** How many of its payouts are in each state. */
  states: z.strictObject({
    sent: z.number().int(),
    accepted: z.number().int(),
    paid: z.number().int(),
    refused: z.number().int(),
    /** Paid, and sent back by the bank that it went to. */
    returned: z.number().int(),
    /** Two people have said that the bank has not executed it. */
    notExecuted: z.number().int(),
    /** Debited after that, when what it paid had gone another way. */
    paidTwice: z.number().int(),
  }),
  /** The account of client funds that the money leaves. */
  from: z.string(),
  executionDate: day,
  madeAt: instant,
  proposedBy: z.string(),
  approvedBy: z.string(),
}
const payoutFile = z.strictObject(listed)

export const searchPayouts = adminCall({
  name: 'searchPayouts',
  right: 'see',
  method: 'POST',
  path: '/payouts/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(payoutFile),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const PAIN_001 = 'application/xml'

/** As XML it is the file that the bank gets. */
export const getPayout = adminCall({
  name: 'payout',
  right: 'see',
  path: '/payouts/:id',
  alsoFiles: [PAIN_001],
  response: z.strictObject({
    ...listed,
    payouts: z.array(
      z.strictObject({
        id: z.uuid(),
        /** Null for what goes back to whoever paid. */
        settlement: z.strictObject({ id: z.uuid(), number: z.number().int() }).nullable(),
        creditor: creditorOfRow.nullable(),
        /** As the list of refunds has it; null for a settlement. */
        refund: z.strictObject({ id: z.uuid(), kind: z.enum(['refund', 'send_back']) }).nullable(),
        amount,
        currency: z.string(),
        scheme: z.enum(PAYOUT_SCHEMES),
        number: z.string(),
        receiverName: z.string(),
        status: z.enum(PAYOUT_STATUSES),
        /** The bank's code and words of why it refuses. */
        reason: z.string().nullable(),
        /** It waits for the bank, and two people can say that it was not executed. */
        isOpen: z.boolean(),
        /** Of what was paid twice: what has not come back; null where nothing is owed back. */
        owedBack: amount.nullable(),
      }),
    ),
    /** The proposal that says that rows of it were not executed, and waits for another person. */
    proposal: z.uuid().nullable(),
  }),
})

/** Rows of it that wait for the bank; all of them when it is left out. */
const rows = z.strictObject({ payouts: z.array(z.uuid()).min(1).max(1000).optional() }).optional()

/**
 * The bank has not executed these rows and will not: their money is where it was. One person says so and another agrees. What the bank tells
 * of them later counts for more. Where the payer's bank has taken a row's money back meanwhile, what that had paid is undone with it.
 */
export const proposeNotExecuted = adminCall({
  ...proposing,
  name: 'proposeNotExecuted',
  path: '/payouts/:id/not-executed',
  body: rows,
  refusals: ['payout_not_open', 'debit_in_suspense', 'sign_in_again', 'proposal_open', 'invalid_request'],
})

/** What it would write in the books. Nothing changes. */
export const previewNotExecuted = adminCall({
  name: 'previewNotExecuted',
  right: 'payouts',
  method: 'POST',
  path: '/payouts/:id/preview-not-executed',
  body: rows,
  response: seen,
  refusals: ['payout_not_open', 'debit_in_suspense', 'invalid_request'],
})

const LARGEST_ANSWER_BYTES = 5 * 1024 * 1024

/** The bank's answer to a file (pain.002). The same answer again changes nothing, and says so. */
export const putPayoutAnswer = adminCall({
  name: 'putPayoutAnswer',
  right: 'payouts',
  method: 'PUT',
  path: '/payouts/answers',
  largestFile: LARGEST_ANSWER_BYTES,
  body: z.object({ file: sentFile }),
  response: z.strictObject({
    file: z.uuid(),
    accepted: z.number().int(),
    refused: z.number().int(),
    /** Accepted rows that two people had said were not executed, and whose money has gone another way since: the bank has to be asked to stop them. */
    late: z.number().int(),
    duplicate: z.boolean(),
  }),
  refusals: [
    'file_rejected',
    'file_too_large',
    'unsupported_media_type',
    'payout_answer_unreadable',
    'payout_file_unknown',
    'payout_contradicted',
  ],
})
