/** The calls that show proposals; those that decide them stand in `proposal-desk/`, with how each kind is carried out. */
import * as contract from '@kvitt/domain/proposals/proposal.contract.ts'
import type { Binding } from '../platform/http/call.ts'
import { bind, bindSharedRow } from '../sign-in/bind.ts'
import { searchProposalRows } from './proposals.queries.ts'
import { findProposal, presentProposal } from './proposals.ts'

export const PROPOSAL_LIST_BINDINGS: readonly Binding[] = [
  bind(contract.searchProposals, ({ context, principal, query, body }) =>
    searchProposalRows(context, principal, query, body),
  ),
  bindSharedRow(contract.getProposal, findProposal, ({ context, principal, row }) =>
    presentProposal(context, principal, row.id),
  ),
]
