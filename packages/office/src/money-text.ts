/**
 * How staff read money. As the debtors' portal writes it, but with a decimal point in English: beside it stand percentages, times and files
 * that an English reader's programs write so. What a debtor reads agrees with the letters, which have a comma in every language.
 */
import type { Language } from '@kvitt/ui/language/languages.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { splitMoney as split } from '@kvitt/ui/money-text.ts'

/** The two halves of an amount: "1 234" and ",50 kr", in English ".50 kr". */
export function splitMoney(
  minor: number,
  currency: string,
  language: Language,
): { whole: string; rest: string } {
  const { whole, rest } = split(minor, currency, language)
  return { whole, rest: language === 'en' ? rest.replace(',', '.') : rest }
}

/** Value, then symbol, never breaking: "1 234,50 kr", in English "1 234.50 kr". */
export function formatMoney(minor: number, currency: string, language: Language): string {
  const { whole, rest } = splitMoney(minor, currency, language)
  return whole + rest
}

/** Decimal text of the wire, such as a percentage, with the mark of the page's language: "25,5". */
export function decimalText(text: string): string {
  return currentLanguage() === 'en' ? text : text.replace('.', ',')
}
