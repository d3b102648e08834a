/**
 * The rules of form fields (specification section 5), the same for server and portals. The messages are the
 * specification's English ones, letter by letter (D-33); other languages find their text by the key.
 *
 * Every pattern runs in linear time, whatever is typed or sent.
 */
import { type CalendarDate, parseDate } from '../calendar.ts'
import { isIdentificationNumberValid } from '../people/identification-number.ts'
import { isZipValid } from '../people/zip.ts'
import { isCountryCode } from './country-codes.ts'

export type FieldError = {
  readonly key: string
  readonly message: string
  /** What the text of the key may name. */
  readonly params?: Readonly<Record<string, string>>
}

export type FieldContext = {
  readonly mandatory?: boolean
  /** The mandatory check waits while the field is left for the first time. */
  readonly isInitialBlur?: boolean
  /** Of the related country field, else of the locale; for zip and identification number. */
  readonly country?: string
  /** Refuses identification numbers of persons who are not born yet. */
  readonly today?: CalendarDate
}

const LETTERS: FieldError = {
  key: 'alphaValidError',
  message: 'Following characters are allowed: A-Ö, a-ö, 0-9 _/+-',
}
const NOT_WHOLE: FieldError = { key: 'vatIntegerValidError', message: 'Value should be an integer type' }
const OUT_OF_RANGE: FieldError = { key: 'vatRangeValidError', message: 'Value should be between 0 and 100' }

/** Longer than anything that is typed into one line; what is longer is not looked at. */
const LONGEST = 1000
const TOO_LONG: FieldError = {
  key: 'tooLongValidError',
  message: 'At most 1000 characters are allowed.',
  params: { max: String(LONGEST) },
}

/** Typed spaces, also the unbreakable ones that other programs paste between thousands. */
const SPACES = /[\s\u00a0\u2009\u202f]/g

/**
 * A number as people type it: spaces are dropped and a comma is a decimal point. Answers the digits as text
 * ("1 234,5" is "1234.5") because amounts never pass through floats; undefined when it is no number.
 */
export function readNumber(text: string): string | undefined {
  const plain = text.replace(SPACES, '').replace('\u2212', '-').replace(',', '.')
  return /^-?\d+(\.\d+)?$/.test(plain) ? plain : undefined
}

function failsUnless(isValid: boolean, error: FieldError): FieldError | undefined {
  return isValid ? undefined : error
}

function checkVat(text: string): FieldError | undefined {
  const number = readNumber(text)
  if (number === undefined || number.includes('.')) return NOT_WHOLE
  return failsUnless(Number(number) >= 0 && Number(number) <= 100, OUT_OF_RANGE)
}

/** One sign, nothing empty around it or between the dots, and a domain with at least one dot. */
export function isEmail(text: string): boolean {
  if (text.length > 254) return false
  const [local = '', domain = '', ...rest] = text.split('@')
  const isLocal = local.length <= 64 && /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]+$/u.test(local)
  const labels = domain.split('.')
  const areLabels = labels.every((label) =>
    /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u.test(label),
  )
  const isTop = /^(?:\p{L}{2,}|[xX][nN]--.+)$/u.test(labels.at(-1) ?? '')
  const hasEmptyPart = `.${local}.`.includes('..')
  return rest.length === 0 && isLocal && !hasEmptyPart && labels.length > 1 && areLabels && isTop
}

/** Digits as people group them, 5 to 15 of them (E.164), with or without a leading plus. */
export function isPhone(text: string): boolean {
  if (text.length > 40 || !/^\+?[\d\s()./-]+$/.test(text)) return false
  const count = text.replace(/\D/g, '').length
  return count >= 5 && count <= 15
}

type Check = (text: string, country: string, today?: CalendarDate) => FieldError | undefined

const CHECKS = {
  alpha: (text) => failsUnless(/^[\p{L}\p{M}/_+\- ]+$/u.test(text), LETTERS),
  alphanumeric: (text) =>
    failsUnless(/^[\p{L}\p{M}\d/_+\- ]+$/u.test(text), { ...LETTERS, key: 'alphanumericValidError' }),
  password: (text) =>
    failsUnless(text.length >= 6 && /\p{Ll}/u.test(text) && /\p{Lu}/u.test(text) && /\d/.test(text), {
      key: 'passwordValidError',
      message: 'At least 6 characters, one uppercase letter and one digit',
    }),
  numeric: (text) =>
    failsUnless(/^\d+$/.test(text.replace(SPACES, '')), {
      key: 'numericValidError',
      message: 'Only digits are allowed.',
    }),
  vat: checkVat,
  zip: (text, country) =>
    failsUnless(isZipValid(country, text), {
      key: 'zipValidError',
      message: `Not a valid zip code (${country}).`,
      params: { country },
    }),
  country: (text) =>
    failsUnless(isCountryCode(text), {
      key: 'countryValidError',
      message: 'Not a valid two letter country code.',
    }),
  email: (text) => failsUnless(isEmail(text), { key: 'emailValidError', message: 'Not a valid e-mail.' }),
  phone: (text) =>
    failsUnless(isPhone(text), { key: 'phoneValidError', message: 'Not a valid phone number.' }),
  float: (text) =>
    failsUnless(readNumber(text) !== undefined, {
      key: 'floatValidError',
      message: 'Only a number is allowed.',
    }),
  date: (text) =>
    failsUnless(parseDate(text) !== undefined, {
      key: 'dateValidError',
      message: 'Following date formate are allowed: YYYY-MM-DD',
    }),
  identificationNumber: (text, country, today) =>
    failsUnless(isIdentificationNumberValid(country, text, today), {
      key: 'identificationNumberValidError',
      message: `Not a valid identification number (${country}).`,
      params: { country },
    }),
  /** A field with no rule but that it may be mandatory. */
  text: () => undefined,
} satisfies Record<string, Check>

export type FieldType = keyof typeof CHECKS

/** Undefined when `value` may stand in a field of this type; empty is fine unless the field is mandatory. */
export function checkField(
  type: FieldType,
  value: string,
  context: FieldContext = {},
): FieldError | undefined {
  if (value.trim() === '') {
    const isMissed = context.mandatory === true && context.isInitialBlur !== true
    return isMissed ? { key: 'mandatoryValidError', message: 'Following field must be provided.' } : undefined
  }
  if (type !== 'text' && value.length > LONGEST) return TOO_LONG
  const check: Check = CHECKS[type]
  return check(value, context.country ?? '', context.today)
}
