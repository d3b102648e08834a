/** `npm run credentials -- [--provider ALIAS] [--swish-number N --swish-certificate FILE --swish-key FILE | … | --remove KIND | --rotate-key]` */
import { readFile } from 'node:fs/promises'
import { readOptions } from './command-options.ts'
import {
  addSettingsKey,
  CredentialRefused,
  forgetKey,
  keepCredential,
  listCredentials,
  OPTION_NAMES,
  removeCredential,
  rotateKey,
  type Credential,
  type CredentialKind,
  type Listed,
} from '../src/credentials/credentials.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { findProvider, runCommand, type CommandContext } from './run-command.ts'

const USAGE = 'Usage: npm run credentials -- [--provider ALIAS] [settings], see --help'
const HELP = `${USAGE}

What a provider shows its counterparties, kept with the provider and encrypted with the key in SETTINGS_KEY_FILE. Without settings:
lists them, never with a secret. With settings: enters what is named, in place of what was there; it is used within five seconds.
What a provider has here comes before the settings of the process.

  --swish-number N --swish-certificate FILE --swish-key FILE
                              its Swish number, digits only, and the certificate that Swish knows it by. The number that was
                              there before stays for its own payments and refunds
  --bankid-certificate FILE --bankid-key FILE
                              it is a relying party of BankID of its own
  --digital-mailbox-tenant KEY
                              its tenant key at Kivra
  --electronic-invoice-address A
                              its address in Peppol, such as 0007:5599990016
  --remove KIND               swish, bankid, digital-mailbox or electronic-invoice; --number N names a former Swish number

Of all providers:
  --add-key                   puts a new key into the file, which encrypts what is entered from then on: copy the file to every host
  --rotate-key                encrypts everything anew, with the key that was added last, or with a new one
  --forget-key ID             takes a key out of the file that nothing is encrypted with. A backup from before needs it
  --help                      this text

Files are PEM, the key without a password. Exit status: 0, or 2 when nothing was done.
`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const OPTIONS = {
  'swish-number': text,
  'swish-certificate': text,
  'swish-key': text,
  'bankid-certificate': text,
  'bankid-key': text,
  'digital-mailbox-tenant': text,
  'electronic-invoice-address': text,
  remove: text,
  number: text,
  'add-key': flag,
  'rotate-key': flag,
  'forget-key': text,
} as const

type Values = ReturnType<typeof readOptions<typeof OPTIONS>>['values']

type Wish =
  | { readonly act: 'list' | 'add-key' | 'rotate-key' }
  | { readonly act: 'forget-key'; readonly id: string }
  | { readonly act: 'remove'; readonly kind: CredentialKind; readonly account: string | undefined }
  | { readonly act: 'keep'; readonly wanted: readonly Wanted[] }

/** A credential whose files are not read yet. */
type Wanted =
  | { readonly kind: 'SWISH'; readonly number: string; readonly files: Files }
  | { readonly kind: 'BANKID'; readonly files: Files }
  | { readonly kind: 'DIGITAL_MAILBOX'; readonly tenant: string }
  | { readonly kind: 'ELECTRONIC_INVOICE'; readonly address: string }
type Files = { readonly certificate: string; readonly key: string }

function readArguments(args: readonly string[]): Wish {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const wanted = wantedIn(values)
  const acts: Wish[] = [
    ...(wanted.length > 0 ? [{ act: 'keep', wanted } as const] : []),
    ...(values.remove === undefined ? [] : [removalIn(values)]),
    ...(values['add-key'] ? [{ act: 'add-key' } as const] : []),
    ...(values['rotate-key'] ? [{ act: 'rotate-key' } as const] : []),
    ...(values['forget-key'] === undefined ? [] : [{ act: 'forget-key', id: values['forget-key'] } as const]),
  ]
  if (acts.length > 1) throw new StartupError(`One thing at a time. ${USAGE}`)
  if (values.number !== undefined && values.remove === undefined)
    throw new StartupError(`--number belongs to --remove swish. ${USAGE}`)
  return acts[0] ?? { act: 'list' }
}

