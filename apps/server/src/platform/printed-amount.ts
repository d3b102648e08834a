/** Amounts as people read them in letters and mails. */
import { amountText } from '@kvitt/domain/money.ts'
import type { Language } from './texts.ts'

const GROUPS: Record<Language, string> = { sv: '\u00a0', en: '\u00a0', nb: '\u00a0', da: '.', fi: '\u00a0' }

/** 123450 öre as "1 234,50 SEK": groups by language, the currency by its code. */
export function printedAmount(minor: number, currency: string, language: Language): string {
  const [whole = '', decimals = ''] = amountText(Math.abs(minor)).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, GROUPS[language])
  return `${minor < 0 ? '-' : ''}${grouped},${decimals}\u00a0${currency}`
}
