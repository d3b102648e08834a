/** The account that money came from, as far as a bank tells it in a form that money can be sent to. */
import { ibanOfAccount } from '../account-address.ts'
import { isBankgiroValid, isIbanValid, isPlusgiroValid, normaliseIban } from '../accounts.ts'
import type { PayoutScheme } from '../payouts/payout-account.ts'

/** `number`: letters and digits only. */
export type PayerAccount = { readonly scheme: PayoutScheme; readonly number: string }

/** Undefined for what is no IBAN that can be sent to. */
export function ibanOfPayer(text: string | undefined): PayerAccount | undefined {
  const number = normaliseIban(text ?? '')
  return isIbanValid(number) ? { scheme: 'IBAN', number } : undefined
}

/** A Swedish giro, with the zeros before it that a file's columns may have. */
export function giroOfPayer(
  scheme: 'BANKGIRO' | 'PLUSGIRO',
  text: string | undefined,
): PayerAccount | undefined {
  const number = (text ?? '').replace(/[\s-]/g, '').replace(/^0+/, '')
  const isValid = scheme === 'BANKGIRO' ? isBankgiroValid(number) : isPlusgiroValid(number)
  return isValid ? { scheme, number } : undefined
}

const NATIONAL_LENGTHS = { NO: 11, DK: 14 } as const

/** A Norwegian account of eleven digits, or a Danish one of fourteen with its bank's four, as the IBAN that it is. */
export function nationalOfPayer(country: 'NO' | 'DK', text: string | undefined): PayerAccount | undefined {
  const digits = (text ?? '').replace(/[\s.-]/g, '')
  const isWhole = /^\d+$/.test(digits) && digits.length === NATIONAL_LENGTHS[country] && !/^0+$/.test(digits)
  return isWhole ? ibanOfPayer(ibanOfAccount(country, digits)) : undefined
}
