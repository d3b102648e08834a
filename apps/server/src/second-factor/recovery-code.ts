/** Recovery codes: for whoever has lost the app. Ten of 80 random bits each, without letters that are taken for others. */
import { randomBytes } from 'node:crypto'
import { hashOf } from '../staff/staff.ts'

export const RECOVERY_CODES = 10
const LETTERS = 16
/** Crockford's: no i, l, o and u. 32 of them, so that the last five bits of a random byte are one. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

const inFours = (text: string): string => text.replaceAll(/.{4}(?!$)/g, '$&-')

/** Ten new ones, as they are shown. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    inFours([...randomBytes(LETTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')),
  )
}

/** The hash of what somebody typed, however they group and write it; undefined where it is no recovery code. */
export function recoveryHashOf(typed: string): Buffer | undefined {
  const letters = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return /^[0-9a-hjkmnp-tv-z]{16}$/.test(letters) ? hashOf(letters) : undefined
}
