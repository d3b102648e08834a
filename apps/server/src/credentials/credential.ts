/** What a provider shows a counterparty, and how it is told from what is none. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import type { CredentialFault } from '@kvitt/domain/instances/credential.ts'
import { z } from 'zod'

const pem = z.string().max(20_000)
/** As they are encrypted: whatever else is in there was not written by this program. */
export const credential = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('SWISH'),
    number: z.string().regex(/^[0-9]{8,15}$/),
    certificate: pem,
    key: pem,
  }),
  z.strictObject({ kind: z.literal('BANKID'), certificate: pem, key: pem }),
  z.strictObject({ kind: z.literal('DIGITAL_MAILBOX'), tenant: z.string().regex(/^[0-9A-Za-z]{4,100}$/) }),
  z.strictObject({
    kind: z.literal('ELECTRONIC_INVOICE'),
    address: z.string().regex(/^\d{4}:[0-9A-Za-z._-]{1,50}$/),
  }),
])
export type Credential = z.output<typeof credential>
export type CredentialKind = Credential['kind']
export type CredentialOf<Kind extends CredentialKind> = Extract<Credential, { readonly kind: Kind }>

/** It cannot be used: a sentence for whoever is at a command, and the fault for a portal. */
export class CredentialRefused extends Error {
  override name = 'CredentialRefused'
  readonly fault: CredentialFault
  constructor(fault: CredentialFault, message: string) {
    super(message)
    this.fault = fault
  }
}

const WHAT_IS_WRONG: Readonly<Record<CredentialKind, readonly [CredentialFault, string]>> = {
  SWISH: ['number', 'A Swish number is 8 to 15 digits, such as 1231181189.'],
  BANKID: ['certificate', 'A certificate and its key are PEM files of 20,000 bytes at most.'],
  DIGITAL_MAILBOX: ['tenant', 'A tenant key is 4 to 100 letters and digits.'],
  ELECTRONIC_INVOICE: ['address', 'An address in Peppol looks like 0007:5599990016.'],
}

/** The number that tells two of a kind apart; empty where a provider has one. */
export function accountOf(one: Credential): string {
  return one.kind === 'SWISH' ? one.number : ''
}

/** Throws CredentialRefused when it is none, or would be refused by the other side on `now` (milliseconds). */
export function checkCredential(one: Credential, now: number): void {
  if (!credential.safeParse(one).success) throw new CredentialRefused(...WHAT_IS_WRONG[one.kind])
  if (!('certificate' in one)) return
  const certificate = readCertificate(one.certificate)
  if (!certificate.checkPrivateKey(readKey(one.key)))
    throw new CredentialRefused('pair', 'The key is not the one of the certificate.')
  if (Date.parse(certificate.validTo) <= now)
    throw new CredentialRefused('expired', `The certificate was valid until ${dayOf(certificate)} only.`)
}

function readCertificate(text: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch {
    throw new CredentialRefused('certificate', 'The certificate is no PEM certificate.')
  }
}

function readKey(text: string): KeyObject {
  try {
    return createPrivateKey(text)
  } catch {
    throw new CredentialRefused('key', 'The key is no PEM key without a password.')
  }
}

function dayOf(certificate: X509Certificate): string {
  return new Date(certificate.validTo).toISOString().slice(0, 10)
}

export type Described = {
  readonly kind: CredentialKind
  readonly account: string
  /** The last day of the certificate, and the first half of its SHA-256 fingerprint. */
  readonly certificate: { readonly until: string; readonly fingerprint: string } | null
}

/** What may be said of it in lists and in the audit log: nothing secret. */
export function describeCredential(one: Credential): Described {
  const certificate = 'certificate' in one ? readCertificate(one.certificate) : undefined
  return {
    kind: one.kind,
    account:
      one.kind === 'DIGITAL_MAILBOX'
        ? one.tenant
        : one.kind === 'ELECTRONIC_INVOICE'
          ? one.address
          : accountOf(one),
    certificate: certificate
      ? {
          until: dayOf(certificate),
          fingerprint: certificate.fingerprint256.replaceAll(':', '').slice(0, 32),
        }
      : null,
  }
}
