/** The calls about what somebody proposes and somebody else decides. */
import * as contract from '@kvitt/domain/proposals/proposal.contract.ts'
import type { Context } from '../context.ts'
import { tryAgain } from '../imports/imports.ts'
import type { Binding } from '../platform/http/call.ts'
import { Replayed } from '../platform/http/replayed.ts'
import {
  decide,
  findProposal,
  presentProposal,
  requireDecider,
  type Decision,
  type ProposalRow,
} from '../proposals/proposals.ts'
import { bindSharedRow } from '../sign-in/bind.ts'
import { askedBy, onceByOperator, type AskedOnce, type OperatorMember } from '../staff/staff.ts'
import { WORK } from './kinds.ts'

type Deciding = {
  readonly context: Context
  readonly principal: OperatorMember
  readonly row: ProposalRow
  readonly asked: AskedOnce
}

/** Once under a key. Of two who decide at once, the second hears that it is decided. */
async function decideOnce({ context, principal, row, asked }: Deciding, decision: Decision) {
  requireDecider(context, principal, row, decision)
  // What it is about may have been booked on meanwhile, as other people's locks come in another order.
  const { isReplayed } = await tryAgain(() =>
    onceByOperator(context, principal, asked, async (tx) => {
      await decide(tx, { context, principal, proposal: row }, decision, WORK[row.kind])
      return row.id
    }),
  )
  const answer = await presentProposal(context, principal, row.id)
  return isReplayed ? new Replayed(answer) : answer
}

export const PROPOSAL_BINDINGS: readonly Binding[] = [
  bindSharedRow(contract.approveProposal, findProposal, ({ context, principal, row, body, request }) => {
    const asked = askedBy(request, 'approve', row.id, body ?? null)
    const reason = body?.reason?.trim() || undefined
    return decideOnce({ context, principal, row, asked }, { isApproved: true, reason })
  }),
  bindSharedRow(contract.refuseProposal, findProposal, ({ context, principal, row, body, request }) => {
    const asked = askedBy(request, 'refuse', row.id, body)
    const reason = body.reason.trim() || undefined
    return decideOnce({ context, principal, row, asked }, { isApproved: false, reason })
  }),
]
