/** The settings of Swish. Read by config.ts, which hands the environment over. */
import { existingFile, hasSandbox, ownSettings, readTlsFiles, webAddress } from './config-files.ts'
import type { Environment } from './config-names.ts'
import { isLoopback } from '../src/platform/http/loopback.ts'
import { StartupError } from '../src/platform/startup-error.ts'

/** A Swish number, and what its owner's calls are signed with. */
export type SwishNumber = {
  readonly payeeAlias: string
  /** Whose number it is: providers by their alias, or whichever is the default one. */
  readonly providers: readonly string[] | 'all' | 'default'
  readonly certificateFile: string
  readonly keyFile: string
}

export type SwishConfig = {
  /** Up to and including `/swish-cpcapi`, without a trailing slash. */
  readonly baseUrl: string
  readonly caFile: string
  /** A provider is paid to the first one that is its own. */
  readonly numbers: readonly SwishNumber[]
}

/** The Swish number of the sandbox, from Swish's own test range. */
const SANDBOX_PAYEE = '1234679304'

const OWN = ownSettings(['SWISH_PAYEE_ALIAS', 'SWISH_CERTIFICATE_FILE', 'SWISH_KEY_FILE'])

/** Undefined where Swish is not offered. Throws StartupError. */
export function readSwish(env: Environment, dataDir: string, sandboxPort: number): SwishConfig | undefined {
  const baseUrl = env.SWISH_BASE_URL
  if (!baseUrl && !hasSandbox(env)) return undefined
  const isLocal = !baseUrl || (URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname))
  if (!isLocal && !env.PUBLIC_URL?.startsWith('https://')) {
    throw new StartupError('PUBLIC_URL must begin with https:// for Swish, which calls no other address.')
  }
  const payeeAlias = swishNumber('SWISH_PAYEE_ALIAS', env.SWISH_PAYEE_ALIAS || (baseUrl ? '' : SANDBOX_PAYEE))
  const { caFile, ...files } = readTlsFiles(env, 'SWISH', dataDir)
  const shared = {
    payeeAlias,
    providers: readSwishProviders(env, isLocal),
    ...files,
  }
  return {
    baseUrl: baseUrl
      ? webAddress('SWISH_BASE_URL', baseUrl)
      : `https://localhost:${sandboxPort + 1}/swish-cpcapi`,
    caFile,
    numbers: [...readOwnNumbers(env), shared],
  }
}

function swishNumber(name: string, text: string): string {
  if (/^[0-9]{8,15}$/.test(text)) return text
  throw new StartupError(
    `${name} is "${text}"; it must be your Swish number, digits only, such as 1231181189.`,
  )
}

/** A number of its own needs its own certificate: Swish knows the number by it. */
function readOwnNumbers(env: Environment): SwishNumber[] {
  return OWN.read(env).map(({ alias, nameOf, valueOf }) => ({
    payeeAlias: swishNumber(nameOf('SWISH_PAYEE_ALIAS'), valueOf('SWISH_PAYEE_ALIAS')),
    providers: [alias],
    certificateFile: existingFile(nameOf('SWISH_CERTIFICATE_FILE'), valueOf('SWISH_CERTIFICATE_FILE')),
    keyFile: existingFile(nameOf('SWISH_KEY_FILE'), valueOf('SWISH_KEY_FILE')),
  }))
}

/** The number without a provider in its name takes the money of the default provider alone, unless others are named. */
function readSwishProviders(env: Environment, isLocal: boolean): SwishNumber['providers'] {
  const aliases = (env.SWISH_PROVIDERS ?? '')
    .split(',')
    .map((alias) => alias.trim().toLowerCase())
    .filter((alias) => alias !== '')
  const wrong = aliases.find((alias) => !/^[a-z0-9-]{1,63}$/.test(alias))
  if (wrong !== undefined) {
    throw new StartupError(
      `SWISH_PROVIDERS has "${wrong}"; it must be first parts of addresses, such as nordklar,fjellklar.`,
    )
  }
  if (aliases.length > 0) return aliases
  return isLocal ? 'all' : 'default'
}
