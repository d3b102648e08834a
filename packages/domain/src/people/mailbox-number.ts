/** Under which number somebody's digital mailbox is found. */
import type { CalendarDate } from '../calendar.ts'
import { registrationKey } from './party-identity.ts'

/**
 * A Swedish personal number with its century, `YYYYMMDDNNNN`, from the ten or twelve digits that it is kept in. Ten
 * digits mean the youngest person whom they fit; with a plus sign somebody who turns a hundred this year or has done so
 * (SFS 1991:481 § 18). Undefined when it cannot be one.
 */
export function wholePersonalNumber(kept: string, today: CalendarDate): string | undefined {
  const digits = kept.replace(/[^0-9]/g, '')
  if (/^(18|19|20)\d{10}$/.test(digits)) return digits
  if (!/^\d{10}$/.test(digits)) return undefined
  const thisYear = Number(today.slice(0, 4))
  const latest = thisYear - ((thisYear - Number(digits.slice(0, 2))) % 100)
  return `${kept.includes('+') ? latest - 100 : latest}${digits.slice(2)}`
}

/** A Swedish company's VAT number, `SE559999001601`; undefined when the number is not one of a company. */
export function companyVatNumber(kept: string): string | undefined {
  const digits = registrationKey('SE', kept)
  return /^\d{10}$/.test(digits) ? `SE${digits}01` : undefined
}
