/** The settings of digital mailboxes and electronic invoices. Read by config.ts, which hands the environment over. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { TlsFiles } from './platform/mutual-tls.ts'
import { StartupError } from './platform/startup-error.ts'

export type MailboxConfig = TlsFiles & {
  /** Kivra's interface for senders, without a trailing slash. */
  readonly baseUrl: string
  readonly client: string
  readonly secret: string
  /** Our own key there: in whose name letters come. */
  readonly tenant: string
}

export type AccessPointConfig = TlsFiles & {
  /** Without a trailing slash; `/api/outbound/` follows. */
  readonly baseUrl: string
  readonly token: string
  /** Our address in the network, such as `0007:5599990016`. */
  readonly sender: string
}

type Environment = Readonly<Record<string, string | undefined>>

function httpsAddress(name: string, text: string, example: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:') {
    throw new StartupError(`${name} must be an https address, such as ${example}.`)
  }
  return url
}

const plain = (url: URL): string => `${url.origin}${url.pathname.replace(/\/+$/, '')}`

/** The sandbox's files while the address is the sandbox; else what is named, and the system's authorities. */
function readFiles(env: Environment, prefix: string, dataDir: string): TlsFiles {
  const certificates = join(dataDir, 'sandbox', 'certificates')
  const isSandbox = !env[`${prefix}_URL`]
  const file = (ending: string, sandboxName: string): string | undefined => {
    const given = env[`${prefix}_${ending}`]
    if (given && !existsSync(given)) {
      throw new StartupError(`${prefix}_${ending} names ${given}, which does not exist.`)
    }
    if (given) return resolve(given)
    return isSandbox ? join(certificates, sandboxName) : undefined
  }
  const files = {
    caFile: file('CA_FILE', 'ca.pem'),
    certificateFile: file('CERTIFICATE_FILE', 'client.pem'),
    keyFile: file('KEY_FILE', 'client-key.pem'),
  }
  if ((files.certificateFile === undefined) !== (files.keyFile === undefined)) {
    throw new StartupError(
      `${prefix}_CERTIFICATE_FILE and ${prefix}_KEY_FILE belong together; one is missing.`,
    )
  }
  return files
}

/** Where an operator is; empty for the sandbox, which plays it while the bank is the sandbox too, else undefined. */
function placeOf(env: Environment, name: string): string | undefined {
  return env[name] || (env.BANK_BASE_URL ? undefined : '')
}

/** The sandbox has everybody's mailbox while nobody else is named and the bank is the sandbox's too. */
export function readMailbox(
  env: Environment,
  dataDir: string,
  sandboxPort: number,
): MailboxConfig | undefined {
  const name = 'DIGITAL_MAILBOX_URL'
  const given = placeOf(env, name)
  if (given === undefined) return undefined
  const example = 'https://CLIENT:SECRET@sender.api.kivra.com'
  const url = httpsAddress(name, given || `https://sandbox:sandbox@localhost:${sandboxPort + 1}`, example)
  if (url.username === '' || url.password === '') {
    throw new StartupError(`${name} has no client and secret in it; it must look like ${example}.`)
  }
  const tenant = env.DIGITAL_MAILBOX_TENANT || (given ? '' : '5a17d0b0c0de')
  if (!/^[0-9A-Za-z]{4,100}$/.test(tenant)) {
    throw new StartupError(`DIGITAL_MAILBOX_TENANT is "${tenant}"; it must be your tenant key at Kivra.`)
  }
  return {
    baseUrl: plain(url),
    client: decodeURIComponent(url.username),
    secret: decodeURIComponent(url.password),
    tenant,
    ...readFiles(env, 'DIGITAL_MAILBOX', dataDir),
  }
}

export function readAccessPoint(
  env: Environment,
  dataDir: string,
  sandboxPort: number,
): AccessPointConfig | undefined {
  const name = 'ELECTRONIC_INVOICE_URL'
  const given = placeOf(env, name)
  if (given === undefined) return undefined
  const url = httpsAddress(name, given || `https://localhost:${sandboxPort + 1}`, 'https://ap.example.com')
  const token = env.ELECTRONIC_INVOICE_TOKEN || (given ? '' : 'sandbox')
  if (token === '') throw new StartupError(`ELECTRONIC_INVOICE_TOKEN is missing; it is needed with ${name}.`)
  const sender = env.ELECTRONIC_INVOICE_SENDER || (given ? '' : '0007:5599990016')
  if (!/^\d{4}:[0-9A-Za-z._-]{1,50}$/.test(sender)) {
    throw new StartupError(
      `ELECTRONIC_INVOICE_SENDER is "${sender}"; it must be your address in Peppol, such as 0007:5599990016.`,
    )
  }
  return { baseUrl: plain(url), token, sender, ...readFiles(env, 'ELECTRONIC_INVOICE', dataDir) }
}
