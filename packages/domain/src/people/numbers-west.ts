/** Numbers of persons and companies in Western Europe: BE, NL, LU, FR, GB, IE, DE, AT, CH. */
import type { CalendarDate } from '../calendar.ts'
import { isLuhnValid, mod97 } from '../references.ts'
import {
  type NumberRules,
  anyOf,
  digitAt,
  isBirthday,
  isMod11And10,
  numberRule,
  splitCheck,
  weighted,
} from './number-checks.ts'

const two = (text: string, index: number): number => Number(text.slice(index, index + 2))

/** The centuries in which the last two digits are right: from 2000 on a 2 is set before the number. */
function belgianCenturies(digits: string): number[] {
  const front = Number(digits.slice(0, 9))
  const check = two(digits, 9)
  return [
    ...(97 - (front % 97) === check ? [1900] : []),
    ...(97 - ((2_000_000_000 + front) % 97) === check ? [2000] : []),
  ]
}

/** `added` stands on the month; month or day 0 is an unknown date. */
function isBelgianPerson(added: number) {
  return (digits: string, today?: CalendarDate): boolean => {
    const month = two(digits, 2) - added
    const day = two(digits, 4)
    if (month < 0 || month > 12 || day > 31) return false
    return belgianCenturies(digits).some((century) =>
      isBirthday({ year: century + two(digits, 0), month: month || 1, day: month ? day || 1 : 1 }, today),
    )
  }
}

const belgianNumber = numberRule(/^\d{11}$/, isBelgianPerson(0))
const belgianForeigner = anyOf(
  numberRule(/^\d{11}$/, isBelgianPerson(20)),
  numberRule(/^\d{11}$/, isBelgianPerson(40)),
)

export const BE: NumberRules = {
  nn: belgianNumber,
  bis: belgianForeigner,
  insz: anyOf(belgianNumber, belgianForeigner),
  vat: numberRule(/^(?:BE)?([01]?\d{9})$/, (digits) => {
    const number = digits.padStart(10, '0')
    return 97 - (Number(number.slice(0, 8)) % 97) === two(number, 8) && Number(number) > 0
  }),
}

const isDutchPerson = (digits: string): boolean => {
  const number = digits.padStart(9, '0')
  return Number(number) > 0 && weighted(number, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0
}

export const NL: NumberRules = {
  bsn: numberRule(/^\d{8,9}$/, isDutchPerson),
  btw: numberRule(/^(?:NL)?(\d{7,9}B\d{2})$/, (body) => {
    const [digits = '', suffix = ''] = body.split('B')
    return isDutchPerson(digits) || mod97(`NL${digits.padStart(9, '0')}B${suffix}`) === 1
  }),
  kvk: numberRule(/^\d{8}$/),
}

export const LU: NumberRules = {
  tva: numberRule(/^(?:LU)?(\d{8})$/, (digits) => Number(digits.slice(0, 6)) % 89 === two(digits, 6)),
  person: numberRule(/^\d{13}$/, (digits, today) =>
    isBirthday({ year: Number(digits.slice(0, 4)), month: two(digits, 4), day: two(digits, 6) }, today),
  ),
}

/** Corsica writes its departments 2A and 2B, which count as 19 and 18. */
function isFrenchPerson(number: string): boolean {
  const digits = number.replace('2A', '19').replace('2B', '18')
  return number.length === 13 || 97 - (Number(digits.slice(0, 13)) % 97) === two(digits, 13)
}

const LA_POSTE = '356000000'

function isFrenchBranch(digits: string): boolean {
  if (!isLuhnValid(digits.slice(0, 9))) return false
  const isPostOffice = digits.startsWith(LA_POSTE) && weighted(digits, [1]) % 5 === 0
  return isPostOffice || isLuhnValid(digits)
}

const FRENCH_KEYS = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'

function isFrenchVat(body: string): boolean {
  const key = body.slice(0, 2)
  const siren = body.slice(2)
  if (!isLuhnValid(siren) && !siren.startsWith('000')) return false
  if (/^\d{2}$/.test(key)) return Number(`${siren}12`) % 97 === Number(key)
  const [first, second] = Array.from(key, (character) => FRENCH_KEYS.indexOf(character))
  const value = /^\d/.test(key)
    ? (first ?? 0) * 24 + (second ?? 0) - 10
    : (first ?? 0) * 34 + (second ?? 0) - 100
  return (Number(siren) + 1 + Math.floor(value / 11)) % 11 === value % 11
}

export const FR: NumberRules = {
  nir: numberRule(/^[1-478]\d{4}(?:\d{2}|2[AB])\d{6}(?:\d{2})?$/, isFrenchPerson),
  nif: numberRule(
    /^[0-3]\d{12}$/,
    (digits) => Number(digits.slice(0, 10)) % 511 === Number(digits.slice(10)) && !/^0{10}/.test(digits),
  ),
  siren: numberRule(/^\d{9}$/, isLuhnValid),
  siret: numberRule(/^\d{14}$/, isFrenchBranch),
  tva: numberRule(/^(?:FR)?([0-9A-HJ-NP-Z]{2}\d{9})$/, isFrenchVat),
}

function isBritishVat(digits: string): boolean {
  const rest = weighted(digits.slice(0, 9), [8, 7, 6, 5, 4, 3, 2, 10, 1]) % 97
  return rest === 0 || (Number(digits.slice(0, 3)) >= 100 && (rest === 42 || rest === 55))
}

/** Government departments have GD and up to 499, health authorities HA and from 500. */
function isBritishOffice(body: string): boolean {
  const digits = body.replace(/^(?:GD|HA)(?:8888)?/, '')
  const number = Number(digits.slice(0, 3))
  const isInRange = body.startsWith('GD') ? number < 500 : number >= 500
  return isInRange && (digits.length === 3 || number % 97 === two(digits, 3))
}

export const GB: NumberRules = {
  nino: numberRule(
    /^([A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]?)$/,
    (number) => !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(number),
  ),
  utr: numberRule(
    /^\d{10}$/,
    (digits) => '21987654321'[weighted(digits.slice(1), [6, 7, 8, 9, 10, 5, 4, 3, 2]) % 11] === digits[0],
  ),
  vat: anyOf(
    numberRule(/^(?:GB|XI)?(\d{9}(?:\d{3})?)$/, isBritishVat),
    numberRule(/^(?:GB)?((?:GD|HA)(?:8888\d{5}|\d{3}))$/, isBritishOffice),
  ),
  company: numberRule(/^(?:[A-Z]{2}|\d{2})\d{6}$/),
}

const IRISH_CHECKS = 'WABCDEFGHIJKLMNOPQRSTUV'

/** Seven digits, a check letter, and since 2013 sometimes one more letter that counts nine times. */
function isIrish(number: string): boolean {
  const second = number[8] ?? ''
  const extra = /[A-I]/.test(second) ? (second.charCodeAt(0) - 64) * 9 : 0
  return IRISH_CHECKS[(weighted(number.slice(0, 7), [8, 7, 6, 5, 4, 3, 2]) + extra) % 23] === number[7]
}

export const IE: NumberRules = {
  pps: numberRule(/^\d{7}[A-W][ABHTWX]?$/, isIrish),
  vat: anyOf(
    numberRule(/^(?:IE)?(\d{7}[A-W][A-I]?)$/, isIrish),
    numberRule(/^(?:IE)?(\d[A-Z+*]\d{5}[A-W])$/, (old) =>
      isIrish(`0${old.slice(2, 7)}${old[0] ?? ''}${old[7] ?? ''}`),
    ),
  ),
}

/** Of the first ten digits exactly one comes two or three times, no other more than once. */
function isGermanTaxpayer(digits: string): boolean {
  const counts = new Map<string, number>()
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  const repeated = [...counts.values()].filter((count) => count > 1)
  return repeated.length === 1 && (repeated[0] ?? 0) <= 3 && isMod11And10(digits)
}

/** Pension insurance: area, date, letter, serial; the letter counts as its place in the alphabet. */
function isGermanInsured(number: string): boolean {
  const letter = String(number.charCodeAt(8) - 64).padStart(2, '0')
  const { front, check } = splitCheck(`${number.slice(0, 8)}${letter}${number.slice(9)}`)
  const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1]
  const sum = weights.reduce((total, weight, index) => {
    const product = weight * digitAt(front, index)
    return total + Math.floor(product / 10) + (product % 10)
  }, 0)
  return two(number, 0) > 1 && two(number, 4) <= 12 && sum % 10 === check
}

