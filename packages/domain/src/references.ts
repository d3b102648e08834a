/**
 * Payment references: the digits by which a payment finds its invoice. A reference is text, and its leading
 * zeros count.
 *
 * Sources: Bankgirot's OCR rules (length and check digit), Nets' KID rules (mod 10, mod 11), the Danish
 * joint payment slip (FIK), Finance Finland's viitenumero (7-3-1), ISO 11649 (RF creditor reference).
 */

export const LONGEST_REFERENCE = 25

function digitsOf(text: string): number[] {
  if (!/^\d+$/.test(text)) throw new RangeError(`"${text}" has to be digits only`)
  return Array.from(text, Number)
}

function checked(reference: string): string {
  if (reference.length > LONGEST_REFERENCE) {
    throw new RangeError(`"${reference}" is longer than ${LONGEST_REFERENCE} digits`)
  }
  return reference
}

/** The Luhn (mod 10) digit of `digits`, weights 2 and 1 from the right. Throws RangeError on other characters. */
export function luhnDigit(digits: string): string {
  const sum = digitsOf(digits)
    .reverse()
    .map((digit, index) => (index % 2 === 0 ? digit * 2 : digit))
    .reduce((total, product) => total + (product > 9 ? product - 9 : product), 0)
  return String((10 - (sum % 10)) % 10)
}

/** Are these at least two digits, the last of them the Luhn digit of the others? */
export function isLuhnValid(digits: string): boolean {
  return /^\d{2,}$/.test(digits) && luhnDigit(digits.slice(0, -1)) === digits.at(-1)
}

/** Remainder by 97 of a text of digits and letters, where A is 10 and Z is 35 (ISO 7064, used by IBAN and RF). */
export function mod97(text: string): number {
  let remainder = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder
}

/** A Swedish OCR reference: `base` and its Luhn digit. Throws RangeError beyond 25 digits. */
export function ocr(base: string): string {
  return checked(base + luhnDigit(base))
}

/** As ocr(), with the length digit before the check digit: the total length mod 10, both digits counted. */
export function ocrWithLength(base: string): string {
  return ocr(base + String((base.length + 2) % 10))
}

/** A Swedish OCR reference has 2 to 25 digits and ends with its Luhn digit. */
export function isOcrValid(reference: string): boolean {
  return reference.length <= LONGEST_REFERENCE && isLuhnValid(reference)
}

/** Does the digit before the check digit tell the reference's own length? Payees may demand it. */
export function hasLengthDigit(reference: string): boolean {
  return isOcrValid(reference) && reference.at(-2) === String(reference.length % 10)
}

/** A Norwegian KID whose control character is mod 10 (Luhn). */
export function kidMod10(base: string): string {
  return checked(base + luhnDigit(base))
}

/** A Norwegian KID whose control character is mod 11, weights 2 to 7 from the right; it may be a hyphen. */
export function kidMod11(base: string): string {
  const sum = digitsOf(base)
    .reverse()
    .reduce((total, digit, index) => total + digit * (2 + (index % 6)), 0)
  const check = 11 - (sum % 11)
  return checked(base + (check === 11 ? '0' : check === 10 ? '-' : String(check)))
}

export function isKidMod10Valid(kid: string): boolean {
  return kid.length <= LONGEST_REFERENCE && isLuhnValid(kid)
}

export function isKidMod11Valid(kid: string): boolean {
  return /^\d{1,24}[\d-]$/.test(kid) && kidMod11(kid.slice(0, -1)) === kid
}

/**
 * Kinds of Danish payment slip by their two-digit code: how many digits the payment id has, its check digit
 * counted. 01 and 73 carry none.
 */
export const FIK_LENGTHS = { '01': 0, '04': 16, '15': 16, '71': 15, '73': 0, '75': 16 } as const
export type FikType = keyof typeof FIK_LENGTHS

/** `base` filled up with zeros from the left to the length of `type`, and its Luhn digit. */
export function fikId(type: FikType, base: string): string {
  const length = FIK_LENGTHS[type]
  if (length === 0) throw new RangeError(`a slip of type ${type} carries no payment id`)
  if (base.length >= length) throw new RangeError(`"${base}" is too long for a slip of type ${type}`)
  const padded = base.padStart(length - 1, '0')
  return padded + luhnDigit(padded)
}

/** Is `id` a payment id of this type? The types without one take only the empty text. */
export function isFikIdValid(type: FikType, id: string): boolean {
  return id.length === FIK_LENGTHS[type] && (id === '' || isLuhnValid(id))
}

const FINNISH_WEIGHTS = [7, 3, 1]

/** A Finnish viitenumero from 3 to 19 digits and the 7-3-1 check digit. Throws RangeError otherwise. */
export function finnishReference(base: string): string {
  if (base.length < 3 || base.length > 19) throw new RangeError(`"${base}" has to have 3 to 19 digits`)
  const sum = digitsOf(base)
    .reverse()
    .reduce((total, digit, index) => total + digit * (FINNISH_WEIGHTS[index % 3] ?? 0), 0)
  return base + String((10 - (sum % 10)) % 10)
}

