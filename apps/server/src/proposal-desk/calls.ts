/** The calls about what somebody proposes and somebody else decides. */
import * as account from '@kvitt/domain/payouts/payout-account.contract.ts'
import * as contract from '@kvitt/domain/proposals/proposal.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import { isCreditor, proposeAccount, searchPayoutAccountRows } from '../payouts/payouts.ts'
import type { Binding } from '../platform/http/call.ts'
import { JsonText } from '../platform/http/json.ts'
import { Replayed } from '../platform/http/replayed.ts'
import {
  decide,
  findProposal,
  readProposal,
  requireDecider,
  searchProposalRows,
  type Decision,
  type ProposalRow,
} from '../proposals/proposals.ts'
import { bind, bindSharedRow } from '../sign-in/bind.ts'
import { askedBy, onceByOperator, type AskedOnce, type OperatorMember } from '../staff/staff.ts'
import { WORK } from './kinds.ts'

async function present({ db }: Pick<Context, 'db'>, principal: OperatorMember, id: string): Promise<JsonText> {
  const json = await readProposal(db, principal, { id })
  if (json === undefined) throw new Refusal('not_found')
  return new JsonText(json)
}

type Deciding = {
  readonly context: Context
  readonly principal: OperatorMember
  readonly row: ProposalRow
  readonly asked: AskedOnce
}

/** Once under a key. Of two who decide at once, the second hears that it is decided. */
async function decideOnce({ context, principal, row, asked }: Deciding, decision: Decision) {
  requireDecider(context, principal, row, decision)
  const { isReplayed } = await onceByOperator(context, principal, asked, async (tx) => {
    await decide(tx, { context, principal, proposal: row }, decision, WORK[row.kind])
    return row.id
  })
  const answer = await present(context, principal, row.id)
  return isReplayed ? new Replayed(answer) : answer
}

/** Refuses `not_found`: another provider's creditor does not exist. */
async function findCreditor({ db }: Pick<Context, 'db'>, { instance }: OperatorMember, id: string): Promise<string> {
  if (!(await isCreditor(db, { instanceId: instance.id, creditorId: id }))) throw new Refusal('not_found')
  return id
}

export const PROPOSAL_BINDINGS: readonly Binding[] = [
  bind(contract.searchProposals, ({ context, principal, query, body }) =>
    searchProposalRows(context, principal, query, body),
  ),
  bindSharedRow(contract.getProposal, findProposal, ({ context, principal, row }) =>
    present(context, principal, row.id),
  ),
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
  bind(account.searchPayoutAccounts, ({ context, principal, query, body }) =>
    searchPayoutAccountRows(context, principal, query, body),
  ),
  bind(account.proposePayoutAccount, async ({ context, principal, body }) => ({
    id: await proposeAccount(context, principal, { creditorId: principal.creditorId, written: body }),
  })),
  bindSharedRow(account.proposePaymentAccounts, findCreditor, async ({ context, principal, row, body }) => {
    const [written] = body.paymentAccounts
    if (!written) throw new Error('a body without an account came through its contract')
    const id = await proposeAccount(context, principal, { creditorId: row, written, at: 'paymentAccounts.0.' })
    return present(context, principal, id)
  }),
]
