/** One-time codes by the time (RFC 6238): six digits, a new code every 30 seconds, one step of drift either way. */
import { Secret, TOTP } from 'otpauth'

const STEP_MS = 30_000
const SECRET_BYTES = 20
/** What every app knows without being told. */
const KIND = { algorithm: 'SHA1', digits: 6, period: STEP_MS / 1000 } as const

/** A secret as Base32. */
export function makeSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** What an app reads from the QR code. `issuer` and `account` are what it shows beside the code. */
export function uriOf(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const totp = new TOTP({ ...KIND, issuer, label: account, secret: Secret.fromBase32(secret) })
  return totp.toString()
}

/** The time step that a code belongs to, if it is one of the secret's within one step of `now`. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const totp = new TOTP({ ...KIND, secret: Secret.fromBase32(secret) })
  const drift = totp.validate({ token: code, timestamp: now, window: 1 })
  return drift === null ? undefined : Math.floor(now / STEP_MS) + drift
}

/** The six digits of what somebody typed, who may group them; undefined where it is something else. */
export function digitsOf(typed: string): string | undefined {
  const digits = typed.replaceAll(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}
