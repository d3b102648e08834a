/** Identifiers are time-ordered UUIDs (version 7, RFC 9562 section 5.7) made by us, usable as idempotency keys. */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** A version 7 UUID from the milliseconds since 1970 and ten random bytes. */
export function uuidV7(epochMs: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16)
  let ms = epochMs
  for (let i = 5; i >= 0; i--) {
    bytes[i] = ms % 256
    ms = Math.floor(ms / 256)
  }
  bytes.set(random.subarray(0, 10), 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  let text = ''
  for (let i = 0; i < 16; i++) {
    text += HEX[bytes[i] ?? 0]
    if (i === 3 || i === 5 || i === 7 || i === 9) text += '-'
  }
  return text
}
