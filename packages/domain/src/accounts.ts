/**
 * Account numbers that money is sent to: IBAN and BIC, and the Swedish bankgiro and plusgiro.
 *
 * Sources: SWIFT IBAN registry (structures), ISO 9362 (BIC), Bankgirot and PlusGirot (length and Luhn digit).
 */
import { groupInFours, isLuhnValid, mod97 } from './references.ts'

/**
 * The part of an IBAN after its check digits, per country, in the registry's notation: `n` digits, `a` capital
 * letters, `c` either. Other countries are judged by the check digits alone.
 */
const IBAN_STRUCTURES: Readonly<Record<string, string>> = {
  AD: '8n12c',
  AT: '16n',
  BE: '12n',
  BG: '4a6n8c',
  CH: '5n12c',
  CY: '8n16c',
  CZ: '20n',
  DE: '18n',
  DK: '14n',
  EE: '16n',
  ES: '20n',
  FI: '14n',
  FO: '14n',
  FR: '10n11c2n',
  GB: '4a14n',
  GL: '14n',
  GR: '7n16c',
  HR: '17n',
  HU: '24n',
  IE: '4a14n',
  IS: '22n',
  IT: '1a10n12c',
  LI: '5n12c',
  LT: '16n',
  LU: '3n13c',
  LV: '4a13c',
  MC: '10n11c2n',
  MT: '4a5n18c',
  NL: '4a10n',
  NO: '11n',
  PL: '24n',
  PT: '21n',
  RO: '4a16c',
  SE: '20n',
  SI: '15n',
  SK: '20n',
  SM: '1a10n12c',
}

const CHARACTERS: Readonly<Record<string, string>> = { n: '\\d', a: '[A-Z]', c: '[0-9A-Z]' }

const IBAN_PATTERNS = new Map(
  Object.entries(IBAN_STRUCTURES).map(([country, structure]) => {
    const parts = structure.replace(/(\d+)([nac])/g, (_, length, kind) => `${CHARACTERS[kind]}{${length}}`)
    return [country, new RegExp(`^${parts}$`)]
  }),
)

function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0)
}

/** Check digits inside the national account number, where a country has them and misprints are common. */
const NATIONAL_CHECKS: Readonly<Record<string, (account: string) => boolean>> = {
  BE: (account) => (mod97(account.slice(0, 10)) || 97) === Number(account.slice(10)),
  ES: (account) => {
    const digit = (sum: number) => {
      const rest = 11 - (sum % 11)
      return rest === 11 ? 0 : rest === 10 ? 1 : rest
    }
    const bank = digit(weighted(account.slice(0, 8), [4, 8, 5, 10, 9, 7, 3, 6]))
    const number = digit(weighted(account.slice(10), [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]))
    return account.slice(8, 10) === `${bank}${number}`
  },
  NO: (account) => {
    const rest = weighted(account, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11
    return rest === 0
  },
}

/** Without spaces, in capitals: the form that is stored and sent. */
export function normaliseIban(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]/gu, '')
    .toUpperCase()
}

/** Do the two check digits fit (mod 97 is 1)? Says nothing about the country's structure. */
export function hasIbanChecksum(text: string): boolean {
  const iban = normaliseIban(text)
  return /^[A-Z]{2}\d{2}[0-9A-Z]{10,30}$/.test(iban) && mod97(iban.slice(4) + iban.slice(0, 4)) === 1
}

/** Check digits, the country's length and structure, and its national check digits where we know them. */
export function isIbanValid(text: string): boolean {
  const iban = normaliseIban(text)
  const country = iban.slice(0, 2)
  const account = iban.slice(4)
  const pattern = IBAN_PATTERNS.get(country)
  if (!hasIbanChecksum(iban) || (pattern && !pattern.test(account))) return false
  return NATIONAL_CHECKS[country]?.(account) ?? true
}

/** Groups of four, for the screen (specification section 5). */
export function formatIban(text: string): string {
  return groupInFours(normaliseIban(text))
}

/** Bank identifier code: bank, country, place, and an optional branch. */
export function isBicValid(text: string): boolean {
  return /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(text)
}

/** A Swedish account number as printed, without its spaces and hyphens; undefined when other characters are in it. */
function giroDigits(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, '')
  return /^\d+$/.test(digits) ? digits : undefined
}

/** Seven or eight digits, the last one Luhn. Only for a payee's own number: real senders' numbers may fail. */
export function isBankgiroValid(text: string): boolean {
  const digits = giroDigits(text)
  return digits !== undefined && /^\d{7,8}$/.test(digits) && isLuhnValid(digits)
}

/** "640-5070" or "5402-9681"; undefined when it has not seven or eight digits. */
export function formatBankgiro(text: string): string | undefined {
  const digits = giroDigits(text)
  if (digits === undefined || !/^\d{7,8}$/.test(digits)) return undefined
  return `${digits.slice(0, -4)}-${digits.slice(-4)}`
}

/** Two to eight digits, the last one Luhn. */
export function isPlusgiroValid(text: string): boolean {
  const digits = giroDigits(text)
  return digits !== undefined && /^\d{2,8}$/.test(digits) && isLuhnValid(digits)
}

/** "4-2", "28 65 43-4", "410 54 68-5": pairs from the right, an odd digit joins the first pair. */
export function formatPlusgiro(text: string): string | undefined {
  const digits = giroDigits(text)
  if (digits === undefined || !/^\d{2,8}$/.test(digits)) return undefined
  const body = digits.slice(0, -1)
  const first = body.length < 3 ? body.length : body.length % 2 === 0 ? 2 : 3
  const pairs = body.slice(first).match(/\d{2}/g) ?? []
  return `${[body.slice(0, first), ...pairs].join(' ')}-${digits.at(-1)}`
}
