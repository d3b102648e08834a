/**
 * The account that money came from, as far as a bank tells it in a form that is surely the payer's own and that money can be sent to: an
 * IBAN, or a national number that is called so. A giro that money came from may be somebody's between, and is none.
 */
import { ibanOfAccount } from '../account-address.ts'
import { isIbanValid, normaliseIban } from '../accounts.ts'
import type { Currency } from '../money.ts'

/** `number`: letters and digits only. */
export type PayerAccount = { readonly scheme: 'IBAN'; readonly number: string }

/**
 * The countries, by the first letters of an IBAN, that a file of ours reaches in a currency: its own, and in euro those of SEPA (EPC409-09,
 * without those that joined after 2023). What goes elsewhere takes another kind of order, and is sent by hand.
 */
export const REACHED: Readonly<Partial<Record<Currency, readonly string[]>>> = {
  SEK: ['SE'],
  NOK: ['NO'],
  DKK: ['DK'],
  EUR: 'AD AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MT NL NO PL PT RO SE SI SK SM VA'.split(
    ' ',
  ),
}

/** Undefined for what is no IBAN that can be sent to. */
export function ibanOfPayer(text: string | undefined): PayerAccount | undefined {
  const number = normaliseIban(text ?? '')
  return isIbanValid(number) ? { scheme: 'IBAN', number } : undefined
}

const NATIONAL_LENGTHS = { NO: 11, DK: 14 } as const

/**
 * A Norwegian account of eleven digits, or a Danish one of fourteen with its bank's four, as the IBAN that it is.
 * @param country where the payer's bank is, by ISO 3166; of others there is no account here
 */
export function nationalOfPayer(
  country: string | undefined,
  text: string | undefined,
): PayerAccount | undefined {
  if (country !== 'NO' && country !== 'DK') return undefined
  const digits = (text ?? '').replace(/[\s.-]/g, '')
  const isWhole = /^\d+$/.test(digits) && digits.length === NATIONAL_LENGTHS[country] && !/^0+$/.test(digits)
  return isWhole ? ibanOfPayer(ibanOfAccount(country, digits)) : undefined
}
