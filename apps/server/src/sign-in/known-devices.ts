/**
 * Devices that have shown a right pair before carry the proof of it in a cookie, so that a stranger who uses up
 * a reference's guesses does not shut out its debtor. A proof is bound to the instance, the reference and
 * the zip: it is worth nothing for any other pair.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export type Pair = { readonly instanceId: string; readonly reference: string; readonly zip: string }

/** `nowMs`: milliseconds since 1970. `key`: the secret that all processes share. */
type Signer = { readonly key: Uint8Array; readonly nowMs: number }

/** Behind https the browser itself guards the name: no sibling host can have set it. */
const nameFor = (isHttps: boolean): string => (isHttps ? '__Host-kvitt_known' : 'kvitt_known')
/** The Cookie header, and whether the browser reaches us over https. */
type Sent = { readonly sent: string | undefined; readonly isHttps: boolean }
const VALID_DAYS = 180
const DAY_MS = 86_400_000
/** A household has a few references; the oldest proof gives way. */
const MOST_PROOFS = 12

function proofOf({ key }: Signer, pair: Pair, lastDay: number): string {
  const text = ['device', pair.instanceId, pair.reference, pair.zip, lastDay].join('\n')
  const code = createHmac('sha256', key).update(text).digest().subarray(0, 16)
  return `${lastDay.toString(36)}.${code.toString('base64url')}`
}

function proofsIn({ sent, isHttps }: Sent): string[] {
  const named = new RegExp(`(?:^|;\\s*)${nameFor(isHttps)}=([A-Za-z0-9_.~-]*)`)
  const value = named.exec(sent ?? '')?.[1] ?? ''
  return value.split('~', MOST_PROOFS).filter((proof) => /^[0-9a-z]{1,6}\.[A-Za-z0-9_-]{22}$/.test(proof))
}

/** Has the sender of this Cookie header been let in with this very pair? */
export function isKnownDevice(signer: Signer, pair: Pair, cookie: Sent): boolean {
  return proofsIn(cookie).some((proof) => {
    const lastDay = Number.parseInt(proof.split('.', 1)[0] ?? '', 36)
    if (lastDay * DAY_MS < signer.nowMs) return false
    const [given, expected] = [Buffer.from(proof), Buffer.from(proofOf(signer, pair, lastDay))]
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** The Set-Cookie header that adds the proof of `pair` to those that the browser has sent. */
export function rememberDevice(signer: Signer, pair: Pair, cookie: Sent): string {
  const lastDay = Math.ceil(signer.nowMs / DAY_MS) + VALID_DAYS
  const proofs = [proofOf(signer, pair, lastDay), ...proofsIn(cookie)].slice(0, MOST_PROOFS)
  const marks = ['Path=/', `Max-Age=${VALID_DAYS * 86_400}`, 'HttpOnly', 'SameSite=Strict']
  return [
    `${nameFor(cookie.isHttps)}=${proofs.join('~')}`,
    ...marks,
    ...(cookie.isHttps ? ['Secure'] : []),
  ].join('; ')
}
