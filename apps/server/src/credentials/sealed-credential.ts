/** A credential as a row holds it: encrypted, and bound to its row. */
import { StartupError } from '../platform/startup-error.ts'
import { credential, type Credential, type CredentialKind } from './credential.ts'
import type { CredentialRow } from './credentials.queries.ts'
import { KeyMissing, type KeyRing } from './key-ring.ts'

/** What is sealed opens in its own row only. */
export function aboutOf(row: Pick<CredentialRow, 'instance_id' | 'kind' | 'account'>): string {
  return `${row.instance_id}\n${row.kind}\n${row.account}`
}

/** Throws KeyMissing, and Error when it was not written by this program. */
export function openRow(ring: KeyRing, row: CredentialRow): Credential {
  const text = ring.open({ keyId: row.key_id, bytes: row.sealed }, aboutOf(row))
  return credential.parse(JSON.parse(text))
}

/** The same with a sentence for a person. */
export function openForPerson(ring: KeyRing, row: CredentialRow): Credential {
  try {
    return openRow(ring, row)
  } catch (error) {
    if (error instanceof KeyMissing) throw new StartupError(missingKeySentence(ring, row))
    throw error
  }
}

export function missingKeySentence(ring: Pick<KeyRing, 'file'>, row: CredentialRow): string {
  return `What the provider ${row.url_alias} shows ${NAMES[row.kind]} is encrypted with the key ${row.key_id}, which ${ring.file} does not have. Put that file back (SETTINGS_KEY_FILE), or remove it with "npm run credentials -- --provider ${row.url_alias} --remove ${OPTION_NAMES[row.kind]}" and enter it anew.`
}

const NAMES: Readonly<Record<CredentialKind, string>> = {
  SWISH: 'Swish',
  BANKID: 'BankID',
  DIGITAL_MAILBOX: 'the digital mailbox',
  ELECTRONIC_INVOICE: 'the access point',
}

/** As a command names the kinds. */
export const OPTION_NAMES: Readonly<Record<CredentialKind, string>> = {
  SWISH: 'swish',
  BANKID: 'bankid',
  DIGITAL_MAILBOX: 'digital-mailbox',
  ELECTRONIC_INVOICE: 'electronic-invoice',
}
