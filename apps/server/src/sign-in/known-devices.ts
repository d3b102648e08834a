/**
 * Devices that have shown a right pair before carry the proof of it in a cookie, so that a stranger who uses up
 * a reference's guesses does not shut out its debtor. A proof is bound to the instance, the reference and
 * the zip: it is worth nothing for any other pair.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export type Pair = { readonly instanceId: string; readonly reference: string; readonly zip: string }

/** `nowMs`: milliseconds since 1970. `key`: the secret that all processes share. */
type Signer = { readonly key: Uint8Array; readonly nowMs: number }

const NAME = 'kvitt_known'
const SENT = new RegExp(`(?:^|;\\s*)${NAME}=([A-Za-z0-9_.~-]*)`)
const VALID_DAYS = 180
const DAY_MS = 86_400_000
/** A household has a few references; the oldest proof gives way. */
const MOST_PROOFS = 12

function proofOf({ key }: Signer, pair: Pair, lastDay: number): string {
  const text = ['device', pair.instanceId, pair.reference, pair.zip, lastDay].join('\n')
  const code = createHmac('sha256', key).update(text).digest().subarray(0, 16)
  return `${lastDay.toString(36)}.${code.toString('base64url')}`
}

function proofsIn(cookieHeader: string | undefined): string[] {
  const value = SENT.exec(cookieHeader ?? '')?.[1] ?? ''
  return value.split('~', MOST_PROOFS).filter((proof) => /^[0-9a-z]{1,6}\.[A-Za-z0-9_-]{22}$/.test(proof))
}

/** Has the sender of this Cookie header been let in with this very pair? */
export function isKnownDevice(signer: Signer, pair: Pair, cookieHeader: string | undefined): boolean {
  return proofsIn(cookieHeader).some((proof) => {
    const lastDay = Number.parseInt(proof.split('.', 1)[0] ?? '', 36)
    if (lastDay * DAY_MS < signer.nowMs) return false
    const [given, expected] = [Buffer.from(proof), Buffer.from(proofOf(signer, pair, lastDay))]
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** The Set-Cookie header that adds the proof of `pair` to those that the browser has sent. */
export function rememberDevice(
  signer: Signer,
  pair: Pair,
  cookie: { readonly sent: string | undefined; readonly isSecure: boolean },
): string {
  const lastDay = Math.ceil(signer.nowMs / DAY_MS) + VALID_DAYS
  const proofs = [proofOf(signer, pair, lastDay), ...proofsIn(cookie.sent)].slice(0, MOST_PROOFS)
  const marks = ['Path=/api/public/', `Max-Age=${VALID_DAYS * 86_400}`, 'HttpOnly', 'SameSite=Strict']
  return [`${NAME}=${proofs.join('~')}`, ...marks, ...(cookie.isSecure ? ['Secure'] : [])].join('; ')
}
