import { createHash, verify, X509Certificate, type KeyObject } from 'node:crypto'
import type { Call } from '../serve.ts'
import { Xs2aRefusal } from './initiation.ts'

const invalid = (text: string) => new Xs2aRefusal(401, 'SIGNATURE_INVALID', text)

/**
 * A check of the seals of calls (Berlin Group NextGenPSD2 1.3, section 12): digest of the body, and the signature over
 * the headers that it names. The certificate has to be the authority's. A call without a seal passes. The check throws
 * Xs2aRefusal.
 */
export function openSealCheck(authority: X509Certificate): (call: Call) => void {
  // One client seals call after call with one certificate, and reading and verifying it costs more than all the rest.
  let known: { encoded: string; key: KeyObject } | undefined
  return (call) =>
    checkSeal(call, (encoded) => {
      if (known?.encoded !== encoded) known = { encoded, key: readKey(encoded, authority) }
      return known.key
    })
}

function checkSeal(call: Call, keyOf: (certificate: string) => KeyObject): void {
  const { signature, digest } = call.headers
  const encoded = call.headers['tpp-signature-certificate']
  if (signature === undefined && encoded === undefined) return
  if (typeof signature !== 'string' || typeof encoded !== 'string') {
    throw new Xs2aRefusal(401, 'SIGNATURE_MISSING', 'Signature and its certificate belong together')
  }
  const key = keyOf(encoded)
  const ownDigest = `SHA-256=${createHash('sha256').update(call.body).digest('base64')}`
  if (digest !== ownDigest) throw invalid('The digest is not that of the body')
  const parts = new Map([...signature.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
  const names = (parts.get('headers') ?? '').split(' ')
  if (!['digest', 'x-request-id'].every((name) => names.includes(name))) {
    throw invalid('digest and x-request-id must be signed')
  }
  const text = names.map((name) => `${name}: ${String(call.headers[name])}`).join('\n')
  const bytes = Buffer.from(parts.get('signature') ?? '', 'base64')
  if (!verify('sha256', Buffer.from(text), key, bytes)) {
    throw invalid('The signature does not fit')
  }
}

function readKey(encoded: string, authority: X509Certificate): KeyObject {
  const certificate = readCertificate(encoded)
  if (!certificate.verify(authority.publicKey)) throw invalid('The seal is not one of ours')
  return certificate.publicKey
}

function readCertificate(encoded: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(encoded, 'base64'))
  } catch {
    throw invalid('The certificate of the seal cannot be read')
  }
}
