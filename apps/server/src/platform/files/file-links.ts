/**
 * Names under which private files open for a short time. A public session has no header to show, so the name
 * itself carries the right: kind, subject, whom it was made for, expiry and a code that only we can make. The right is
 * checked again when the file is opened: an invoice that may no longer be seen gives nothing, nor does a name whose session
 * has ended, or that a public session would not be given any more.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../clock.ts'

/**
 * `c`: the drawn copy of an invoice. `d`: a stored document. `f`: a file of a dispute or a conversation. `k`: the newest demand of a
 * claim. `p`: what has been paid of an invoice so far. `t` and `s`: the terms and the credit information of a plan for an invoice; their `second` is what is offered.
 */
export type FileKind = 'c' | 'd' | 'f' | 'k' | 'p' | 't' | 's'

export type FileLink = {
  readonly kind: FileKind
  readonly id: string
  readonly second?: string
  /** The session of the debtor or the staff, or the key, that it was made for; undefined for a public session. */
  readonly session: string | undefined
  /** It was made for staff, or for a key. */
  readonly isForStaff?: boolean
}

type Signer = { readonly fileKey: Uint8Array; readonly clock: Clock }

const VALID_MS = 2 * 60 * 60 * 1000
const MINUTE_MS = 60_000
const NAME =
  /^(?<kind>[cdfkpts])(?<id>[\w-]{22})(?<second>(?<=^[ts].*)[\w-]{22}|(?<=^[cdfkp].*))(?<maker>0|[12][\w-]{22})(?<expires>[0-9a-z]{6})(?<code>[\w-]{22})\.(?<ending>[a-z0-9]{2,5})$/

/** As text: other texts stand for the same bytes, and a name has one form only. */
function code(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest().subarray(0, 16).toString('base64url')
}

function packed(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
}

function unpacked(text: string): string {
  const hex = Buffer.from(text, 'base64url').toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const MOST_KEPT = 10_000
const keptNames = new WeakMap<Uint8Array, Map<string, string>>()

/**
 * A name of letters, digits, `_` and `-` with an ending, good for two hours. It is the same for a minute, and kept:
 * a page of a list signs ten.
 */
export function makeLink(signer: Signer, link: FileLink, ending: string): string {
  const minute = Math.floor((signer.clock.now() + VALID_MS) / MINUTE_MS)
  const names = keptNames.get(signer.fileKey) ?? new Map<string, string>()
  keptNames.set(signer.fileKey, names)
  const maker = `${link.session ?? ''}${link.isForStaff === true}`
  const key = `${link.kind}${link.id}${link.second ?? ''}${maker}${minute}.${ending}`
  const name = names.get(key) ?? signName(signer, link, { minute, ending })
  if (names.size >= MOST_KEPT) names.clear()
  names.set(key, name)
  return name
}

function signName(
  { fileKey }: Signer,
  { kind, id, second, session, isForStaff = false }: FileLink,
  { minute, ending }: { minute: number; ending: string },
): string {
  const ids = `${packed(id)}${second ? packed(second) : ''}`
  // Seconds in base 36 are six characters until the year 2038.
  const expires = (minute * (MINUTE_MS / 1000)).toString(36).padStart(6, '0')
  const maker = session ? `${isForStaff ? 2 : 1}${packed(session)}` : '0'
  const body = `${kind}${ids}${maker}${expires}`
  return `${body}${code(fileKey, `${body}.${ending}`)}.${ending}`
}

export function copyLink(signer: Signer, invoiceId: string, session: string | undefined): string {
  return makeLink(signer, { kind: 'c', id: invoiceId, session }, 'pdf')
}

/** What a name opens, or undefined when it is not ours or too old. */
export function readLink(signer: Signer, name: string): FileLink | undefined {
  const parts = NAME.exec(name)?.groups
  if (!parts) return undefined
  const { kind = '', id = '', second = '', maker = '', expires = '', code: given = '', ending } = parts
  const expected = code(signer.fileKey, `${kind}${id}${second}${maker}${expires}.${ending}`)
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(expected))) return undefined
  if (Number.parseInt(expires, 36) * 1000 < signer.clock.now()) return undefined
  return {
    kind: kind as FileKind,
    id: unpacked(id),
    ...(second ? { second: unpacked(second) } : {}),
    session: maker === '0' ? undefined : unpacked(maker.slice(1)),
    isForStaff: maker.startsWith('2'),
  }
}
