/** A person says by which other numbers an account is reached, which no rule can compute. */
import { addressesOf, addressOf, type AddressKind } from '@kvitt/domain/account-address.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Connection } from '../platform/database/database.ts'
import {
  insertAddressRows,
  joinAccountRows,
  readAccountsAt,
  readAddresses,
  type AddressedAccount,
} from './account-addresses.queries.ts'
import { endTask } from '../tasks/tasks.ts'
import { joinFilesRows } from './account-files.queries.ts'
import { AccountRefused } from './own-accounts.ts'

/** A number as a person writes it; `country` is of a national number. */
export type WantedAddress = {
  readonly kind: AddressKind
  readonly number: string
  readonly country: string
}

/** The account that a person names by one of its numbers, of any kind. Throws AccountRefused. */
export async function findNamed(
  db: Connection,
  instanceId: string,
  number: string,
): Promise<AddressedAccount> {
  const found = await readAccountsAt(db, instanceId, addressesOf({ scheme: 'LOCAL', account: number }))
  const ids = new Set(found.map((row) => row.account_id))
  const [account] = found
  if (!account) throw new AccountRefused(`No account of this provider has the number ${number}.`)
  if (ids.size > 1)
    throw new AccountRefused(`${number} may be several accounts: name it by another of its numbers.`)
  return account
}

/** The addresses of the account with that number, canonical, in the order in which they were entered. */
export async function readAddressesOf(db: Connection, instanceId: string, number: string): Promise<string[]> {
  const { account_id: id } = await findNamed(db, instanceId, number)
  return (await readAddresses(db, instanceId, [id])).map(({ address }) => address)
}

/**
 * Gives an account a further address. When the address is another account of the same creditor, or both are the provider's
 * own, the two are one from now on. The same address again changes nothing. Throws AccountRefused.
 */
export async function addAddress(
  context: Pick<Context, 'db' | 'clock'>,
  instanceId: string,
  { of, wanted, by }: { readonly of: string; readonly wanted: WantedAddress; readonly by: string },
): Promise<void> {
  const address = addressOf(wanted.kind, wanted.number, wanted.country)
  if (address === undefined)
    throw new AccountRefused(
      `${wanted.number} is not such a number: its length or its check digits are wrong.`,
    )
  await context.db.transaction(async (tx) => {
    const account = await findNamed(tx, instanceId, of)
    const before = (await readAddresses(tx, instanceId, [account.account_id])).map((row) => row.address)
    if (before.includes(address)) return
    await insertAddressRows(tx, instanceId, [{ accountId: account.account_id, address }])
    const [other] = await readAccountsAt(tx, instanceId, [address])
    if (other && other.account_id !== account.account_id) {
      if (other.creditor_id !== account.creditor_id)
        throw new AccountRefused(`${wanted.number} is the account of somebody else here.`)
      if (other.holder === null || other.holder !== account.holder)
        throw new AccountRefused(`Say first who has ${of} and who has ${wanted.number}, with --holder.`)
      const join = { from: other.account_id, to: account.account_id }
      await joinAccountRows(tx, instanceId, join)
      await joinFilesRows(tx, instanceId, join)
      for (const kind of ['account_files_unset', 'account_holder_unset'] as const)
        await endTask(tx, { instanceId, kind, about: `account:${other.account_id}` })
    }
    const about = `account:${account.account_id}`
    const after = [...before, address]
    await noteDeed(tx, {
      instanceId,
      kind: 'account_address_added',
      by,
      about,
      before: { addresses: before },
      after: { addresses: after },
    })
  })
}
