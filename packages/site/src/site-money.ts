/** Money on the pages of the sites: as it is typed there, and as it is written. */
import { amountText, parseAmount } from '@kvitt/domain/money.ts'
import type { Language } from '@kvitt/ui/language/languages.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'

/** A hundred million, in whole units. */
const LARGEST_MINOR = 10_000_000_000
const THOUSANDS = /^[1-9]\d{0,2}(?:[.,]\d{3})+$/

/** Digits with at most one decimal point, of an amount without spaces; undefined where its separators fit no amount. */
function plainAmount(typed: string): string | undefined {
  const at = Math.max(typed.lastIndexOf(','), typed.lastIndexOf('.'))
  if (at < 0) return typed
  const kinds = new Set(typed.match(/[.,]/g))
  // Three digits behind separators of one kind are thousands: nobody writes a thousandth of a krona.
  if (kinds.size === 1 && THOUSANDS.test(typed)) return typed.replace(/[.,]/g, '')
  const [whole, decimals] = [typed.slice(0, at), typed.slice(at + 1)]
  // The last one begins the decimals, and all before it are of the other kind.
  const isWhole = /^\d+$/.test(whole) || (THOUSANDS.test(whole) && !whole.includes(typed.charAt(at)))
  return isWhole && /^\d{1,2}$/.test(decimals) ? `${whole.replace(/[.,]/g, '')}.${decimals}` : undefined
}

/** What was typed as a letter of any of our countries, or an English one, writes it; in minor units, undefined where it is none. */
export function readAmount(typed: string): number | undefined {
  const plain = typed
    .slice(0, 40)
    .replace(/^\s*(kr|sek|nok|dkk|eur|€)\.?\s*/i, '')
    .replace(/\s*(kr|sek|nok|dkk|eur|€|:-)\.?\s*$/i, '')
    .replace(/\s/g, '')
  const decimal = plainAmount(plain)
  const amount = decimal === undefined ? undefined : parseAmount(decimal, 'SEK')
  return amount && amount.minor > 0 && amount.minor <= LARGEST_MINOR ? amount.minor : undefined
}

/** An amount as the articles write it: "SEK 3,200.00" and "€40.00" in English, else as the portal does. */
export function moneyText(minor: number, currency: string, language: Language): string {
  if (language !== 'en') return formatMoney(minor, currency, language)
  const [units = '0', decimals = '00'] = amountText(Math.abs(minor)).split('.')
  const figures = `${units.replace(/\B(?=(?:\d{3})+$)/g, ',')}.${decimals}`
  return `${minor < 0 ? '\u2212' : ''}${currency === 'EUR' ? '€' : `${currency}\u00a0`}${figures}`
}
