/** Numbers of persons and companies in the Nordic and Baltic countries. */
import type { CalendarDate } from '../calendar.ts'
import { isLuhnValid } from '../references.ts'
import {
  type NumberRules,
  anyOf,
  digitAt,
  hasBalticCheck,
  isBirthday,
  isTooLong,
  numberRule,
  weighted,
} from './number-checks.ts'

const two = (text: string, index: number): number => Number(text.slice(index, index + 2))

/** Ten or twelve digits; a coordination number has 60 added to the day. The century may be left out. */
function isSwedishPerson(digits: string, today?: CalendarDate): boolean {
  const short = digits.slice(-10)
  const day = two(short, 4) > 60 ? two(short, 4) - 60 : two(short, 4)
  const centuries = digits.length === 12 ? [two(digits, 0)] : [18, 19, 20]
  const isBorn = centuries.some((century) =>
    isBirthday({ year: century * 100 + two(short, 0), month: two(short, 2), day }, today),
  )
  return isBorn && isLuhnValid(short)
}

/**
 * The plus of people over a hundred stands where others have a hyphen. BankID answers twelve digits without
 * either, and that is right, too.
 */
const personnummer = (text: string, today?: CalendarDate): boolean => {
  const digits = isTooLong(text) ? '' : text.replace(/[\s+-]/g, '')
  return /^(?:\d{2})?\d{10}$/.test(digits) && isSwedishPerson(digits, today)
}

export const SE: NumberRules = {
  personnummer,
  orgnr: numberRule(/^(?:16)?(\d{10})$/, isLuhnValid),
  vat: numberRule(/^(?:SE)?(\d{10})01$/, isLuhnValid),
}

/** Year of birth of a Norwegian number by its three individual digits; undefined when they fit no century. */
function norwegianYear(year: number, individual: number): number | undefined {
  if (individual < 500) return 1900 + year
  if (individual < 750 && year >= 54) return 1800 + year
  if (year < 40) return 2000 + year
  return individual >= 900 ? 1900 + year : undefined
}

/** D numbers add 40 to the day, help numbers 40 and synthetic ones 65 or 80 to the month. */
function isNorwegianPerson(digits: string, today?: CalendarDate): boolean {
  const day = two(digits, 0) > 40 ? two(digits, 0) - 40 : two(digits, 0)
  const raw = two(digits, 2)
  const month = raw - ([80, 65, 40].find((added) => raw > added) ?? 0)
  const year = norwegianYear(two(digits, 4), Number(digits.slice(6, 9)))
  if (year === undefined || !isBirthday({ year, month, day }, today)) return false
  const first = weighted(digits.slice(0, 10), [3, 7, 6, 1, 8, 9, 4, 5, 2, 1])
  const second = weighted(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1])
  return first % 11 === 0 && second % 11 === 0
}

const isNorwegianCompany = (digits: string): boolean =>
  weighted(digits, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0

export const NO: NumberRules = {
  fodselsnummer: numberRule(/^\d{11}$/, isNorwegianPerson),
  orgnr: numberRule(/^\d{9}$/, isNorwegianCompany),
  mva: numberRule(/^(?:NO)?(\d{9})MVA$/, isNorwegianCompany),
}

/** Century by the seventh digit. Numbers since 2007 have no check digit. */
function isDanishPerson(digits: string, today?: CalendarDate): boolean {
  const year = two(digits, 4)
  const seventh = digitAt(digits, 6)
  const isRecent = (seventh === 4 || seventh === 9) && year < 37
  const older = seventh >= 5 && seventh <= 8 && year > 57 ? 1800 : 2000
  const century = seventh < 4 || ((seventh === 4 || seventh === 9) && !isRecent) ? 1900 : older
  return isBirthday({ year: century + year, month: two(digits, 2), day: two(digits, 0) }, today)
}

export const DK: NumberRules = {
  cpr: numberRule(/^\d{10}$/, isDanishPerson),
  cvr: numberRule(/^(?:DK)?([1-9]\d{7})$/, (digits) => weighted(digits, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0),
}

const FINNISH_CHECKS = '0123456789ABCDEFHJKLMNPRSTUVWXY'

/** The sign is the century: + 1800, - and U to Y 1900, A to F 2000. Serials from 900 are for tests. */
const hetu = (text: string, today?: CalendarDate): boolean => {
  const number = isTooLong(text) ? '' : text.replace(/\s/g, '').toUpperCase()
  const match = /^(\d{6})([-+A-FU-Y])(\d{3})([0-9A-FHJ-NPR-Y])$/.exec(number)
  if (!match) return false
  const [, born = '', sign = '', serial = '', check] = match
  const century = sign === '+' ? 1800 : /[A-F]/.test(sign) ? 2000 : 1900
  const isBorn = isBirthday({ year: century + two(born, 4), month: two(born, 2), day: two(born, 0) }, today)
  return isBorn && Number(serial) >= 2 && FINNISH_CHECKS[Number(born + serial) % 31] === check
}

const isFinnishCompany = (digits: string): boolean => weighted(digits, [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0

export const FI: NumberRules = {
  hetu,
  ytunnus: numberRule(/^\d{8}$/, isFinnishCompany),
  alv: numberRule(/^(?:FI)?(\d{8})$/, isFinnishCompany),
}

/** First digit: 1 and 2 born in the 1800s, 3 and 4 in the 1900s, and so on. */
function isBalticBirthday(digits: string, today?: CalendarDate): boolean {
  const century = 1700 + Math.ceil(digitAt(digits, 0) / 2) * 100
  return isBirthday({ year: century + two(digits, 1), month: two(digits, 3), day: two(digits, 5) }, today)
}

export const EE: NumberRules = {
  ik: numberRule(
    /^[1-8]\d{10}$/,
    (digits, today) => hasBalticCheck(digits) && isBalticBirthday(digits, today),
  ),
  registrikood: numberRule(/^[1789]\d{7}$/, hasBalticCheck),
  kmkr: numberRule(/^(?:EE)?(\d{9})$/, (digits) => weighted(digits, [3, 7, 1]) % 10 === 0),
}

export const LT: NumberRules = {
  // Numbers that begin with 9 say nothing about a birth.
  asmens: numberRule(
    /^[1-69]\d{10}$/,
    (digits, today) => hasBalticCheck(digits) && (digits.startsWith('9') || isBalticBirthday(digits, today)),
  ),
  pvm: numberRule(/^(?:LT)?(\d{9}|\d{12})$/, (digits) => digits.at(-2) === '1' && hasBalticCheck(digits)),
  company: numberRule(/^(\d{7}|\d{9})$/),
}

function isLatvianPerson(digits: string, today?: CalendarDate): boolean {
  const sum = 1 + weighted(digits.slice(0, 10), [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])
  if ((sum % 11) % 10 !== digitAt(digits, 10)) return false
  // Numbers given since 2017 begin with 32 and hold no date.
  if (digits.startsWith('32')) return true
  const year = 1800 + digitAt(digits, 6) * 100 + two(digits, 4)
  return isBirthday({ year, month: two(digits, 2), day: two(digits, 0) }, today)
}

const latvianCompany = numberRule(
  /^(?:LV)?([4-9]\d{10})$/,
  (digits) => weighted(digits, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 === 3,
)

export const LV: NumberRules = {
  pvn: anyOf(latvianCompany, numberRule(/^(?:LV)?([0-3]\d{10})$/, isLatvianPerson)),
}
