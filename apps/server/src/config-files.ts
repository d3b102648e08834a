/** What several settings have in common: addresses, and the files that a counterparty is reached with. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartupError } from './platform/startup-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

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
  const file = (name: string, sandboxName: string): string => {
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
