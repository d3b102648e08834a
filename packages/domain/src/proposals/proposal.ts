/**
 * Four eyes: what one person proposes and another decides. One closed table of kinds. A new kind is a line here, with who
 * decides it; a `ProposalWork` of the feature that carries it out, in `WORK` of `apps/server/src/proposal-desk/kinds.ts`; and its text
 * `proposal_kind.…` in the portal. The feature that proposes calls `propose` of `apps/server/src/proposals/proposals.ts`.
 */
import type { OperatorRole } from '../staff/roles.ts'

export type ProposalRule = {
  /** Whoever decides works for the operator in one of these roles, and is another person than who proposed it. */
  readonly deciders: readonly OperatorRole[]
  /** Whoever approves has shown who they are within ten minutes. */
  readonly isFresh: boolean
  /** Whoever approves what a creditor has proposed says how they made sure, such as by a call to a number that was known before. */
  readonly asksHow: boolean
}

export const PROPOSAL_KINDS = {
  settlement: { deciders: ['manager', 'approver', 'finance'], isFresh: false, asksHow: false },
  payout_file: { deciders: ['manager', 'approver', 'finance'], isFresh: false, asksHow: false },
  refund_file: { deciders: ['manager', 'approver'], isFresh: true, asksHow: false },
  file_not_executed: { deciders: ['manager', 'approver'], isFresh: true, asksHow: false },
  paid_twice: { deciders: ['manager', 'approver'], isFresh: true, asksHow: false },
  refund_not_ordered: { deciders: ['manager', 'approver'], isFresh: true, asksHow: false },
  refund: { deciders: ['manager', 'approver'], isFresh: true, asksHow: false },
  payment_reversal: { deciders: ['manager', 'approver'], isFresh: false, asksHow: false },
  payment_move: { deciders: ['manager', 'approver'], isFresh: false, asksHow: false },
  write_off: { deciders: ['manager', 'approver'], isFresh: false, asksHow: false },
  bank_entry: { deciders: ['manager', 'approver'], isFresh: true, asksHow: false },
  agreement: { deciders: ['manager', 'approver'], isFresh: false, asksHow: false },
  reminder_fee: { deciders: ['manager', 'approver'], isFresh: false, asksHow: false },
  charge_owner: { deciders: ['manager', 'approver'], isFresh: false, asksHow: false },
  operator_manager: { deciders: ['manager', 'approver'], isFresh: true, asksHow: false },
  creditor_manager: { deciders: ['manager', 'approver'], isFresh: true, asksHow: false },
  payout_account: { deciders: ['manager', 'approver'], isFresh: true, asksHow: true },
  country_figure: { deciders: ['manager', 'approver'], isFresh: false, asksHow: false },
  payee_account: { deciders: ['manager', 'approver'], isFresh: true, asksHow: true },
  plan_setting: { deciders: ['manager', 'approver'], isFresh: false, asksHow: false },
  sign_in_issuer: { deciders: ['manager', 'approver'], isFresh: true, asksHow: false },
} as const satisfies Readonly<Record<string, ProposalRule>>

export type ProposalKind = keyof typeof PROPOSAL_KINDS
export const ALL_PROPOSALS = Object.keys(PROPOSAL_KINDS) as [ProposalKind, ...ProposalKind[]]

/** WITHDRAWN: whoever proposed it has taken it back. */
export const PROPOSAL_STATUSES = ['OPEN', 'APPROVED', 'REFUSED', 'WITHDRAWN'] as const
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number]

export function ruleOf(kind: ProposalKind): ProposalRule {
  return PROPOSAL_KINDS[kind]
}
