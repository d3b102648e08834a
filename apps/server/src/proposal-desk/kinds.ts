/** How each kind of proposal is carried out: the one table of them. */
import type { ProposalKind } from '@kvitt/domain/proposals/proposal.ts'
import { PAYOUT_ACCOUNT_WORK } from '../payouts/payouts.ts'
import type { ProposalWork } from '../proposals/proposals.ts'

export const WORK: Readonly<Record<ProposalKind, ProposalWork>> = {
  payout_account: PAYOUT_ACCOUNT_WORK,
}
