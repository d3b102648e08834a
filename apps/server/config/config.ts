/** The settings. The only file that reads the environment; each mistake is answered with a sentence. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { readBankId, type BankIdConfig } from './config-bankid.ts'
import { hasSandbox, readTlsFiles, webAddress } from './config-files.ts'
import { readLimits, type LimitsConfig } from './config-limits.ts'
import { readMail, type MailConfig } from './config-messages.ts'
import { checkNames, type Environment, type Setting } from './config-names.ts'
import { readStores, type StoresConfig } from './config-store.ts'
import { readSwish, type SwishConfig } from './config-swish.ts'
import { LOG_LEVELS, type LogLevel } from '../src/platform/log.ts'
import { refusedHosts } from '../src/platform/database/host-list.ts'
import { StartupError } from '../src/platform/startup-error.ts'

export type BankConfig = {
  /** Where the bank's NextGenPSD2 interface lives, without a trailing slash. */
  readonly baseUrl: string
  readonly payment: { readonly product: string }
  readonly caFile: string
  readonly certificateFile: string
  readonly keyFile: string
  /** Hosts that a signing link may lead to. */
  readonly linkHosts: readonly string[]
  /** Left out where the bank asks for no seal. */
  readonly seal: { readonly certificateFile: string; readonly keyFile: string } | undefined
}

export type Config = {
  readonly host: string
  readonly port: number
  readonly sandboxPort: number
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** The login that migrates, where DATABASE_URL is the program's own. */
  readonly databaseOwnerUrl: string | undefined
  /** `transaction`: DATABASE_URL leads to a pooler that shares connections between transactions. */
  readonly databasePooler: 'none' | 'transaction'
  /** At most, of each process: for requests, and for what nobody waits for. */
  readonly databaseConnections: { readonly requests: number; readonly jobs: number }
  /** How long a start waits for a database that does not answer. */
  readonly databaseWaitMs: number
  /** How long requests are still answered after SIGTERM, while `/readyz` says not to send any. */
  readonly drainMs: number
  /** `auto`: on when the database is empty and embedded. */
  readonly demo: 'auto' | 'on' | 'off'
  /** Whether a demo that is being made gets its firm at once: some 1,500 invoices around the cast. Later it is asked for. */
  readonly demoFirm: boolean
  readonly workers: number
  /** `api` answers and does no jobs, `jobs` does them and answers only whoever watches over it, `all` does both. */
  readonly role: 'all' | 'api' | 'jobs'
  readonly logLevel: LogLevel
  readonly errorReportingDsn: string | undefined
  /** Where counterparties reach us, without a trailing slash. */
  readonly publicUrl: string
  /** Addresses whose X-Forwarded-For is believed; none by default. */
  readonly trustedProxies: readonly string[]
  /** Left out where no payments through the bank are offered: without BANK_BASE_URL and without the sandbox. */
  readonly bank: BankConfig | undefined
  /** Left out where Swish is not offered: without SWISH_BASE_URL and without the sandbox. */
  readonly swish: SwishConfig | undefined
  /** Left out where the electronic ID is not offered: without BANKID_BASE_URL and without the sandbox. */
  readonly bankId: BankIdConfig | undefined
  readonly mail: MailConfig
  /** A payment of a bank's file above this waits for a person, in minor units of whatever currency. */
  readonly largestTransferMinor: number
  /** The folder that other programs put files of banks into; none by default. */
  readonly bankFilesDir: string | undefined
  readonly limits: LimitsConfig
  readonly stores: StoresConfig
  /** Whoever shows it may read `/metrics` from another machine; without it nobody may. */
  readonly metricsToken: string | undefined
  /** Web origins that a webhook may lead to though they are not public: the sandbox's receiver, else none. */
  readonly webhookInwardOrigins: readonly string[]
  /** Origins that providers' own issuers may have though they are not public, such as the sandbox's. */
  readonly issuerInwardOrigins: readonly string[]
  /** The keys that providers' credentials are encrypted with, outside the database. */
  readonly settingsKeyFile: string
}

function wholeNumber(
  env: Environment,
  name: Setting,
  fallback: number,
  [low, high]: [number, number],
): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < low || value > high) {
    throw new StartupError(`${name} is "${text}"; it must be a whole number from ${low} to ${high}.`)
  }
  return value
}

function oneOf<Choice extends string>(
  env: Environment,
  name: Setting,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const choice = choices.find((c) => c === text)
  if (!choice) throw new StartupError(`${name} is "${text}"; it must be one of ${choices.join(', ')}.`)
  return choice
}

/** `https://key@host/project`, as the service names it. The key is public: it only lets one send. */
function readDsn(env: Environment): string | undefined {
  const text = env.ERROR_REPORTING_DSN
  if (!text) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (
    url?.protocol !== 'https:' ||
    url.username === '' ||
    url.password !== '' ||
    !/\/\d+$/.test(url.pathname)
  ) {
    throw new StartupError(
      `ERROR_REPORTING_DSN is "${text}"; it must look like https://key@errors.example.com/1.`,
    )
  }
  return text
}

