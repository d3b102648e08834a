/** What two people have agreed becomes an account of the provider or of a creditor, where nobody else has its number. */
import { addressOf } from '@kvitt/domain/account-address.ts'
import { formatBankgiro, formatPlusgiro } from '@kvitt/domain/accounts.ts'
import type { PayeeAccount } from '@kvitt/domain/payee-accounts/payee-account.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { insertAddressRows, readAccountsAt, type AddressedAccount } from './account-addresses.queries.ts'
import { insertCreditorAccountRow, renameAccountRow } from './agreed-account.queries.ts'
import { chooseAccountRow } from './own-accounts.queries.ts'

/** Whose the account is to be; null: the provider's own. */
type Whose = { readonly instanceId: string; readonly creditorId: string | null }

function addressOfAgreed({ scheme, number }: PayeeAccount): string {
  const address = addressOf(scheme, number)
  if (address === undefined) throw new Error(`${scheme} ${number} is no account`)
  return address
}

/** Is the known account shown as another number than the agreed one, which is one of its further addresses? */
function isShownOtherwise({ scheme, number, iban }: AddressedAccount, agreed: PayeeAccount): boolean {
  if (scheme === agreed.scheme) return number !== agreed.number
  return !(scheme === 'LOCAL' && agreed.scheme === 'IBAN') && iban !== agreed.number
}

/**
 * Is the number in other use: by another creditor, by the provider, by this creditor in another way, as a further address of an account
 * that is shown as another number, or as the provider's own for another currency, which would lose it?
 */
export async function isAccountTaken(
  db: Connection,
  { instanceId, creditorId }: Whose,
  account: PayeeAccount,
): Promise<boolean> {
  const known = await readAccountsAt(db, instanceId, [addressOfAgreed(account)])
  return known.some(
    (row) =>
      row.creditor_id !== creditorId ||
      (row.holder ?? account.holder) !== account.holder ||
      isShownOtherwise(row, account) ||
      (creditorId === null && row.currency !== null && row.currency !== account.currency),
  )
}

/** Takes the account in, and chooses it for its currency where it is the provider's own. Undefined when somebody else has it. */
export async function takeAccount(
  tx: Transaction,
  whose: Whose,
  account: PayeeAccount & { readonly newId: string },
): Promise<string | undefined> {
  const { instanceId, creditorId } = whose
  if (await isAccountTaken(tx, whose, account)) return undefined
  const { scheme, number, bic, receiverName, currency, holder, newId } = account
  const address = addressOfAgreed(account)
  const [known] = await readAccountsAt(tx, instanceId, [address])
  const iban = scheme === 'IBAN' ? number : null
  const shown = { IBAN: () => undefined, BANKGIRO: formatBankgiro, PLUSGIRO: formatPlusgiro }[scheme](number)
  const accountNumber = shown ?? null
  const numberKey = iban ?? `${scheme}${number}`
  if (creditorId === null) {
    const row = { id: newId, scheme, account_number: accountNumber, iban, bic, receiver_name: receiverName }
    const own = { ...row, bank_name: null, currency, numberKey }
    const chosen = await chooseAccountRow(tx, instanceId, own, known?.account_id ?? null)
    if (chosen) await insertAddressRows(tx, instanceId, [{ accountId: chosen.id, address }])
    return chosen?.id
  }
  if (known) {
    await renameAccountRow(tx, instanceId, { id: known.account_id, receiverName, bic, currency })
    return known.account_id
  }
  const row = { id: newId, creditorId, scheme, accountNumber, iban, bic, receiverName, currency, numberKey }
  if (!(await insertCreditorAccountRow(tx, instanceId, { ...row, holder }))) return undefined
  await insertAddressRows(tx, instanceId, [{ accountId: newId, address }])
  return newId
}