export const DE: NumberRules = {
  idnr: numberRule(/^[1-9]\d{10}$/, isGermanTaxpayer),
  svnr: numberRule(/^\d{8}[A-Z]\d{3}$/, isGermanInsured),
  // Ten or eleven digits as the states write it, or thirteen with the state before and a zero inside.
  stnr: numberRule(/^(?:\d{10,11}|\d{4}0\d{8})$/),
  vat: numberRule(/^(?:DE)?([1-9]\d{8})$/, isMod11And10),
}

const AUSTRIAN_OFFICES = new Set(
  '03 04 06 07 08 09 10 12 15 16 18 22 23 29 33 38 41 46 51 52 53 54 57 59 61 65 67 68 69 71 72 81 82 83 84 90 91 93 97 98'.split(
    ' ',
  ),
)

/** Every second digit doubled, its digits added, and 4 on top. */
function isAustrianVat(digits: string): boolean {
  const { front, check } = splitCheck(digits)
  const sum = Array.from(front, Number).reduce((total, digit, index) => {
    const value = index % 2 === 0 ? digit : digit * 2
    return total + Math.floor(value / 10) + (value % 10)
  }, 4)
  return (10 - (sum % 10)) % 10 === check
}

/** Serial, check digit, date of birth; months above 12 are given when a day's serials have run out. */
function isAustrianInsured(digits: string): boolean {
  const isDate = two(digits, 4) >= 1 && two(digits, 4) <= 31 && two(digits, 6) >= 1 && two(digits, 6) <= 15
  return isDate && weighted(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === digitAt(digits, 3)
}

export const AT: NumberRules = {
  vnr: numberRule(/^[1-9]\d{9}$/, isAustrianInsured),
  tin: numberRule(/^\d{9}$/, (digits) => AUSTRIAN_OFFICES.has(digits.slice(0, 2)) && isLuhnValid(digits)),
  businessid: numberRule(/^(?:FN)?\d{1,6}[A-Z]$/),
  uid: numberRule(/^(?:AT)?U(\d{8})$/, isAustrianVat),
}

function isSwissCompany(digits: string): boolean {
  const { front, check } = splitCheck(digits)
  return (11 - (weighted(front, [5, 4, 3, 2, 7, 6, 5, 4]) % 11)) % 11 === check
}

export const CH: NumberRules = {
  ssn: numberRule(/^756\d{10}$/, (digits) => weighted(digits, [1, 3]) % 10 === 0),
  uid: numberRule(/^CHE(\d{9})$/, isSwissCompany),
  vat: numberRule(/^CHE(\d{9})(?:MWST|TVA|IVA|TPV)$/, isSwissCompany),
}
