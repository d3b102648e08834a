/** The settings of BankID. Read by config.ts, which hands the environment over. */
import { existingFile, hasSandbox, ownSettings, readTlsFiles, webAddress } from './config-files.ts'
import type { Environment } from './config-names.ts'

/** What a relying party signs its calls with; the app shows whoever logs in the name that it was issued to. */
export type RelyingParty = { readonly certificateFile: string; readonly keyFile: string }

export type BankIdConfig = {
  /** Up to and including `/rp/v6.0`, without a trailing slash. */
  readonly baseUrl: string
  readonly caFile: string
  /** Of every provider that has none of its own. */
  readonly shared: RelyingParty
  /** By the provider's alias. */
  readonly own: ReadonlyMap<string, RelyingParty>
}

const OWN = ownSettings(['BANKID_CERTIFICATE_FILE', 'BANKID_KEY_FILE'])

/** Without the sandbox the electronic ID is offered only where a setting tells where it is. Throws StartupError. */
export function readBankId(env: Environment, dataDir: string, sandboxPort: number): BankIdConfig | undefined {
  const baseUrl = env.BANKID_BASE_URL
  if (!baseUrl && !hasSandbox(env)) return undefined
  const { caFile, ...shared } = readTlsFiles(env, 'BANKID', dataDir)
  const own = OWN.read(env).map(({ alias, nameOf, valueOf }) => {
    const file = (name: 'BANKID_CERTIFICATE_FILE' | 'BANKID_KEY_FILE'): string =>
      existingFile(nameOf(name), valueOf(name))
    return [
      alias,
      { certificateFile: file('BANKID_CERTIFICATE_FILE'), keyFile: file('BANKID_KEY_FILE') },
    ] as const
  })
  return {
    baseUrl: baseUrl
      ? webAddress('BANKID_BASE_URL', baseUrl)
      : `https://localhost:${sandboxPort + 1}/rp/v6.0`,
    caFile,
    shared,
    own: new Map(own),
  }
}
