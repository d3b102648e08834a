/** What somebody proposes and somebody else decides. */
import { z } from 'zod'
import { adminCall, instant, LIST_QUERY, searchBody } from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { ALL_PROPOSALS, PROPOSAL_STATUSES } from './proposal.ts'
import { typedLines } from '../typed-text.contract.ts'

/** Names and values, to be shown side by side; amounts as decimal text, beside their currency. */
const state = z.record(z.string(), z.unknown())
const person = z.strictObject({ id: z.uuid(), name: z.string(), email: z.string() })

export const proposal = z.strictObject({
  id: z.uuid(),
  version: z.number().int(),
  kind: z.enum(ALL_PROPOSALS),
  status: z.enum(PROPOSAL_STATUSES),
  /** What it is about, such as `settlement:{id}`. */
  about: z.string(),
  /** Whose it is; null for what is of no one creditor. */
  creditor: creditorOfRow.nullable(),
  /** As it was when it was proposed; empty where there was nothing. */
  before: state,
  after: state,
  proposedBy: person,
  /** One of the creditor's staff has proposed it. */
  isOfCreditor: z.boolean(),
  proposedAt: instant,
  decidedBy: person.nullable(),
  decidedAt: instant.nullable(),
  /** Why it was refused, or how whoever approved it made sure. */
  reason: z.string().nullable(),
})
export type Proposal = z.output<typeof proposal>

export const searchProposals = adminCall({
  name: 'searchProposals',
  right: 'see_proposals',
  method: 'POST',
  path: '/proposals/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(proposal),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const getProposal = adminCall({
  name: 'proposal',
  right: 'see_proposals',
  path: '/proposals/:id',
  response: proposal,
})

const deciding = {
  right: 'decide_proposals',
  method: 'POST',
  response: proposal,
  takesKey: true,
} as const

/** Does what was proposed, in the same transaction. `reason` says how one made sure, where the kind asks for that. */
export const approveProposal = adminCall({
  ...deciding,
  name: 'approveProposal',
  path: '/proposals/:id/approve',
  body: z
    .strictObject({ version: z.number().int().optional(), reason: typedLines(1000).optional() })
    .optional(),
  refusals: [
    'sign_in_again',
    'changed_meanwhile',
    'another_person_needed',
    'proposal_decided',
    'why_required',
    'idempotency_key_reused',
    // Of what is carried out.
    'payout_account_missing',
    'payout_account_waits',
    'payer_account_missing',
    'held_too_little',
    'payee_account_taken',
    'issuer_locks_out',
    'payee_account_waits',
    'refund_not_owed',
    'figure_unknown',
    'figure_closed',
    'figure_day_wrong',
    'figure_confirmed',
    'figure_charged',
    'figure_same',
    'figures_busy',
    'setting_value_wrong',
    'setting_code_wrong',
    'setting_day_wrong',
    'setting_kind_fixed',
    'setting_same',
    'refund_under_way',
    'refund_taken_back',
    'payout_not_open',
    'debit_in_suspense',
    'act_not_open',
    'in_claim',
    'owed_in_plan',
    'nothing_left',
    'debt_of_other_creditor',
    'debt_in_other_currency',
    'payment_signed',
    'money_on_statement',
    'money_sent_back',
    'refund_account_unknown',
    'not_in_suspense',
    'entry_not_open',
    'nothing_to_advance',
    'more_than_booked',
    'more_than_fees',
    'more_than_paid_twice',
    'nothing_paid_twice',
    'other_payment_under_way',
    'paid_twice_already',
    'file_sum_differs',
    'invalid_request',
  ],
})

/** Nothing of it is done. Whoever proposed it takes it back so. */
export const refuseProposal = adminCall({
  ...deciding,
  name: 'refuseProposal',
  path: '/proposals/:id/refuse',
  body: z.strictObject({ version: z.number().int().optional(), reason: typedLines(1000) }),
  refusals: ['changed_meanwhile', 'proposal_decided', 'why_required', 'idempotency_key_reused'],
})
