/** Identifiers and secrets that we make. */
import { randomBytes, randomFillSync, randomInt } from 'node:crypto'
import { uuidV7 } from '@kvitt/domain/ids.ts'

/** Random bytes are fetched in bulk: an import needs ten for each of many thousand identifiers. */
const pool = new Uint8Array(8_000)
let used = pool.length

export function newId(epochMs: number): string {
  if (used + 10 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 10
  return uuidV7(epochMs, pool.subarray(used - 10, used))
}

/** 160 random bits for an address that must not be guessed. */
export function newSecret(): string {
  return randomBytes(20).toString('base64url')
}

/** 128 random bits as 32 hexadecimal digits, for what a counterparty is to send back to us. */
export function newEcho(): string {
  return randomBytes(16).toString('hex')
}

/** Twelve random digits, the first not 0: the free part of a payment reference (D-22). */
export function newReferenceDigits(): string {
  return String(randomInt(100_000, 1_000_000)) + String(randomInt(0, 1_000_000)).padStart(6, '0')
}
