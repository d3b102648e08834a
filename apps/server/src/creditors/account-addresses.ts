/** Which account a number means. Accounts are compared by this alone: their printed forms say nothing. */
import { accountKey, addressesOf } from '@kvitt/domain/account-address.ts'
import type { Holder } from '@kvitt/domain/ledger/booking.ts'
import type { Connection } from '../platform/database/database.ts'
import { readAccountsAt } from './account-addresses.queries.ts'

type Written = Parameters<typeof addressesOf>[0]

/** The account's id and for which creditor it is; null for the instance's own. */
export type KnownAccount = {
  readonly id: string
  readonly creditorId: string | null
  /** Who has it; null when nobody has told yet. */
  readonly holder: Holder | null
}

/** The accounts of the instance that the number may mean: none, one, or several when a number without a kind fits them. */
export async function findAccounts(
  db: Connection,
  instanceId: string,
  written: Written,
): Promise<KnownAccount[]> {
  const addresses = addressesOf(written)
  if (addresses.length === 0) return []
  const found = await readAccountsAt(db, instanceId, addresses)
  return [...new Map(found.map((row) => [row.account_id, row])).values()].map((row) => ({
    id: row.account_id,
    creditorId: row.creditor_id,
    holder: row.holder,
  }))
}

/** Whether a number that somebody reports, in a form that is not said, is the account that was written. */
export async function isSameAccount(
  db: Connection,
  instanceId: string,
  { written, reported }: { readonly written: Written; readonly reported: string },
): Promise<boolean> {
  if (accountKey(written.account) === accountKey(reported)) return true
  const [ours, theirs] = [addressesOf(written), addressesOf({ scheme: 'LOCAL', account: reported })]
  if (ours.some((address) => theirs.includes(address))) return true
  const [first, second] = [
    await readAccountsAt(db, instanceId, ours),
    await readAccountsAt(db, instanceId, theirs),
  ]
  return first.some((one) => second.some((other) => other.account_id === one.account_id))
}
