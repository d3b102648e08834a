/** Arithmetic that many national numbers share: weighted sums, check digits, dates of birth inside a number. */
import { type CalendarDate, parseDate } from '../calendar.ts'

/**
 * Is `text` such a number? `today` refuses births in the future; without it the day is not looked at.
 * Never throws, and takes linear time.
 */
export type NumberRule = (text: string, today?: CalendarDate) => boolean

/** The rules of a country by the number's usual name. */
export type NumberRules = Readonly<Record<string, NumberRule>>

/** Longer than any number with its separators; what is longer is not looked at. */
const LONGEST = 40

export function isTooLong(text: string): boolean {
  return text.length > LONGEST
}

/** Capitals without what people put between groups of digits. */
function compact(text: string): string {
  return text.toUpperCase().replace(/[\s\u00a0.\-/():]/g, '')
}

/**
 * A number by its pattern, which sees capitals without separators, and a check of what its groups caught (or
 * of all, when it has none).
 */
export function numberRule(
  pattern: RegExp,
  check: (body: string, today?: CalendarDate) => boolean = () => true,
): NumberRule {
  return (text, today) => {
    const match = isTooLong(text) ? null : pattern.exec(compact(text))
    if (!match) return false
    return check(match.length > 1 ? match.slice(1).join('') : match[0], today)
  }
}

export function anyOf(...rules: readonly NumberRule[]): NumberRule {
  return (text, today) => rules.some((rule) => rule(text, today))
}

/** Sum of digits times weights; weights start again when they run out. Letters count from A = 10. */
export function weighted(text: string, weights: readonly number[]): number {
  return Array.from(text).reduce(
    (total, character, index) =>
      total + Number.parseInt(character, 36) * (weights[index % weights.length] ?? 0),
    0,
  )
}

/** Number.parseInt of one position, 0 beyond the end. */
export function digitAt(text: string, index: number): number {
  return Number(text[index] ?? '0')
}

/** The last digit of `digits`, and what stands before it. */
export function splitCheck(digits: string): { front: string; check: number } {
  return { front: digits.slice(0, -1), check: Number(digits.slice(-1)) }
}

/** ISO 7064 Mod 11,10 over all digits, the check digit last. */
export function isMod11And10(digits: string): boolean {
  let rest = 10
  const { front, check } = splitCheck(digits)
  for (const digit of front) {
    const sum = (rest + Number(digit)) % 10
    rest = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (11 - rest) % 10 === check
}

/**
 * The check of the Baltic personal numbers: weights 1 to 9 over and over; when that gives 10 from 3 on, and
 * when that gives 10 again 0.
 */
export function hasBalticCheck(digits: string): boolean {
  const { front, check } = splitCheck(digits)
  const sumFrom = (start: number): number =>
    Array.from(front).reduce(
      (sum, digit, index) => sum + Number(digit) * (((index + start - 1) % 9) + 1),
      0,
    ) % 11
  const first = sumFrom(1)
  return (first === 10 ? sumFrom(3) % 10 : first) === check
}

/** A real day, not after `today`. Year with its century. */
export function isBirthday(
  born: { readonly year: number; readonly month: number; readonly day: number },
  today?: CalendarDate,
): boolean {
  const pad = (part: number, length: number): string => String(part).padStart(length, '0')
  const day = parseDate(`${pad(born.year, 4)}-${pad(born.month, 2)}-${pad(born.day, 2)}`)
  return day !== undefined && (today === undefined || day <= today)
}
