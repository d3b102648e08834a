/**
 * The seal on messages to a bank: Berlin Group NextGenPSD2 1.3, section 12, over draft-cavage-http-signatures-10.
 * Banks that ask for it get `Digest`, `Signature` and `TPP-Signature-Certificate` with every call.
 */
import { createHash, createPrivateKey, sign, X509Certificate, type KeyObject } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { BankConfig } from '../../config.ts'

type Headers = Readonly<Record<string, string>>

/** What is signed, in this order, where the call has it. */
const SIGNED = ['digest', 'x-request-id', 'date', 'tpp-redirect-uri', 'tpp-nok-redirect-uri']

/**
 * Seals calls with the key of a qualified seal certificate (RSA). The files are looked at with every call, so that
 * they can be renewed while the program runs.
 */
export function openSeal(files: SealFiles, now: () => number): (headers: Headers, body: string) => Headers {
  const read = openFiles(files)
  return (headers, body) => {
    const { certificate, key } = read()
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

type SealFiles = NonNullable<BankConfig['seal']>

/** Answers certificate and key, read again when one of the files is another than it was: reading a key is dear. */
function openFiles(files: SealFiles): () => { certificate: X509Certificate; key: KeyObject } {
  const stampOf = (): string =>
    [files.certificateFile, files.keyFile]
      .map((file) => statSync(file))
      .map(({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`)
      .join()
  let known: { stamp: string; certificate: X509Certificate; key: KeyObject } | undefined
  return () => {
    const stamp = stampOf()
    if (known?.stamp !== stamp) {
      const certificate = new X509Certificate(readFileSync(files.certificateFile))
      known = { stamp, certificate, key: createPrivateKey(readFileSync(files.keyFile)) }
    }
    return known
  }
}