export function isFinnishReferenceValid(reference: string): boolean {
  return /^\d{4,20}$/.test(reference) && finnishReference(reference.slice(0, -1)) === reference
}

/** The RF form of a viitenumero, which leaves out leading zeros. */
export function finnishRf(reference: string): string {
  return rfReference(reference.replace(/^0+(?=\d)/, ''))
}

/** RF creditor reference (ISO 11649) of 1 to 21 digits or capital letters. Throws RangeError otherwise. */
export function rfReference(reference: string): string {
  if (!/^[0-9A-Z]{1,21}$/.test(reference))
    throw new RangeError(`"${reference}" cannot become an RF reference`)
  return `RF${String(98 - mod97(`${reference}RF00`)).padStart(2, '0')}${reference}`
}

/** In capitals and without spaces. */
const hasRightFrame = (rf: string): boolean =>
  /^RF\d\d[0-9A-Z]{1,21}$/.test(rf) && mod97(rf.slice(4) + rf.slice(0, 4)) === 1

/** Spaces are allowed, as it is printed. */
export function isRfValid(text: string): boolean {
  return hasRightFrame(normaliseReference(text).toUpperCase())
}

/** What was typed or read, without spaces and with wide digits made plain; nothing else is changed. */
export function normaliseReference(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]/gu, '')
    .normalize('NFKC')
}

/**
 * The digits by which the books know what somebody has typed from a letter or a message: hyphens go, and the frame of a right RF
 * reference. What is no reference stays something else than digits.
 */
export function readReference(text: string): string {
  const plain = normaliseReference(text)
    .replace(/\p{Pd}/gu, '')
    .toUpperCase()
  return hasRightFrame(plain) ? plain.slice(4) : plain
}

/**
 * The form in which two postal codes are compared: wide characters made plain, spaces, hyphens and other
 * separators gone, in capitals. "SW1A 1AA" and "sw1a-1aa" become "SW1A1AA".
 */
export function normaliseZip(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s\p{Cf}\p{Pd}./]/gu, '')
    .toUpperCase()
    .normalize('NFKC')
}

/** Groups of four from the left, for the screen only; what is copied has no spaces. */
export function groupInFours(text: string): string {
  return (normaliseReference(text).match(/.{1,4}/gu) ?? []).join(' ')
}

/**
 * May the creditor's own reference be used as it is? Digits only, at most 25, and right by the rule of the
 * creditor's country (D-22); every other invoice gets one of ours.
 */
export function isUsableReference(text: string, countryCode: string): boolean {
  const reference = normaliseReference(text)
  if (!/^\d{1,25}$/.test(reference)) return false
  switch (countryCode) {
    case 'NO':
      return isKidMod10Valid(reference) || isKidMod11Valid(reference)
    case 'DK':
      return isFikIdValid('71', reference)
    case 'FI':
      return isFinnishReferenceValid(reference)
    default:
      return isOcrValid(reference)
  }
}

/**
 * A reference of ours for a creditor in `countryCode`, from 12 random digits of which the first is not 0
 * (D-22): SE 14 digits, DK 15, all others 13. Throws RangeError for other digits.
 */
export function makeReference(countryCode: string, random12digits: string): string {
  if (!/^[1-9]\d{11}$/.test(random12digits)) {
    throw new RangeError('a reference is made from 12 digits of which the first is not 0')
  }
  switch (countryCode) {
    case 'SE':
      return ocrWithLength(random12digits)
    case 'DK':
      return fikId('71', random12digits)
    case 'FI':
      return finnishReference(random12digits)
    default:
      return ocr(random12digits)
  }
}

export type GiroLine = {
  readonly amountMinor: number
  /** Bankgiro or plusgiro number, with or without hyphen and spaces. */
  readonly account: string
  readonly reference: string
  /** `aligned` is the fixed 74 characters of the screen; `slip` the closer print on a paper slip. */
  readonly layout?: 'aligned' | 'slip'
}

/**
 * The line of digits on a Swedish giro slip: reference, kronor, öre, their Luhn digit, account and the slip
 * code 41 (specification section 9). Undefined when there is nothing to pay, when the amount has more than
 * eight digits of kronor, or when reference or account do not fit in 25 digits.
 */
export function giroLine(slip: GiroLine): string | undefined {
  const account = slip.account.replace(/[\s-]/g, '')
  const reference = normaliseReference(slip.reference)
  if (!Number.isSafeInteger(slip.amountMinor) || slip.amountMinor <= 0) return undefined
  if (!/^\d{1,25}$/.test(account) || !/^\d{1,25}$/.test(reference)) return undefined
  const amount = String(slip.amountMinor).padStart(3, '0')
  const kronor = amount.slice(0, -2)
  const ore = amount.slice(-2)
  if (kronor.length > 8) return undefined
  const check = luhnDigit(amount)
  return slip.layout === 'slip'
    ? `# ${reference.padStart(25)} #${kronor} ${ore}   ${check} >${account.padStart(25)}#41#    `
    : `#${reference.padStart(25)} # ${kronor.padStart(8)} ${ore} ${check} > ${account.padStart(25)}#41#`
}
