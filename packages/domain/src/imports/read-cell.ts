/**
 * Numbers and dates as people write them in tables. What can be read in two ways is read as the rest of its column shows
 *; where that does not decide, both readings are the answer.
 */
import { parseDocumentDay, type CalendarDate } from '../calendar.ts'

/** What the cells of one column show: how many leave no doubt, and in which way. */
export type ColumnEvidence = {
  readonly comma: number
  readonly point: number
  readonly dayFirst: number
  readonly monthFirst: number
}
export const NO_EVIDENCE: ColumnEvidence = { comma: 0, point: 0, dayFirst: 0, monthFirst: 0 }

/** One value, or two that it may be, or nothing that can be read. */
export type Reading = { readonly value: string } | { readonly readings: readonly string[] } | undefined

const GROUPED = { ',': /^\d{1,3}(,\d{3})+$/, '.': /^\d{1,3}(\.\d{3})+$/ } as const
type Separator = keyof typeof GROUPED
const other = (separator: Separator): Separator => (separator === ',' ? '.' : ',')

/** Spaces of any kind and apostrophes part thousands in both ways of writing. */
const GAPS = /(?<=\d)[\s'’](?=\d{3}(\D|$))/g

type Number_ =
  | { readonly value: string; readonly shows?: Separator }
  | {
      readonly separator: Separator
      readonly whole: string
      readonly decimals: string
      readonly sign: string
    }

function splitNumber(text: string): Number_ | undefined {
  const [, sign = '', body = ''] = /^([-−+]?)\s*(\d[\d.,\s'’]*)$/.exec(text.trim()) ?? []
  const minus = sign === '' || sign === '+' ? '' : '-'
  const digits = body.trim().replace(GAPS, '')
  const hasGaps = digits !== body.trim()
  if (!/^[\d.,]+$/.test(digits)) return undefined
  if (/^\d+$/.test(digits)) return { value: minus + digits }
  const last = digits.includes('.') && digits.lastIndexOf('.') > digits.lastIndexOf(',') ? '.' : ','
  const [whole = '', ...rest] = digits.split(last)
  if (rest.length > 1) return GROUPED[last].test(digits) ? plainOf(minus, digits, other(last)) : undefined
  const decimals = rest[0] ?? ''
  if (decimals === '') return undefined
  if (whole.includes(other(last))) {
    const isGrouped = GROUPED[other(last)].test(whole) && !hasGaps
    return isGrouped ? { value: `${minus}${plain(whole)}.${decimals}`, shows: last } : undefined
  }
  const isDoubtful = decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole) && !hasGaps
  if (isDoubtful) return { separator: last, whole, decimals, sign: minus }
  return { value: `${minus}${whole}.${decimals}`, shows: last }
}

const plain = (digits: string): string => digits.replace(/[.,]/g, '')
const plainOf = (minus: string, digits: string, shows: Separator): Number_ => ({
  value: minus + plain(digits),
  shows,
})

/**
 * A decimal with a point, from `1 234,50`, `1.234,50`, `1,234.50` or `1234.5`. `1.234` may be both: the second reading has a
 * zero more, so that it can be read again in one way only.
 */
export function readNumber(text: string, { comma, point }: ColumnEvidence): Reading {
  const number = splitNumber(text)
  if (number === undefined || 'value' in number) return number && { value: number.value }
  const { separator, whole, decimals, sign } = number
  const isComma = comma > 0 && point === 0
  const isPoint = point > 0 && comma === 0
  const [thousands, decimal] = [`${sign}${whole}${decimals}`, `${sign}${whole}.${decimals}`]
  if (isComma || isPoint) return { value: (separator === ',') === isComma ? decimal : thousands }
  return { readings: [thousands, `${decimal}0`] }
}

type Parts = { readonly first: number; readonly second: number; readonly year: number; readonly sign: string }

const pad = (part: number): string => String(part).padStart(2, '0')
const dayOf = (year: number, month: number, day: number): CalendarDate | undefined =>
  parseDocumentDay(`${year}-${pad(month)}-${pad(day)}`)

function splitDate(text: string): Parts | undefined {
  const [, first, sign = '', second, year] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text) ?? []
  return year === undefined
    ? undefined
    : { first: Number(first), second: Number(second), year: Number(year), sign }
}

/** With points, the day comes first everywhere in the north; with dashes in Denmark, Norway and Finland. */
const isDayFirst = ({ sign }: Parts, country: string): boolean =>
  sign === '.' || (sign === '-' && ['DK', 'NO', 'FI'].includes(country))

/** Clocks are no part of a day: `2026-11-24 00:00:00`. */
const withoutClock = (text: string): string => text.trim().replace(/[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z?$/, '')

/** A day, ISO or as `country` (two letters) writes it. A year of two digits is a guess: then it is offered as a reading. */
export function readDay(text: string, { dayFirst, monthFirst }: ColumnEvidence, country: string): Reading {
  const said = withoutClock(text)
  const [, year, month, day] =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(said) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(said) ?? []
  if (year !== undefined) {
    const value = dayOf(Number(year), Number(month), Number(day))
    return value && { value }
  }
  const parts = splitDate(said)
  if (!parts) return undefined
  const isShort = parts.year < 100
  const full = isShort ? 2000 + parts.year : parts.year
  const [asDayFirst, asMonthFirst] = [
    dayOf(full, parts.second, parts.first),
    isDayFirst(parts, country) ? undefined : dayOf(full, parts.first, parts.second),
  ]
  const readings = [...new Set([asDayFirst, asMonthFirst].filter((one) => one !== undefined))]
  const shown =
    dayFirst > 0 && monthFirst === 0
      ? asDayFirst
      : monthFirst > 0 && dayFirst === 0
        ? asMonthFirst
        : undefined
  const value = readings.length === 1 ? readings[0] : readings.length > 1 ? shown : undefined
  if (value !== undefined && !isShort) return { value }
  if (readings.length === 0) return undefined
  return { readings: value === undefined ? readings : [value] }
}

/** The evidence with that of one more cell. */
export function addEvidence(before: ColumnEvidence, text: string): ColumnEvidence {
  const date = splitDate(withoutClock(text))
  if (date) {
    const { first, second } = date
    if (date.sign === '.' || (first > 12 && second <= 12)) return { ...before, dayFirst: before.dayFirst + 1 }
    if (second > 12 && first <= 12) return { ...before, monthFirst: before.monthFirst + 1 }
    return before
  }
  const number = splitNumber(text)
  const shows = number && 'value' in number ? number.shows : undefined
  if (shows === undefined) return before
  return shows === ',' ? { ...before, comma: before.comma + 1 } : { ...before, point: before.point + 1 }
}
