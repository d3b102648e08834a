/** Identifiers and secrets that we make. */
import { randomBytes, randomInt } from 'node:crypto'
import { uuidV7 } from '@kvitt/domain/ids.ts'

export function newId(epochMs: number): string {
  return uuidV7(epochMs, randomBytes(10))
}

/** 160 random bits for an address that must not be guessed. */
export function newSecret(): string {
  return randomBytes(20).toString('base64url')
}

/** Twelve random digits, the first not 0: the free part of a payment reference (D-22). */
export function newReferenceDigits(): string {
  return String(randomInt(100_000, 1_000_000)) + String(randomInt(0, 1_000_000)).padStart(6, '0')
}
