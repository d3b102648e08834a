/**
 * The seal on messages to a bank: Berlin Group NextGenPSD2 1.3, section 12, over draft-cavage-http-signatures-10.
 * Banks that ask for it get `Digest`, `Signature` and `TPP-Signature-Certificate` with every call.
 */
import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { BankConfig } from '../../config.ts'

type Headers = Readonly<Record<string, string>>

/** What is signed, in this order, where the call has it. */
const SIGNED = ['digest', 'x-request-id', 'date', 'tpp-redirect-uri', 'tpp-nok-redirect-uri']

/**
 * Seals calls with the key of a qualified seal certificate (RSA). The files are read with every call, so that they
 * can be renewed while the program runs.
 */
export function openSeal(
  files: NonNullable<BankConfig['seal']>,
  now: () => number,
): (headers: Headers, body: string) => Headers {
  return (headers, body) => {
    const certificate = new X509Certificate(readFileSync(files.certificateFile))
    const key = createPrivateKey(readFileSync(files.keyFile))
    const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`
    const all: Headers = { ...headers, Digest: digest, Date: new Date(now()).toUTCString() }
    const values = new Map(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]))
    const names = SIGNED.filter((name) => values.has(name))
    const text = names.map((name) => `${name}: ${values.get(name)}`).join('\n')
    const signature = sign('sha256', Buffer.from(text), key).toString('base64')
    const issuer = certificate.issuer.split('\n').reverse().join(',')
    const keyId = `SN=${certificate.serialNumber},CA=${encodeURIComponent(issuer)}`
    return {
      ...all,
      Signature: `keyId="${keyId}",algorithm="rsa-sha256",headers="${names.join(' ')}",signature="${signature}"`,
      'TPP-Signature-Certificate': certificate.raw.toString('base64'),
    }
  }
}
