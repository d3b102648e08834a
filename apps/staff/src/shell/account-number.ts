import { formatBankgiro, formatIban, formatPlusgiro } from '@kvitt/domain/accounts.ts'
import { t } from '../text.ts'

const FORMATS: Readonly<Record<string, (number: string) => string | undefined>> = {
  IBAN: formatIban,
  BANKGIRO: formatBankgiro,
  PLUSGIRO: formatPlusgiro,
}

/** As it is written on paper: IBAN in fours, giro numbers with their hyphen. */
export function accountNumber(scheme: string, number: string): string {
  return FORMATS[scheme]?.(number) ?? number
}

/** What kind of number it is. */
export function schemeName(scheme: string): string {
  const kind = scheme === 'IBAN' || scheme === 'BANKGIRO' || scheme === 'PLUSGIRO' ? scheme : 'ACCOUNT'
  return t(`payee.scheme.${kind}`)
}
