/** The account that debtors pay to, of a provider or of one creditor, one for each currency. */
import { addressOf, ibanOfAccount } from '../account-address.ts'
import type { Holder } from '../ledger/booking.ts'
import {
  PAYOUT_SCHEMES,
  readPayoutAccount,
  type PayoutAccount,
  type WrittenAccount,
} from '../payouts/payout-account.ts'

/** ACCOUNT: a Norwegian or Danish account number, from which its IBAN follows. */
export const PAYEE_SCHEMES = [...PAYOUT_SCHEMES, 'ACCOUNT'] as const
export const HOLDERS = ['INSTANCE', 'CREDITOR'] as const

/** How long an account waits after it was agreed, before debtors are shown it. */
export const PAYEE_ACCOUNT_WAIT_HOURS = 24

/** CURRENT is shown; REPLACED was, and money that still comes there is taken in. */
export const PAYEE_STATES = ['WAITING', 'CURRENT', 'REPLACED', 'STOPPED'] as const

export type PayeeAccount = PayoutAccount & { readonly holder: Holder }
export type WrittenPayee = Omit<WrittenAccount, 'scheme'> & {
  readonly scheme: (typeof PAYEE_SCHEMES)[number]
  readonly holder?: Holder | undefined
}

const COUNTRY_OF: Readonly<Record<string, string>> = { NOK: 'NO', DKK: 'DK' }

/**
 * The account as it is kept, or the field that is wrong. A national number becomes the IBAN that follows from it. What is no
 * creditor's is the provider's own.
 */
export function readPayeeAccount(
  written: WrittenPayee,
  isOwn: boolean,
): PayeeAccount | { readonly field: string } {
  const holder = written.holder ?? (isOwn ? 'INSTANCE' : 'CREDITOR')
  if (isOwn && holder !== 'INSTANCE') return { field: 'holder' }
  const { scheme, ...rest } = written
  if (scheme !== 'ACCOUNT') {
    const account = readPayoutAccount({ ...rest, scheme })
    if ('field' in account) return account
    // A number of zeros has valid check digits, and is no account.
    return addressOf(scheme, account.number) === undefined ? { field: 'number' } : { ...account, holder }
  }
  const country = COUNTRY_OF[written.currency]
  if (country === undefined) return { field: 'currency' }
  const iban = ibanOfAccount(country, written.number)
  if (iban === undefined) return { field: 'number' }
  const account = readPayoutAccount({ ...rest, scheme: 'IBAN', number: iban })
  return 'field' in account ? account : { ...account, holder }
}