function wantedIn(values: Values): Wanted[] {
  const together = (...names: (keyof Values)[]): boolean => {
    const given = names.filter((name) => values[name] !== undefined)
    if (given.length > 0 && given.length < names.length)
      throw new StartupError(`${names.map((name) => `--${name}`).join(', ')} belong together. ${USAGE}`)
    return given.length > 0
  }
  const filesOf = (kind: 'swish' | 'bankid'): Files => ({
    certificate: values[`${kind}-certificate`] ?? '',
    key: values[`${kind}-key`] ?? '',
  })
  const { 'digital-mailbox-tenant': tenant, 'electronic-invoice-address': address } = values
  return [
    ...(together('swish-number', 'swish-certificate', 'swish-key')
      ? [{ kind: 'SWISH', number: values['swish-number'] ?? '', files: filesOf('swish') } as const]
      : []),
    ...(together('bankid-certificate', 'bankid-key')
      ? [{ kind: 'BANKID', files: filesOf('bankid') } as const]
      : []),
    ...(tenant === undefined ? [] : [{ kind: 'DIGITAL_MAILBOX', tenant } as const]),
    ...(address === undefined ? [] : [{ kind: 'ELECTRONIC_INVOICE', address } as const]),
  ]
}

function removalIn({ remove, number: account }: Values): Wish {
  const kinds = Object.entries(OPTION_NAMES) as [CredentialKind, string][]
  const kind = kinds.find(([, name]) => name === remove)?.[0]
  if (!kind)
    throw new StartupError(
      `--remove takes ${kinds.map(([, name]) => name).join(', ')}, not ${remove}. ${USAGE}`,
    )
  if (account !== undefined && kind !== 'SWISH')
    throw new StartupError(`--number belongs to --remove swish. ${USAGE}`)
  return { act: 'remove', kind, account }
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new StartupError(`${file} could not be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

async function credentialOf(wanted: Wanted): Promise<Credential> {
  if (!('files' in wanted)) return wanted
  const { files, ...rest } = wanted
  return { ...rest, certificate: await readPem(files.certificate), key: await readPem(files.key) }
}

function describe({ alias, kind, account, isCurrent, certificate, keyId, isReadable }: Listed): string {
  const validity = certificate ? [`valid until ${certificate.until}`, certificate.fingerprint] : []
  const parts = [
    alias,
    OPTION_NAMES[kind],
    account,
    isCurrent ? '' : 'former',
    ...validity,
    `key ${keyId}${isReadable ? '' : ', which is missing'}`,
  ]
  return parts.filter((part) => part !== '').join('  ')
}

async function work(context: CommandContext, wish: Wish): Promise<number> {
  try {
    for (const line of await act(context, wish)) process.stdout.write(`${line}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof CredentialRefused)) throw error
    throw new StartupError(error.message)
  }
}

async function act(context: CommandContext, wish: Wish): Promise<string[]> {
  const { db, clock, config, by } = context
  const keyFile = config.settingsKeyFile
  const parts = { db, clock, keyFile }
  switch (wish.act) {
    case 'add-key':
      return [`key ${await addSettingsKey(parts)} added to ${keyFile}`]
    case 'rotate-key': {
      const { keyId, count } = await rotateKey(parts)
      return [`${count} encrypted with key ${keyId}`]
    }
    case 'forget-key':
      await forgetKey(parts, wish.id)
      return [`key ${wish.id} is not in ${keyFile} any more`]
    case 'list': {
      const { id } = await findProvider(context)
      return (await listCredentials(db, keyFile, id)).map(describe)
    }
    case 'remove': {
      const { id: instanceId } = await findProvider(context)
      const { kind, account } = wish
      const isGone = await removeCredential(parts, { instanceId, by, kind, account })
      return [`${isGone ? 'removed' : 'was not there'}  ${OPTION_NAMES[kind]}`]
    }
    case 'keep': {
      const { id: instanceId } = await findProvider(context)
      const credentials = await Promise.all(wish.wanted.map(credentialOf))
      const lines: string[] = []
      for (const one of credentials) {
        const isNew = await keepCredential(parts, { instanceId, by }, one)
        lines.push(`${isNew ? 'entered' : 'entered before'}  ${OPTION_NAMES[one.kind]}`)
      }
      return lines
    }
  }
}

await runCommand({ help: HELP, readArguments, work })
