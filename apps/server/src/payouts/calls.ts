/** The calls about the accounts that creditors are paid out to. */
import * as account from '@kvitt/domain/payouts/payout-account.contract.ts'
import type { Binding } from '../platform/http/call.ts'
import { bind } from '../sign-in/bind.ts'
import { searchPayoutAccountRows } from './payout-accounts.queries.ts'
import { proposeAccount } from './payouts.ts'

export const PAYOUT_ACCOUNT_BINDINGS: readonly Binding[] = [
  bind(account.searchPayoutAccounts, ({ context, principal, query, body }) =>
    searchPayoutAccountRows(context, principal, query, body),
  ),
  bind(account.proposePayoutAccount, async ({ context, principal, body }) => ({
    id: await proposeAccount(context, principal, { creditorId: principal.creditorId, written: body }),
  })),
]
