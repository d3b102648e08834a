/** The accounts that an instance itself is paid to (D-27): entered by a person, checked, one shown for each currency. */
import { addressOf } from '@kvitt/domain/account-address.ts'
import { formatBankgiro, formatPlusgiro, isBicValid, normaliseIban } from '@kvitt/domain/accounts.ts'
import { isCurrency, type Currency } from '@kvitt/domain/money.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { newId } from '../platform/identity.ts'
import { insertAddressRows, readAccountsAt } from './account-addresses.queries.ts'
import { chooseAccountRow, readOwnAccounts, type OwnAccountRow } from './own-accounts.queries.ts'

export { readOwnAccounts, type OwnAccountRow } from './own-accounts.queries.ts'

/** Why nothing was entered, for a person to read. */
export class AccountRefused extends Error {
  override name = 'AccountRefused'
}

/** As a person writes them. */
export type WantedAccount = {
  readonly form: 'iban' | 'bankgiro' | 'plusgiro'
  readonly number: string
  readonly currency: string
  readonly receiver: string
  readonly bank: string | undefined
  readonly bic: string | undefined
  /** Who enters it, for the audit log. */
  readonly by: string
}

const FORMS = {
  bankgiro: { scheme: 'BANKGIRO', name: 'bankgiro', format: formatBankgiro },
  plusgiro: { scheme: 'PLUSGIRO', name: 'plusgiro', format: formatPlusgiro },
} as const

/** Throws AccountRefused with a sentence about the first mistake. */
function numbersOf({ form, number }: WantedAccount, currency: Currency) {
  if (form === 'iban') {
    const iban = normaliseIban(number)
    const address = addressOf('IBAN', iban)
    if (address === undefined)
      throw new AccountRefused(`${number} is not an IBAN: its length or its check digits are wrong.`)
    return { scheme: 'IBAN' as const, account_number: null, iban, numberKey: iban, address }
  }
  const { scheme, name, format } = FORMS[form]
  const address = addressOf(scheme, number)
  if (address === undefined)
    throw new AccountRefused(`${number} is not a ${name}: its length or its check digit is wrong.`)
  if (currency !== 'SEK') throw new AccountRefused(`A ${name} takes SEK only. Give an IBAN for ${currency}.`)
  const key = `${scheme}${number.replaceAll(/\D/g, '')}`
  return { scheme, account_number: format(number) ?? number, iban: null, numberKey: key, address }
}

function textOf(text: string, what: string, most: number): string {
  const shown = text.trim()
  if (shown === '' || shown.length > most || /\p{C}/u.test(shown))
    throw new AccountRefused(`${what} has to have 1 to ${most} characters.`)
  return shown
}

/**
 * Enters an account of the instance, or one that it has already with what was changed, and chooses it for its currency:
 * money that is not for a creditor's own account is asked for there from now on. Throws AccountRefused.
 */
export async function chooseOwnAccount(
  context: Pick<Context, 'db' | 'clock'>,
  instanceId: string,
  wanted: WantedAccount,
): Promise<OwnAccountRow> {
  const currency = wanted.currency.toUpperCase()
  if (!isCurrency(currency))
    throw new AccountRefused(`${wanted.currency} is not a currency that is used here.`)
  const { numberKey, address, ...numbers } = numbersOf(wanted, currency)
  const bic = wanted.bic?.trim().toUpperCase()
  if (bic !== undefined && !isBicValid(bic)) throw new AccountRefused(`${wanted.bic} is not a BIC.`)
  const account = {
    id: newId(context.clock.now()),
    ...numbers,
    numberKey,
    bic: bic ?? null,
    receiver_name: textOf(wanted.receiver, 'The name of the receiver', 70),
    bank_name: wanted.bank === undefined ? null : textOf(wanted.bank, 'The name of the bank', 70),
    currency,
  }
  return context.db.transaction(async (tx) => {
    const before = (await readOwnAccounts(tx, instanceId)).find((one) => one.currency === currency)
    // It may be entered already under another of its numbers: then that account is chosen.
    const [known] = await readAccountsAt(tx, instanceId, [address])
    const chosen = await chooseAccountRow(tx, instanceId, account, known?.account_id ?? null)
    if (!chosen)
      throw new AccountRefused(
        `${wanted.number} is the account of a creditor: it cannot be the provider's own.`,
      )
    await insertAddressRows(tx, instanceId, [{ accountId: chosen.id, address }])
    const about = `account:${chosen.id}`
    await noteDeed(tx, {
      instanceId,
      kind: 'account_chosen',
      by: wanted.by,
      about,
      before: before ?? {},
      after: chosen,
    })
    return chosen
  })
}
