/** What several settings have in common: addresses, and the files that a counterparty is reached with. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Environment, OwnSetting, Setting } from './config-names.ts'
import { StartupError } from '../src/platform/startup-error.ts'

/**
 * Whether the sandbox stands in for the counterparties that no setting names: with a real bank, or without the demo, each of
 * them is there only when it is named.
 */
export function hasSandbox(env: Environment): boolean {
  return !env.BANK_BASE_URL && env.DEMO !== 'off'
}

/** Without a trailing slash. Throws StartupError. */
export function webAddress(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new StartupError(`${name} is "${text}"; it must be a web address such as https://pay.example.com.`)
  }
  return text.replace(/\/+$/, '')
}

export type TlsFileNames = {
  readonly caFile: string
  readonly certificateFile: string
  readonly keyFile: string
}

/** The three PEM files of a counterparty; the sandbox's own while its address is the sandbox. */
export function readTlsFiles(
  env: Environment,
  prefix: 'BANK' | 'SWISH' | 'BANKID',
  dataDir: string,
): TlsFileNames {
  const certificates = join(dataDir, 'sandbox', 'certificates')
  const file = (name: Setting, sandboxName: string): string => {
    const given = env[name]
    if (given && !existsSync(given)) {
      throw new StartupError(`${name} names ${given}, which does not exist.`)
    }
    if (!given && env[`${prefix}_BASE_URL`]) {
      throw new StartupError(`${name} is missing; it is needed with ${prefix}_BASE_URL.`)
    }
    return given ? resolve(given) : join(certificates, sandboxName)
  }
  return {
    caFile: file(`${prefix}_CA_FILE`, 'ca.pem'),
    certificateFile: file(`${prefix}_CERTIFICATE_FILE`, 'client.pem'),
    keyFile: file(`${prefix}_KEY_FILE`, 'client-key.pem'),
  }
}

/** What one provider has to itself: its alias, the settings as they are named for it, and their values by the plain names. */
export type OwnSettings<Name extends OwnSetting> = {
  readonly alias: string
  readonly nameOf: (name: Name) => `${Name}_${string}`
  readonly valueOf: (name: Name) => string
}

export type OwnSettingsReader<Name extends OwnSetting> = {
  /** One for each provider that has any; throws StartupError when it has not all of them. */
  readonly read: (env: Environment) => readonly OwnSettings<Name>[]
}

/** Settings that a provider can have of its own: `names` with its alias behind them in capitals, with _ for -. */
export function ownSettings<const Name extends OwnSetting>(names: readonly Name[]): OwnSettingsReader<Name> {
  const pattern = new RegExp(`^(?:${names.join('|')})_([A-Z0-9]+(?:_[A-Z0-9]+)*)$`)
  return {
    read: (env) => {
      const given = Object.entries(env).flatMap(([name, value]) => (value ? [name] : []))
      const suffixes = new Set(given.flatMap((name) => pattern.exec(name)?.[1] ?? []))
      return [...suffixes].map((suffix) => {
        const nameOf = (name: Name) => `${name}_${suffix}` as const
        const missing = names.find((name) => !env[nameOf(name)])
        if (missing)
          throw new StartupError(
            `${nameOf(missing)} is missing; a provider with its own needs all ${names.length} of them.`,
          )
        return {
          alias: suffix.toLowerCase().replaceAll('_', '-'),
          nameOf,
          valueOf: (name) => env[nameOf(name)] ?? '',
        }
      })
    },
  }
}

/** The path of a file that is there. Throws StartupError. */
export function existingFile(name: string, given: string): string {
  const path = resolve(given)
  if (existsSync(path)) return path
  throw new StartupError(`${name} names ${path}, which does not exist.`)
}
