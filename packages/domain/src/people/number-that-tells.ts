/** By which number two records are certainly one party. */
import type { CalendarDate } from '../calendar.ts'
import { isIdentificationNumberValid, isPersonalNumber, NUMBER_RULES } from './identification-number.ts'
import { wholePersonalNumber } from './mailbox-number.ts'
import { registrationKey } from './party-identity.ts'

/**
 * The number of one party of `country` in its one spelling; undefined where it proves nothing: none, one that fails its register's
 * rule ("saknas", "000000-0000"), one digit all through, or of a country whose register is not known here ("EU" stands for many, and
 * their numbers overlap). Ten and twelve digits of one Swedish personal number are the same; `today` tells the century of ten.
 */
export function numberThatTells(
  country: string,
  number: string | null,
  today: CalendarDate,
): string | undefined {
  if (number === null || !Object.hasOwn(NUMBER_RULES, country)) return undefined
  const key = registrationKey(country, number)
  if (/^(.)\1*$/.test(key)) return undefined
  if (!isIdentificationNumberValid(country, number) && !isIdentificationNumberValid(country, key))
    return undefined
  return country === 'SE' && isPersonalNumber(country, key)
    ? (wholePersonalNumber(number.replace(/^\s*SE/i, ''), today) ?? key)
    : key
}
