/** How money is written on the screen. */
import { amountText } from '@kvitt/domain/money.ts'
import type { Language } from './language/languages.ts'

const NO_BREAK_SPACE = '\u00a0'
const MINUS = '\u2212'
/** What a reader means by "kr" where it is not Swedish; another country's goes by its code. */
const KRONA: Readonly<Partial<Record<Language, string>>> = { nb: 'NOK', da: 'DKK' }

/** "4000" as "4 000", in Danish "4.000". Expects digits only. */
export function groupThousands(digits: string, language: Language): string {
  return digits.replace(/\B(?=(?:\d{3})+$)/g, language === 'da' ? '.' : NO_BREAK_SPACE)
}

/** The two halves of an amount, so that a screen can draw the whole units larger: "1 234" and ",50 kr". */
export function splitMoney(
  minor: number,
  currency: string,
  language: Language,
): { whole: string; rest: string } {
  const symbol = currency === 'EUR' ? '€' : currency === (KRONA[language] ?? 'SEK') ? 'kr' : currency
  const [units = '0', decimals = '00'] = amountText(Math.abs(minor)).split('.')
  return {
    whole: `${minor < 0 ? MINUS : ''}${groupThousands(units, language)}`,
    rest: `,${decimals}${NO_BREAK_SPACE}${symbol}`,
  }
}

/**
 * Value, then symbol (specification section 5), never breaking: "1 234,50 kr", Danish "1.234,50 kr". All
 * languages write a decimal comma, English too, because the letters that people compare with do.
 */
export function formatMoney(minor: number, currency: string, language: Language): string {
  const { whole, rest } = splitMoney(minor, currency, language)
  return whole + rest
}