function readProxies(env: Environment): string[] {
  const proxies = (env.TRUSTED_PROXIES ?? '')
    .split(',')
    .map((p) => p.trim())
    .filter((p) => p !== '')
  const wrong = proxies.find((p) => {
    const [address = '', bits = '1', ...others] = p.split('/')
    const most = { 4: 32, 6: 128 }[isIP(address)] ?? 0
    return others.length > 0 || !/^[1-9]\d{0,2}$/.test(bits) || Number(bits) > most
  })
  if (wrong) {
    throw new StartupError(
      `TRUSTED_PROXIES has "${wrong}"; it must be addresses or networks such as 10.0.0.0/8.`,
    )
  }
  return proxies
}

/** The seal of messages to the bank: both files or none. The demo seals, so that it is exercised. */
function readSeal(env: Environment, dataDir: string): BankConfig['seal'] {
  const files = { certificateFile: env.BANK_SEAL_CERTIFICATE_FILE, keyFile: env.BANK_SEAL_KEY_FILE }
  const { certificateFile, keyFile } = files
  if (!certificateFile && !keyFile) {
    if (!hasSandbox(env)) return undefined
    const certificates = join(dataDir, 'sandbox', 'certificates')
    return { certificateFile: join(certificates, 'seal.pem'), keyFile: join(certificates, 'seal-key.pem') }
  }
  if (!certificateFile || !keyFile) {
    throw new StartupError(
      'BANK_SEAL_CERTIFICATE_FILE and BANK_SEAL_KEY_FILE belong together; one is missing.',
    )
  }
  const missing = [certificateFile, keyFile].find((path) => !existsSync(path))
  if (missing) throw new StartupError(`The seal file ${missing} does not exist.`)
  return { certificateFile: resolve(certificateFile), keyFile: resolve(keyFile) }
}

function readBank(env: Environment, dataDir: string, sandboxPort: number): BankConfig | undefined {
  const baseUrl = env.BANK_BASE_URL
  if (!baseUrl && !hasSandbox(env)) return undefined
  return {
    baseUrl: baseUrl ? webAddress('BANK_BASE_URL', baseUrl) : `https://localhost:${sandboxPort + 1}`,
    payment: { product: env.BANK_PAYMENT_PRODUCT || 'domestic-credit-transfers' },
    ...readTlsFiles(env, 'BANK', dataDir),
    seal: readSeal(env, dataDir),
    linkHosts: (env.BANK_LINK_HOSTS ?? (baseUrl ? new URL(baseUrl).hostname : 'localhost,127.0.0.1'))
      .split(',')
      .map((h) => h.trim().toLowerCase())
      .filter((h) => h !== ''),
  }
}

function readInwardOrigins(
  env: Environment,
  name: 'WEBHOOK_INWARD_ORIGINS' | 'ISSUER_INWARD_ORIGINS',
  sandboxPort: number,
): string[] {
  const given = env[name]
  if (name === 'ISSUER_INWARD_ORIGINS' && given && env.DEMO === 'off')
    throw new StartupError(
      'ISSUER_INWARD_ORIGINS is for trying sign-in out: with DEMO=off an issuer has a public https address. Remove it.',
    )
  if (given === undefined)
    return hasSandbox(env) ? ['localhost', '127.0.0.1'].map((host) => `http://${host}:${sandboxPort}`) : []
  return given
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => new URL(webAddress(name, one)).origin)
}

type DatabaseConfig = Pick<
  Config,
  'databaseUrl' | 'databaseOwnerUrl' | 'databasePooler' | 'databaseConnections' | 'databaseWaitMs'
>

