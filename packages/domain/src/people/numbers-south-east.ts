/** Numbers of persons and companies in Southern and Eastern Europe: BG, CY, CZ, ES, GR, HU, IT, PL, PT, RO, SK. */
import type { CalendarDate } from '../calendar.ts'
import { isLuhnValid } from '../references.ts'
import {
  type NumberRules,
  anyOf,
  digitAt,
  isBirthday,
  isTooLong,
  numberRule,
  splitCheck,
  weighted,
} from './number-checks.ts'

const two = (text: string, index: number): number => Number(text.slice(index, index + 2))

/** Twenty on the month means the 1800s, forty the 2000s. */
function isBulgarianPerson(digits: string): boolean {
  const raw = two(digits, 2)
  const [century, added] = raw > 40 ? [2000, 40] : raw > 20 ? [1800, 20] : [1900, 0]
  const born = { year: century + two(digits, 0), month: raw - added, day: two(digits, 4) }
  const { front, check } = splitCheck(digits)
  const sum = weighted(front, [2, 4, 8, 5, 10, 9, 7, 3, 6])
  return isBirthday(born) && (sum % 11) % 10 === check
}

const isBulgarianForeigner = (digits: string): boolean =>
  weighted(digits.slice(0, 9), [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10 === digitAt(digits, 9)

function isBulgarianCompany(digits: string): boolean {
  const front = digits.slice(0, 8)
  const first = weighted(front, [1, 2, 3, 4, 5, 6, 7, 8]) % 11
  const check = first === 10 ? (weighted(front, [3, 4, 5, 6, 7, 8, 9, 10]) % 11) % 10 : first
  return check === digitAt(digits, 8)
}

const isOtherBulgarian = (digits: string): boolean => {
  const check = 11 - (weighted(digits.slice(0, 9), [4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)
  return check !== 10 && check % 11 === digitAt(digits, 9)
}

export const BG: NumberRules = {
  egn: numberRule(/^\d{10}$/, isBulgarianPerson),
  pnf: numberRule(/^\d{10}$/, isBulgarianForeigner),
  vat: anyOf(
    numberRule(/^(?:BG)?(\d{9}(?:\d{4})?)$/, isBulgarianCompany),
    numberRule(
      /^(?:BG)?(\d{10})$/,
      (digits) => isBulgarianPerson(digits) || isBulgarianForeigner(digits) || isOtherBulgarian(digits),
    ),
  ),
}

/** What a digit in the first, third … place counts. */
const CYPRIOT = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]

export const CY: NumberRules = {
  vat: numberRule(/^(?:CY)?(\d{8}[A-Z])$/, (number) => {
    const sum = Array.from(number.slice(0, 8), Number).reduce(
      (total, digit, index) => total + (index % 2 === 0 ? (CYPRIOT[digit] ?? 0) : digit),
      0,
    )
    return String.fromCharCode(65 + (sum % 26)) === number[8] && !number.startsWith('12')
  }),
  person: numberRule(/^\d{1,10}$/),
}

/** Fifty on the month is a woman, twenty a full series. Nine digits until 1953, then a tenth to check. */
function isBirthNumber(digits: string, today?: CalendarDate): boolean {
  const isOld = digits.length === 9
  const short = two(digits, 0)
  const century = isOld ? (short > 80 ? 1800 : 1900) : short < 54 ? 2000 : 1900
  const year = century + short
  if (isOld && year > 1953) return false
  const born = { year, month: (two(digits, 2) % 50) % 20, day: two(digits, 4) }
  if (!isBirthday(born, today)) return false
  return isOld || (Number(digits.slice(0, 9)) % 11) % 10 === digitAt(digits, 9)
}

function isCzechCompany(digits: string): boolean {
  const sum = weighted(digits.slice(0, 7), [8, 7, 6, 5, 4, 3, 2])
  // No number ends in the check 0 of a sum that divides: it is written 1.
  return ((11 - (sum % 11)) % 11 || 1) % 10 === digitAt(digits, 7)
}

/** Persons without a birth number: 6 before, and a check digit of their own. */
function isSpecialCzech(digits: string): boolean {
  const rest = weighted(digits.slice(1, 8), [8, 7, 6, 5, 4, 3, 2]) % 11
  return (8 - ((21 - rest) % 11) + 10) % 10 === digitAt(digits, 8)
}

const birthNumber = numberRule(/^\d{9,10}$/, isBirthNumber)

export const CZ: NumberRules = {
  rc: birthNumber,
  ico: numberRule(/^[0-8]\d{7}$/, isCzechCompany),
  dic: anyOf(
    numberRule(/^(?:CZ)?([0-8]\d{7})$/, isCzechCompany),
    numberRule(/^(?:CZ)?(6\d{8})$/, isSpecialCzech),
    numberRule(/^(?:CZ)?(\d{9,10})$/, isBirthNumber),
  ),
}

export const SK: NumberRules = {
  rc: birthNumber,
  dph: numberRule(/^(?:SK)?([1-9]\d[2-47-9]\d{7})$/, (digits) => Number(digits) % 11 === 0),
  ico: numberRule(/^\d{8}$/, isCzechCompany),
}

const SPANISH_CHECKS = 'TRWAGMYFPDXBNJZSQVHLCKE'
const hasSpanishLetter = (digits: string, letter: string | undefined): boolean =>
  SPANISH_CHECKS[Number(digits) % 23] === letter

/** The check is a digit or the letter of that digit, by the kind of company; either is taken. */
function isSpanishCompany(number: string): boolean {
  const digits = number.slice(1, 8)
  return Array.from('0123456789').some(
    (check) => isLuhnValid(digits + check) && [check, 'JABCDEFGHI'[Number(check)]].includes(number[8]),
  )
}

const spanishPerson = numberRule(/^(?:ES)?(\d{8}[A-Z])$/, (number) =>
  hasSpanishLetter(number.slice(0, 8), number[8]),
)
const spanishForeigner = numberRule(/^(?:ES)?([XYZ]\d{7}[A-Z])$/, (number) =>
  hasSpanishLetter(`${'XYZ'.indexOf(number[0] ?? '')}${number.slice(1, 8)}`, number[8]),
)
const spanishCompany = numberRule(/^(?:ES)?([A-HJNP-SUVW]\d{7}[0-9A-J])$/, isSpanishCompany)

export const ES: NumberRules = {
  dni: spanishPerson,
  nie: spanishForeigner,
  cif: spanishCompany,
  // K, L and M: Spaniards under 14, abroad, and foreigners without a number.
  nif: anyOf(
    spanishPerson,
    spanishForeigner,
    spanishCompany,
    numberRule(/^(?:ES)?[KLM](\d{7}[A-Z])$/, (number) => hasSpanishLetter(number.slice(0, 7), number[7])),
  ),
}

export const GR: NumberRules = {
  // The year has two digits, so any century that has the day will do.
  amka: numberRule(/^\d{11}$/, (digits) => {
    const [day, month, year] = [two(digits, 0), two(digits, 2), two(digits, 4)]
    return isLuhnValid(digits) && [1900, 2000].some((c) => isBirthday({ year: c + year, month, day }))
  }),
  vat: numberRule(/^(?:EL|GR)?(\d{8,9})$/, (digits) => {
    const { front, check } = splitCheck(digits.padStart(9, '0'))
    return (weighted(front, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === check && Number(digits) > 0
  }),
}

export const HU: NumberRules = {
  anum: numberRule(/^(?:HU)?(\d{8})(?:\d{3})?$/, (digits) => weighted(digits, [9, 7, 3, 1]) % 10 === 0),
  person: numberRule(
    /^8\d{9}$/,
    (digits) => weighted(digits.slice(0, 9), [1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11 === digitAt(digits, 9),
  ),
}

/** What 0 to 9, or A to Z, count in an odd place; in an even place they count themselves. */
const ITALIAN_ODD = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
]

/** Letters stand for digits when two persons would share a number. */
const omocodia = (text: string): string =>
  text.replace(/[LMNP-V]/g, (letter) => String('LMNPQRSTUV'.indexOf(letter)))

function isItalianPerson(number: string): boolean {
  const day = Number(omocodia(number.slice(9, 11)))
  const sum = Array.from(number.slice(0, 15)).reduce((total, character, index) => {
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65
    return total + (index % 2 === 0 ? (ITALIAN_ODD[value] ?? 0) : value)
  }, 0)
  const isDay = (day >= 1 && day <= 31) || (day >= 41 && day <= 71)
  return isDay && String.fromCharCode(65 + (sum % 26)) === number[15]
}

export const IT: NumberRules = {
  codicefiscale: numberRule(
    /^[A-Z]{6}[0-9LMNP-V]{2}[A-EHLMPRST][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z]$/,
    isItalianPerson,
  ),
  iva: numberRule(/^(?:IT)?(\d{11})$/, (digits) => isLuhnValid(digits) && !digits.startsWith('0000000')),
}

/** Twenty on the month for each century after 1900, eighty for the 1800s. */
function isPolishPerson(digits: string, today?: CalendarDate): boolean {
  const raw = two(digits, 2)
  const century = raw > 80 ? 1800 : 1900 + Math.floor(raw / 20) * 100
  const born = { year: century + two(digits, 0), month: raw % 20, day: two(digits, 4) }
  return isBirthday(born, today) && weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0
}

function isPolishCompany(digits: string): boolean {
  const short = (weighted(digits.slice(0, 8), [8, 9, 2, 3, 4, 5, 6, 7]) % 11) % 10
  if (short !== digitAt(digits, 8)) return false
  const long = (weighted(digits.slice(0, 13), [2, 4, 8, 5, 0, 9, 7, 3, 6, 1, 2, 4, 8]) % 11) % 10
  return digits.length === 9 || long === digitAt(digits, 13)
}

export const PL: NumberRules = {
  pesel: numberRule(/^\d{11}$/, isPolishPerson),
  nip: numberRule(
    /^(?:PL)?(\d{10})$/,
    (digits) => weighted(digits.slice(0, 9), [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === digitAt(digits, 9),
  ),
  regon: numberRule(/^(?:\d{9}|\d{14})$/, isPolishCompany),
}

/** Luhn over digits and letters (A = 10). */
function isCitizenCard(number: string): boolean {
  const sum = Array.from(number).reduce((total, character, index) => {
    const value = Number.parseInt(character, 36) * (index % 2 === 0 ? 2 : 1)
    return total + (index % 2 === 0 && value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

export const PT: NumberRules = {
  cc: numberRule(/^\d{9}[A-Z0-9]{2}\d$/, isCitizenCard),
  nif: numberRule(/^(?:PT)?([1-9]\d{8})$/, (digits) => {
    const check = 11 - (weighted(digits.slice(0, 8), [9, 8, 7, 6, 5, 4, 3, 2]) % 11)
    return (check > 9 ? 0 : check) === digitAt(digits, 8)
  }),
}

const ROMANIAN_CENTURIES = [1900, 1900, 1800, 1800, 2000, 2000]

/** The first digit is sex and century; from 7 on, for residents, the century is not said. */
function isRomanianPerson(digits: string, today?: CalendarDate): boolean {
  const county = two(digits, 7)
  const isCounty = county >= 1 && (county <= 52 || county === 70 || (county >= 80 && county <= 83))
  const century = ROMANIAN_CENTURIES[digitAt(digits, 0) - 1] ?? 1900
  const born = { year: century + two(digits, 1), month: two(digits, 3), day: two(digits, 5) }
  const rest = weighted(digits.slice(0, 12), [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11
  return isCounty && isBirthday(born, today) && (rest === 10 ? 1 : rest) === digitAt(digits, 12)
}

const romanianPerson = numberRule(/^[1-9]\d{12}$/, isRomanianPerson)
const romanianCompany = numberRule(/^(?:RO)?(\d{2,10})$/, (digits) => {
  const { front, check } = splitCheck(digits.padStart(10, '0'))
  return ((weighted(front, [7, 5, 3, 2, 1, 7, 5, 3, 2]) * 10) % 11) % 10 === check
})

/** Register number: J/county/serial/year, and since 2024 J, year, serial, county and a check digit in a row. */
const onrc = (text: string, today?: CalendarDate): boolean => {
  if (isTooLong(text)) return false
  const number = text
    .trim()
    .toUpperCase()
    .replace(/[\s/-]+/g, '/')
  const old = /^[JFC]\/?(\d{1,3})\/\d{1,5}\/(?:\d{4}|\d{2}\.\d{2}\.\d{4})$/.exec(number)
  if (old) return (Number(old[1]) >= 1 && Number(old[1]) <= 40) || ['51', '52'].includes(old[1] ?? '')
  const joined = /^([JFC])(\d{13})$/.exec(number)
  if (!joined) return false
  const [, letter = '', digits = ''] = joined
  const year = Number(digits.slice(0, 4))
  const { front, check } = splitCheck(digits)
  const isYear = year >= 1990 && (today === undefined || year <= Number(today.slice(0, 4)))
  return isYear && ((letter.charCodeAt(0) % 10) + weighted(front, [1])) % 10 === check
}

export const RO: NumberRules = {
  cnp: romanianPerson,
  cui: romanianCompany,
  cif: anyOf(romanianPerson, romanianCompany),
  onrc,
}
