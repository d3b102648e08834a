/** Identifiers and secrets that we make. */
import { randomBytes, randomFillSync, randomInt } from 'node:crypto'
import { uuidV7 } from '@kvitt/domain/ids.ts'

/** Random bytes are fetched in bulk: an import needs ten for each of many thousand identifiers. */
const pool = new Uint8Array(8_000)
let used = pool.length

/** Counts the identifiers of this process; 26 bits of each carry it. */
let made = 0

/**
 * An identifier of the moment. Those of one moment sort in the order in which they were made: what is written together
 * is told in the order in which it was decided.
 */
export function newId(epochMs: number): string {
  if (used + 10 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 10
  const bytes = pool.subarray(used - 10, used)
  made = (made + 1) % 2 ** 26
  bytes[0] = made >> 22
  bytes[1] = made >> 14
  bytes[2] = (made >> 8) & 0x3f
  bytes[3] = made
  return uuidV7(epochMs, bytes)
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