function readDatabase(env: Environment): DatabaseConfig {
  const read = (name: Setting): string | undefined => {
    const url = env[name] || undefined
    if (url === undefined) return url
    if (!/^postgres(ql)?:\/\//.test(url))
      throw new StartupError(`${name} must begin with postgres:// or postgresql://.`)
    const refused = refusedHosts(url)
    if (refused) throw new StartupError(`${name} ${refused}.`)
    return url
  }
  const [databaseUrl, databaseOwnerUrl] = [read('DATABASE_URL'), read('DATABASE_OWNER_URL')]
  if (databaseOwnerUrl && !databaseUrl) {
    throw new StartupError(
      'DATABASE_OWNER_URL is the owner of the database in DATABASE_URL, which is missing.',
    )
  }
  const databaseWaitMs = wholeNumber(env, 'DATABASE_WAIT_SECONDS', 30, [0, 3_600]) * 1_000
  const databasePooler = oneOf(env, 'DATABASE_POOLER', ['none', 'transaction'], 'none')
  if (databasePooler !== 'none' && !databaseUrl) {
    throw new StartupError('DATABASE_POOLER says what DATABASE_URL leads to, which is missing.')
  }
  // A job may hold one while it asks for another.
  const databaseConnections = {
    requests: wholeNumber(env, 'DATABASE_CONNECTIONS', 14, [2, 500]),
    jobs: wholeNumber(env, 'DATABASE_JOB_CONNECTIONS', 6, [4, 500]),
  }
  return { databaseUrl, databaseOwnerUrl, databasePooler, databaseConnections, databaseWaitMs }
}

/** It has to be there: one that is made in the place of a share that is not mounted would wait for files for ever. */
function readBankFilesDir(env: Environment): string | undefined {
  if (!env.BANK_FILES_DIR) return undefined
  const folder = resolve(env.BANK_FILES_DIR)
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    if (statSync(folder).isDirectory()) return folder
  } catch {
    // Said below.
  }
  throw new StartupError(
    `BANK_FILES_DIR is "${env.BANK_FILES_DIR}"; it must be a folder that can be read and written to.`,
  )
}

/** An embedded database belongs to one start, so that whoever does the other half could not reach it. */
function readRole(env: Environment): Config['role'] {
  const role = oneOf(env, 'ROLE', ['all', 'api', 'jobs'], 'all')
  if (role === 'all' || env.DATABASE_URL) return role
  throw new StartupError(
    `ROLE=${role} leaves half of the work to other processes, which cannot reach an embedded database. Set DATABASE_URL, or leave ROLE out.`,
  )
}

/** Long enough that nobody guesses it: `/metrics` counts no wrong ones. */
function readMetricsToken(env: Environment): string | undefined {
  const token = env.METRICS_TOKEN || undefined
  if (token === undefined || /^[\w.~+/=-]{32,}$/.test(token)) return token
  throw new StartupError(
    'METRICS_TOKEN must be 32 characters or more, of letters, digits and -._~+/=. Make one: openssl rand -hex 32',
  )
}

/** Reads and checks every setting. Throws StartupError with one sentence. */
export function readConfig(given: Readonly<Record<string, string | undefined>> = process.env): Config {
  checkNames(Object.keys(given))
  const env: Environment = given
  const port = wholeNumber(env, 'PORT', 8080, [0, 65_535])
  const sandboxPort = wholeNumber(env, 'SANDBOX_PORT', 8090, [0, 65_533])
  if (port !== 0 && port >= sandboxPort && port <= sandboxPort + 2) {
    throw new StartupError(
      `PORT ${port} is one of the sandbox's, which takes ${sandboxPort} to ${sandboxPort + 2}. Set PORT or SANDBOX_PORT to another number.`,
    )
  }
  const dataDir = resolve(env.DATA_DIR || '.data')
  const host = env.HOST || '127.0.0.1'
  return {
    host,
    port,
    sandboxPort,
    dataDir,
    ...readDatabase(env),
    drainMs: wholeNumber(env, 'DRAIN_SECONDS', 5, [0, 60]) * 1_000,
    demo: oneOf(env, 'DEMO', ['auto', 'on', 'off'], 'auto'),
    demoFirm: oneOf(env, 'DEMO_FIRM', ['on', 'off'], 'off') === 'on',
    workers: wholeNumber(env, 'WORKERS', 1, [1, 64]),
    role: readRole(env),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'warn'),
    errorReportingDsn: readDsn(env),
    publicUrl: env.PUBLIC_URL ? webAddress('PUBLIC_URL', env.PUBLIC_URL) : `http://127.0.0.1:${port}`,
    trustedProxies: readProxies(env),
    bank: readBank(env, dataDir, sandboxPort),
    swish: readSwish(env, dataDir, sandboxPort),
    bankId: readBankId(env, dataDir, sandboxPort),
    mail: readMail(env, dataDir, sandboxPort),
    largestTransferMinor: wholeNumber(env, 'BANK_FILE_LARGEST_PAYMENT', 10_000_000, [1, 1_000_000_000]) * 100,
    bankFilesDir: readBankFilesDir(env),
    limits: readLimits(env),
    metricsToken: readMetricsToken(env),
    webhookInwardOrigins: readInwardOrigins(env, 'WEBHOOK_INWARD_ORIGINS', sandboxPort),
    issuerInwardOrigins: readInwardOrigins(env, 'ISSUER_INWARD_ORIGINS', sandboxPort),
    settingsKeyFile: env.SETTINGS_KEY_FILE ? resolve(env.SETTINGS_KEY_FILE) : join(dataDir, 'settings.key'),
    stores: readStores(env, dataDir),
  }
}

/** Stack traces at the terminal are for whoever asked for them with LOG_LEVEL=debug. */
export function wantsTraces(): boolean {
  return process.env.LOG_LEVEL === 'debug'
}
