/**
 * Devices that have shown a right pair before carry the proof of it in a cookie, so that a stranger who uses up
 * a reference's guesses does not shut out its debtor (threat bf.dos). A proof is bound to the instance, the reference and
 * the zip: it is worth nothing for any other pair.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export type Pair = { readonly instanceId: string; readonly reference: string; readonly zip: string }

/** `nowMs`: milliseconds since 1970. `key`: the secret that all processes share. */
type Signer = { readonly key: Uint8Array; readonly nowMs: number }

/** Behind https the browser itself guards the name: no sibling host can have set it. */
const nameFor = (isHttps: boolean): string => (isHttps ? '__Host-kvitt_known' : 'kvitt_known')
const valueIn = (isHttps: boolean): RegExp => new RegExp(`(?:^|;\\s*)${nameFor(isHttps)}=([A-Za-z0-9_.~-]*)`)
const [GUARDED_VALUE, PLAIN_VALUE] = [valueIn(true), valueIn(false)]
/** The Cookie header, and whether the browser reaches us over https. */
type Sent = { readonly sent: string | undefined; readonly isHttps: boolean }
const VALID_DAYS = 180
/** A proof with less than this left is made anew when it is used, so that a device that comes back never loses it. */
const FRESH_DAYS = 150
const DAY_MS = 86_400_000
/** A household has a few references, who keeps the books of several more; beyond this the oldest proof gives way. */
const MOST_PROOFS = 60

function proofOf({ key }: Signer, pair: Pair, lastDay: number): string {
  const text = ['device', pair.instanceId, pair.reference, pair.zip, lastDay].join('\n')
  const code = createHmac('sha256', key).update(text).digest().subarray(0, 16)
  return `${lastDay.toString(36)}.${code.toString('base64url')}`
}

function proofsIn({ sent, isHttps }: Sent): string[] {
  if (sent === undefined) return []
  const value = (isHttps ? GUARDED_VALUE : PLAIN_VALUE).exec(sent)?.[1] ?? ''
  return value.split('~', MOST_PROOFS).filter((proof) => /^[0-9a-z]{1,6}\.[A-Za-z0-9_-]{22}$/.test(proof))
}

const lastDayOf = (proof: string): number => Number.parseInt(proof.split('.', 1)[0] ?? '', 36)

/** The proof that the sender of this Cookie header has been let in with this very pair, if there is one. */
export function proofFor(signer: Signer, pair: Pair, cookie: Sent): string | undefined {
  // Most proofs of a browser are of a few days: each day's is made once.
  const expected = new Map<number, Buffer>()
  return proofsIn(cookie).find((proof) => {
    const lastDay = lastDayOf(proof)
    if (lastDay * DAY_MS < signer.nowMs) return false
    const [given, own] = [
      Buffer.from(proof),
      expected.get(lastDay) ?? Buffer.from(proofOf(signer, pair, lastDay)),
    ]
    expected.set(lastDay, own)
    return given.length === own.length && timingSafeEqual(given, own)
  })
}

/** Is a proof good for so long that it need not be made anew? */
export function isFresh({ nowMs }: Pick<Signer, 'nowMs'>, proof: string): boolean {
  return lastDayOf(proof) * DAY_MS - nowMs > FRESH_DAYS * DAY_MS
}

/** The Set-Cookie header that adds the proof of `pair` to those that the browser has sent, in the place of an older one. */
export function rememberDevice(signer: Signer, pair: Pair, cookie: Sent): string {
  const lastDay = Math.ceil(signer.nowMs / DAY_MS) + VALID_DAYS
  const older = proofFor(signer, pair, cookie)
  const others = proofsIn(cookie).filter((proof) => proof !== older)
  const proofs = [proofOf(signer, pair, lastDay), ...others].slice(0, MOST_PROOFS)
  const marks = ['Path=/', `Max-Age=${VALID_DAYS * 86_400}`, 'HttpOnly', 'SameSite=Strict']
  return [
    `${nameFor(cookie.isHttps)}=${proofs.join('~')}`,
    ...marks,
    ...(cookie.isHttps ? ['Secure'] : []),
  ].join('; ')
}
