/** The calls about the accounts that debtors pay to, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/payee-accounts/payee-account.contract.ts'
import type { Binding } from '../platform/http/call.ts'
import { Replayed } from '../platform/http/replayed.ts'
import { presentProposal } from '../proposals/proposals.ts'
import { bind, bindSharedRow } from '../sign-in/bind.ts'
import { askedBy } from '../staff/staff.ts'
import { findPayee, listPayees, presentPayee, proposePayee, stopPayee } from './payee-accounts.ts'

export const PAYEE_ACCOUNT_BINDINGS: readonly Binding[] = [
  bind(contract.getPayeeAccounts, ({ context, principal, query }) =>
    listPayees(context, principal, query.creditor ?? null),
  ),
  bind(contract.proposePayeeAccount, async ({ context, principal, body }) => {
    const { creditor, ...written } = body
    const id = await proposePayee(context, principal, { creditorId: creditor ?? null, written })
    return presentProposal(context, principal, id)
  }),
  bindSharedRow(contract.stopPayeeAccount, findPayee, async ({ context, principal, row, body, request }) => {
    const asked = askedBy(request, 'stop', row.id, body)
    const { isReplayed } = await stopPayee(context, principal, asked, { row, reason: body.reason.trim() })
    const answer = await presentPayee(context.db, principal.instance.id, row.id)
    return isReplayed ? new Replayed(answer) : answer
  }),
]
