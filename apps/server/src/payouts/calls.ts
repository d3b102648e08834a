/** The calls about the accounts that creditors are paid out to. */
import { Refusal } from '@kvitt/domain/errors.ts'
import * as account from '@kvitt/domain/payouts/payout-account.contract.ts'
import type { Context } from '../context.ts'
import type { Binding } from '../platform/http/call.ts'
import { presentProposal } from '../proposals/proposals.ts'
import { bind, bindSharedRow } from '../sign-in/bind.ts'
import type { OperatorMember } from '../staff/staff.ts'
import { isCreditorRow, searchPayoutAccountRows } from './payout-accounts.queries.ts'
import { proposeAccount } from './payouts.ts'

/** Refuses `not_found`: another provider's creditor does not exist. */
async function findCreditor(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  id: string,
): Promise<string> {
  if (!(await isCreditorRow(db, { instanceId: instance.id, creditorId: id }))) throw new Refusal('not_found')
  return id
}

export const PAYOUT_ACCOUNT_BINDINGS: readonly Binding[] = [
  bind(account.searchPayoutAccounts, ({ context, principal, query, body }) =>
    searchPayoutAccountRows(context, principal, query, body),
  ),
  bind(account.proposePayoutAccount, async ({ context, principal, body }) => ({
    id: await proposeAccount(context, principal, { creditorId: principal.creditorId, written: body }),
  })),
  bindSharedRow(account.proposePaymentAccounts, findCreditor, async ({ context, principal, row, body }) => {
    const [written] = body.paymentAccounts
    if (!written) throw new Error('a body without an account came through its contract')
    const at = 'paymentAccounts.0.'
    return presentProposal(
      context,
      principal,
      await proposeAccount(context, principal, { creditorId: row, written, at }),
    )
  }),
]
