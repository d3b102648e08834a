/**
 * The addresses of an account: each number that money reaches it by, in one canonical text. Two numbers that compute from
 * each other have one address; all others of an account have to be entered.
 *
 * Computed: a Norwegian IBAN and its 11 digits; a Danish IBAN and its registration number with account (4 and up to 10
 * digits). Not computed: a bankgiro, plusgiro, Swedish clearing number with account, or Swish number from an IBAN or from each
 * other, because only the bank knows what belongs together.
 */
import { isBankgiroValid, isIbanValid, isPlusgiroValid, normaliseIban } from './accounts.ts'
import { mod97 } from './references.ts'

export type AddressKind = 'IBAN' | 'BANKGIRO' | 'PLUSGIRO' | 'ACCOUNT' | 'SWISH'

/** What money is sent to: how a payment, an invoice or a bank's file writes it. */
type Written = {
  readonly scheme: 'IBAN' | 'BANKGIRO' | 'PLUSGIRO' | 'LOCAL' | 'SWISH'
  readonly account: string
}

/** The countries whose national account numbers are kept. */
const COUNTRIES = ['SE', 'NO', 'DK', 'FI'] as const

/** Letters and digits only: how account numbers are sent. */
export function accountKey(account: string): string {
  return account
    .normalize('NFKC')
    .replace(/[^0-9A-Za-z]/g, '')
    .toUpperCase()
}

/** The IBAN of a national number, in the countries where it follows from it; undefined when its own check digits fail. */
function ibanOfNational(country: 'NO' | 'DK', digits: string): string | undefined {
  const isWhole = country === 'NO' ? /^\d{11}$/.test(digits) : /^\d{5,14}$/.test(digits)
  if (!isWhole) return undefined
  const account = country === 'NO' ? digits : digits.slice(0, 4) + digits.slice(4).padStart(10, '0')
  const check = String(98 - mod97(`${account}${country}00`)).padStart(2, '0')
  const iban = `${country}${check}${account}`
  return isIbanValid(iban) ? iban : undefined
}

/** The IBAN that follows from a national number of `country`; undefined where none does. */
export function ibanOfAccount(country: string, account: string): string | undefined {
  return country === 'NO' || country === 'DK' ? ibanOfNational(country, accountKey(account)) : undefined
}

/**
 * The canonical text of one number: country, kind and digits, such as "SE BANKGIRO 99900227" or "NO IBAN NO9799990000111".
 * Undefined when its length or check digits are wrong. `country` matters for a national number (ACCOUNT) alone.
 */
export function addressOf(kind: AddressKind, number: string, country = 'SE'): string | undefined {
  const key = accountKey(number)
  if (kind === 'IBAN') {
    const iban = normaliseIban(number)
    return isIbanValid(iban) ? `${iban.slice(0, 2)} IBAN ${iban}` : undefined
  }
  if (kind === 'ACCOUNT') {
    if (country === 'NO' || country === 'DK') {
      const iban = ibanOfNational(country, key)
      return iban && `${country} IBAN ${iban}`
    }
    return /^\d{6,20}$/.test(key) ? `${country} ACCOUNT ${key}` : undefined
  }
  const digits = key.replace(/^0+/, '')
  if (kind === 'SWISH') return /^123\d{7}$/.test(digits) ? `SE SWISH ${digits}` : undefined
  const isValid = kind === 'BANKGIRO' ? isBankgiroValid : isPlusgiroValid
  return isValid(digits) ? `SE ${kind} ${digits}` : undefined
}

/**
 * The addresses that a number may stand for. A number without a kind, as some banks write it, may be any of several: all that
 * fit are answered, and the account that has one of them is meant.
 */
export function addressesOf({ scheme, account }: Written): string[] {
  const found =
    scheme === 'LOCAL'
      ? [
          addressOf('IBAN', account),
          addressOf('BANKGIRO', account),
          addressOf('PLUSGIRO', account),
          ...COUNTRIES.map((country) => addressOf('ACCOUNT', account, country)),
        ]
      : [addressOf(scheme, account)]
  return [...new Set(found.filter((address) => address !== undefined))]
}

/** How payments to this address may be written: scheme and number, as a payment keeps them. */
export function writtenAs(address: string): string[] {
  const [country = '', kind = '', number = ''] = address.split(' ')
  if (kind === 'ACCOUNT') return [`LOCAL ${number}`]
  const isComputed = kind === 'IBAN' && (country === 'NO' || country === 'DK')
  return [`${kind} ${number}`, ...(isComputed ? [`LOCAL ${number.slice(4)}`] : [])]
}
