/** The account that money came from, as far as a bank tells it in a form that money can be sent to. */
import { isBankgiroValid, isIbanValid, isPlusgiroValid, normaliseIban } from '../accounts.ts'
import type { PayoutScheme } from '../payouts/payout-account.ts'
import { mod97 } from '../references.ts'

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

/** A Norwegian account of eleven digits, as the IBAN that it is. */
export function norwegianOfPayer(text: string | undefined): PayerAccount | undefined {
  const digits = (text ?? '').replace(/[\s.]/g, '')
  if (!/^\d{11}$/.test(digits) || /^0+$/.test(digits)) return undefined
  const check = String(98 - mod97(`${digits}NO00`)).padStart(2, '0')
  return ibanOfPayer(`NO${check}${digits}`)
}
