/** The settings of digital mailboxes and electronic invoices. Read by config.ts, which hands the environment over. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hasSandbox, ownSettings, type OwnSettingsReader } from './config-files.ts'
import type { Environment, OwnSetting, Setting } from './config-names.ts'
import type { TlsFiles } from '../src/platform/counterparties/mutual-tls.ts'
import { StartupError } from '../src/platform/startup-error.ts'

export type MailboxConfig = TlsFiles & {
  /** Kivra's interface for senders, without a trailing slash. */
  readonly baseUrl: string
  readonly client: string
  readonly secret: string
  /** In whose name letters come: the key of every provider that has none of its own. */
  readonly tenant: string
  /** Their own keys, by the provider's alias. */
  readonly tenants: ReadonlyMap<string, string>
}

export type AccessPointConfig = TlsFiles & {
  /** Without a trailing slash; `/api/outbound/` follows. */
  readonly baseUrl: string
  readonly token: string
  /** The address in the network, such as `0007:5599990016`, of every provider that has none of its own. */
  readonly sender: string
  /** Their own addresses, by the provider's alias. */
  readonly senders: ReadonlyMap<string, string>
}

function httpsAddress(name: Setting, text: string, example: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:') {
    throw new StartupError(`${name} must be an https address, such as ${example}.`)
  }
  return url
}

const plain = (url: URL): string => `${url.origin}${url.pathname.replace(/\/+$/, '')}`

/** The sandbox's files while the address is the sandbox; else what is named, and the system's authorities. */
function readFiles(
  env: Environment,
  prefix: 'DIGITAL_MAILBOX' | 'ELECTRONIC_INVOICE',
  dataDir: string,
): TlsFiles {
  const certificates = join(dataDir, 'sandbox', 'certificates')
  const isSandbox = !env[`${prefix}_URL`]
  const file = (ending: `${'CA' | 'CERTIFICATE' | 'KEY'}_FILE`, sandboxName: string): string | undefined => {
    const name = `${prefix}_${ending}` as const
    const given = env[name]
    if (given && !existsSync(given)) {
      throw new StartupError(`${name} names ${given}, which does not exist.`)
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

/** Where an operator is; empty for the sandbox, which plays it where there is one, else undefined. */
function placeOf(env: Environment, name: Setting): string | undefined {
  return env[name] || (hasSandbox(env) ? '' : undefined)
}

const OWN_TENANT = ownSettings(['DIGITAL_MAILBOX_TENANT'])
const OWN_SENDER = ownSettings(['ELECTRONIC_INVOICE_SENDER'])

function readOwn<Name extends OwnSetting>(
  env: Environment,
  own: OwnSettingsReader<Name>,
  name: Name,
  check: (name: string, text: string) => string,
): ReadonlyMap<string, string> {
  return new Map(
    own.read(env).map(({ alias, nameOf, valueOf }) => [alias, check(nameOf(name), valueOf(name))]),
  )
}

function tenantKey(name: string, text: string): string {
  if (/^[0-9A-Za-z]{4,100}$/.test(text)) return text
  throw new StartupError(`${name} is "${text}"; it must be your tenant key at Kivra.`)
}

function peppolAddress(name: string, text: string): string {
  if (/^\d{4}:[0-9A-Za-z._-]{1,50}$/.test(text)) return text
  throw new StartupError(`${name} is "${text}"; it must be your address in Peppol, such as 0007:5599990016.`)
}

/** The sandbox, where there is one, has everybody's mailbox while nobody else is named. */
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
  return {
    baseUrl: plain(url),
    client: decodeURIComponent(url.username),
    secret: decodeURIComponent(url.password),
    tenant: tenantKey('DIGITAL_MAILBOX_TENANT', env.DIGITAL_MAILBOX_TENANT || (given ? '' : '5a17d0b0c0de')),
    tenants: readOwn(env, OWN_TENANT, 'DIGITAL_MAILBOX_TENANT', tenantKey),
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
  const senderName = 'ELECTRONIC_INVOICE_SENDER'
  return {
    baseUrl: plain(url),
    token,
    sender: peppolAddress(senderName, env[senderName] || (given ? '' : '0007:5599990016')),
    senders: readOwn(env, OWN_SENDER, senderName, peppolAddress),
    ...readFiles(env, 'ELECTRONIC_INVOICE', dataDir),
  }
}
