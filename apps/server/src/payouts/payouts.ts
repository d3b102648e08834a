/** Money out to creditors: to which account. */
export { isCreditorRow as isCreditor, searchPayoutAccountRows } from './payout-accounts.queries.ts'
export { PAYOUT_ACCOUNT_WORK, proposeAccount } from './payout-accounts.ts'
