/** Finding a debtor by the number that an electronic ID has proven. */
import type { CalendarDate } from '../calendar.ts'
import { registrationKey } from './party-identity.ts'

/** Countries under whose names debtors with a number are kept; EU stands for the rest. */
const COUNTRIES = ['SE', 'NO', 'DK', 'FI', 'EU']

function plain(number: string): string {
  return number.toUpperCase().replace(/[^0-9A-Z]/g, '')
}

/**
 * The identities (debtorIdentity) that the bearer of `proven` may be kept under: the number in any country that
 * the person may live in, and a Swedish one also without its century, as creditors often print it.
 */
export function identitiesOfPerson(proven: string): string[] {
  const number = plain(proven)
  if (number === '') return []
  const short = /^(18|19|20)\d{10}$/.test(number) ? [`SE:${number.slice(2)}`] : []
  return [...COUNTRIES.map((country) => `${country}:${registrationKey(country, number)}`), ...short]
}

/**
 * Is the number that a debtor is kept under this person's? Ten Swedish digits fit two people born a century
 * apart: the one who turns a hundred this year or has done so is written with a plus sign (SFS 1991:481 § 18).
 */
export function isNumberOf(proven: string, kept: string, today: CalendarDate): boolean {
  const [number, other] = [plain(proven), plain(kept).replace(/^SE/, '')]
  if (number === other || !/^(18|19|20)\d{10}$/.test(number)) return true
  if (other !== number.slice(2)) return true
  const isHundred = Number(today.slice(0, 4)) - Number(number.slice(0, 4)) >= 100
  return kept.includes('+') === isHundred
}

/**
 * What the bearer of the number `kept` may have proven it with, the likelier first: ten Swedish digits are proven with their century,
 * which the plus sign of a hundred-year-old tells (SFS 1991:481 § 18). Empty for an empty number.
 */
export function provenNumbersOf(kept: string, today: CalendarDate): string[] {
  const number = plain(kept)
  if (number === '') return []
  const short = /^(?:SE)?(\d{10})$/.exec(number)?.[1]
  if (short === undefined) return [number]
  const year = Number(today.slice(0, 4))
  const age = (year - Number(short.slice(0, 2))) % 100
  const born = year - age - (kept.includes('+') ? 100 : 0)
  return [`${Math.floor(born / 100)}${short}`, number]
}
