/**
 * Names under which private files open for a short time. A public session has no header to show, so the name
 * itself carries the right: kind, subject, expiry and a code that only we can make. The right is checked again
 * when the file is opened: an invoice that may no longer be seen gives nothing.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from './clock.ts'

/**
 * `c`: the drawn copy of an invoice. `d`: a stored document. `f`: a file of a dispute. `k`: the newest demand of a
 * claim. `t` and `s`: the terms and the credit information of a plan for an invoice; their `second` is what is offered.
 */
export type FileKind = 'c' | 'd' | 'f' | 'k' | 't' | 's'

export type FileLink = { readonly kind: FileKind; readonly id: string; readonly second?: string }

type Signer = { readonly fileKey: Uint8Array; readonly clock: Clock }

const VALID_MS = 2 * 60 * 60 * 1000
const NAME =
  /^(?:([cdfk])([A-Za-z0-9_-]{22})|([ts])([A-Za-z0-9_-]{22})([A-Za-z0-9_-]{22}))([0-9a-z]{6})([A-Za-z0-9_-]{22})\.[a-z0-9]{2,5}$/

function code(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest().subarray(0, 16)
}

function packed(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
}

function unpacked(text: string): string {
  const hex = Buffer.from(text, 'base64url').toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A name of letters, digits, `_` and `-` with an ending, good for two hours. */
export function makeLink(signer: Signer, link: FileLink, ending: string): string {
  const ids = `${packed(link.id)}${link.second ? packed(link.second) : ''}`
  // Seconds in base 36 are six characters until the year 2038.
  const expires = Math.floor((signer.clock.now() + VALID_MS) / 1000)
    .toString(36)
    .padStart(6, '0')
  const body = `${link.kind}${ids}${expires}`
  return `${body}${code(signer.fileKey, body).toString('base64url')}.${ending}`
}

export function copyLink(signer: Signer, invoiceId: string): string {
  return makeLink(signer, { kind: 'c', id: invoiceId }, 'pdf')
}

/** What a name opens, or undefined when it is not ours or too old. */
export function readLink(signer: Signer, name: string): FileLink | undefined {
  const match = NAME.exec(name)
  if (!match) return undefined
  const [, kind = match[3] ?? '', id = match[4] ?? '', , , second = '', expires = '', given = ''] = match
  const expected = code(signer.fileKey, `${kind}${id}${second}${expires}`)
  const bytes = Buffer.from(given, 'base64url')
  if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) return undefined
  if (Number.parseInt(expires, 36) * 1000 < signer.clock.now()) return undefined
  return {
    kind: kind as FileKind,
    id: unpacked(id),
    ...(second ? { second: unpacked(second) } : {}),
  }
}
