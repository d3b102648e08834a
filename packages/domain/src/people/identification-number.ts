/**
 * National numbers of persons and companies, by country (specification section 5). Written from the published
 * rules of each register; each number is checked as far as its country allows: form, date of birth, check digits.
 */
import type { CalendarDate } from '../calendar.ts'
import type { NumberRules } from './number-checks.ts'
import { DK, EE, FI, LT, LV, NO, SE } from './numbers-north.ts'
import { BG, CY, CZ, ES, GR, HU, IT, PL, PT, RO, SK } from './numbers-south-east.ts'
import { AT, BE, CH, DE, FR, GB, IE, LU, NL } from './numbers-west.ts'

/** By country, then by the usual name of the number in its own language. */
export const NUMBER_RULES: Readonly<Record<string, NumberRules>> = {
  AT,
  BE,
  BG,
  CH,
  CY,
  CZ,
  DE,
  DK,
  EE,
  ES,
  FI,
  FR,
  GB,
  GR,
  HU,
  IE,
  IT,
  LT,
  LU,
  LV,
  NL,
  NO,
  PL,
  PT,
  RO,
  SE,
  SK,
}

/** The instance region that stands for all of the countries. */
const ANY_COUNTRY = 'EU'

function isValidIn(rules: NumberRules, text: string, today: CalendarDate | undefined): boolean {
  return Object.values(rules).some((rule) => rule(text, today))
}

/**
 * May `text` be a number of a person or company of `country`? For EU one of any country will do; a country
 * without rules takes any text but none. With `today` a birth in the future is refused.
 */
export function isIdentificationNumberValid(country: string, text: string, today?: CalendarDate): boolean {
  if (country === ANY_COUNTRY) {
    return Object.values(NUMBER_RULES).some((rules) => isValidIn(rules, text, today))
  }
  const rules = Object.hasOwn(NUMBER_RULES, country) ? NUMBER_RULES[country] : undefined
  return rules ? isValidIn(rules, text, today) : text.trim() !== ''
}

/** The registers of persons of the countries whose debts are collected here. */
const PERSONAL: Readonly<Record<string, NumberRules[string] | undefined>> = {
  SE: SE.personnummer,
  NO: NO.fodselsnummer,
  DK: DK.cpr,
  FI: FI.hetu,
}

/** Is `text` the number of a person in a register of `country`? False for countries whose register is not known here. */
export function isPersonalNumber(country: string, text: string): boolean {
  return PERSONAL[country]?.(text) ?? false
}
