/** The account that a creditor is paid out to, one for each currency. */
import { isBankgiroValid, isBicValid, isIbanValid, isPlusgiroValid, normaliseIban } from '../accounts.ts'
import { isCurrency, type Currency } from '../money.ts'
import { oneLine } from '../plain-text.ts'

export const PAYOUT_SCHEMES = ['IBAN', 'BANKGIRO', 'PLUSGIRO'] as const
export type PayoutScheme = (typeof PAYOUT_SCHEMES)[number]

/** How long an account waits after it was approved, before money goes to it. */
export const PAYOUT_ACCOUNT_WAIT_HOURS = 24

/** `number`: letters and digits only. */
export type PayoutAccount = {
  readonly currency: Currency
  readonly scheme: PayoutScheme
  readonly number: string
  readonly bic: string | null
  readonly receiverName: string
}

export type WrittenAccount = {
  readonly currency: string
  readonly scheme: PayoutScheme
  readonly number: string
  readonly bic?: string | null | undefined
  readonly receiverName: string
}

/** A payment order has room for so many signs of a name. */
const LONGEST_NAME = 70

/** The account as it is kept, or the field that is wrong. A Swedish giro takes kronor alone. */
export function readPayoutAccount(written: WrittenAccount): PayoutAccount | { readonly field: string } {
  const { currency, scheme } = written
  if (!isCurrency(currency)) return { field: 'currency' }
  if (scheme !== 'IBAN' && currency !== 'SEK') return { field: 'currency' }
  const number = scheme === 'IBAN' ? normaliseIban(written.number) : written.number.replace(/[\s-]/g, '')
  const isValid = { IBAN: isIbanValid, BANKGIRO: isBankgiroValid, PLUSGIRO: isPlusgiroValid }[scheme]
  if (!/^[0-9A-Z]+$/.test(number) || !isValid(number)) return { field: 'number' }
  const bic = written.bic?.trim().toUpperCase() || null
  if (bic !== null && !isBicValid(bic)) return { field: 'bic' }
  const receiverName = oneLine(written.receiverName)
  if (receiverName === '' || receiverName.length > LONGEST_NAME) return { field: 'receiverName' }
  return { currency, scheme, number, bic, receiverName }
}
