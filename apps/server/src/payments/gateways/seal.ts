/**
 * The seal on messages to a bank: Berlin Group NextGenPSD2 1.3, section 12, over draft-cavage-http-signatures-10.
 * Banks that ask for it get `Digest`, `Signature` and `TPP-Signature-Certificate` with every call.
 */
import { createHash, createPrivateKey, sign, X509Certificate, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { BankConfig } from '../../../config/config.ts'
import { openRenewed } from '../../platform/counterparties/renewed-files.ts'

type Headers = Readonly<Record<string, string>>
export type Seal = (headers: Headers, body: string) => Promise<Headers>

/** Beside the program's only thread: an RSA signature takes as long as everything else that a payment needs there. */
const signElsewhere = promisify(sign)

/** What is signed, in this order, where the call has it. */
const SIGNED = ['digest', 'x-request-id', 'date', 'tpp-redirect-uri', 'tpp-nok-redirect-uri']

/**
 * Seals calls with the key of a qualified seal certificate (RSA). The files are looked at with every call, so that
 * they can be renewed while the program runs.
 */
export function openSeal(files: SealFiles, now: () => number): Seal {
  // Reading a key is dear.
  const read = openRenewed([files.certificateFile, files.keyFile], () => readParts(files))
  return async (headers, body) => {
    const { keyId, certificate, key } = read()
    const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`
    const all: Headers = { ...headers, Digest: digest, Date: new Date(now()).toUTCString() }
    const values = new Map(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]))
    const names = SIGNED.filter((name) => values.has(name))
    const text = names.map((name) => `${name}: ${values.get(name)}`).join('\n')
    const signature = (await signElsewhere('sha256', Buffer.from(text), key)).toString('base64')
    return {
      ...all,
      Signature: `keyId="${keyId}",algorithm="rsa-sha256",headers="${names.join(' ')}",signature="${signature}"`,
      'TPP-Signature-Certificate': certificate,
    }
  }
}

type SealFiles = NonNullable<BankConfig['seal']>

type SealParts = { readonly keyId: string; readonly certificate: string; readonly key: KeyObject }

function readParts(files: SealFiles): SealParts {
  const certificate = new X509Certificate(readFileSync(files.certificateFile))
  const key = createPrivateKey(readFileSync(files.keyFile))
  if (!certificate.checkPrivateKey(key)) throw new Error('the key of the seal is not its certificate’s')
  const issuer = certificate.issuer.split('\n').reverse().join(',')
  return {
    keyId: `SN=${certificate.serialNumber},CA=${encodeURIComponent(issuer)}`,
    certificate: certificate.raw.toString('base64'),
    key,
  }
}
