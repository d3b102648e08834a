/** The settings. The only file that reads the environment; each mistake is answered with a sentence. */
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { isBankIdName, readBankId, type BankIdConfig } from './config-bankid.ts'
import { readTlsFiles, webAddress, type Environment } from './config-files.ts'
import { isOperatorName } from './config-operators.ts'
import { readMail, type MailConfig } from './config-messages.ts'
import { isSwishName, readSwish, type SwishConfig } from './config-swish.ts'
import { LOG_LEVELS, type LogLevel } from './platform/log.ts'
import { StartupError } from './platform/startup-error.ts'

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
  /** How long a start waits for a database that does not answer. */
  readonly databaseWaitMs: number
  /** How long requests are still answered after SIGTERM, while `/readyz` says not to send any. */
  readonly drainMs: number
  /** `auto`: on when the database is empty and embedded. */
  readonly demo: 'auto' | 'on' | 'off'
  readonly workers: number
  readonly logLevel: LogLevel
  readonly errorReportingDsn: string | undefined
  /** Where counterparties reach us, without a trailing slash. */
  readonly publicUrl: string
  /** Addresses whose X-Forwarded-For is believed; none by default. */
  readonly trustedProxies: readonly string[]
  readonly bank: BankConfig
  /** Left out where Swish is not offered: with a real bank and no SWISH_BASE_URL. */
  readonly swish: SwishConfig | undefined
  /** Left out where the electronic ID is not offered: with a real bank and no BANKID_BASE_URL. */
  readonly bankId: BankIdConfig | undefined
  readonly mail: MailConfig
  /** A payment of a bank's file above this waits for a person, in minor units of whatever currency. */
  readonly largestTransferMinor: number
  /** The folder that each day's anchors of the audit log are written into. */
  readonly auditAnchorDir: string
}

/** Names that are ours by their beginning: a typo in one of them is a mistake, not silence. */
const OURS = [
  'BANK_',
  'SWISH_',
  'BANKID_',
  'SMTP_',
  'MAIL_',
  'SMS_',
  'PRINT_QUEUE_',
  'AUDIT_',
  'DIGITAL_MAILBOX_',
  'ELECTRONIC_INVOICE_',
  'SANDBOX_',
  'DATABASE_',
  'DRAIN_',
  'ERROR_REPORTING_',
]
const KNOWN = [
  'PORT', 'SANDBOX_PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_WAIT_SECONDS',
  'DRAIN_SECONDS', 'DEMO', 'WORKERS', 'LOG_LEVEL',
  'ERROR_REPORTING_DSN', 'PUBLIC_URL', 'TRUSTED_PROXIES', 'BANK_BASE_URL', 'BANK_CA_FILE', 'BANK_CERTIFICATE_FILE',
  'BANK_KEY_FILE', 'BANK_PAYMENT_PRODUCT', 'BANK_LINK_HOSTS', 'BANK_SEAL_CERTIFICATE_FILE',
  'BANK_SEAL_KEY_FILE', 'BANK_FILE_LARGEST_PAYMENT', 'SWISH_BASE_URL', 'SWISH_PAYEE_ALIAS', 'SWISH_PROVIDERS', 'SWISH_CA_FILE',
  'SWISH_CERTIFICATE_FILE', 'SWISH_KEY_FILE', 'BANKID_BASE_URL', 'BANKID_CA_FILE',
  'BANKID_CERTIFICATE_FILE', 'BANKID_KEY_FILE', 'SMTP_URL', 'SMTP_CA_FILE', 'MAIL_FROM', 'SMS_URL', 'PRINT_QUEUE_DIR', 'AUDIT_ANCHOR_DIR',
  'DIGITAL_MAILBOX_URL', 'DIGITAL_MAILBOX_TENANT', 'DIGITAL_MAILBOX_CA_FILE', 'DIGITAL_MAILBOX_CERTIFICATE_FILE',
  'DIGITAL_MAILBOX_KEY_FILE', 'ELECTRONIC_INVOICE_URL', 'ELECTRONIC_INVOICE_TOKEN', 'ELECTRONIC_INVOICE_SENDER',
  'ELECTRONIC_INVOICE_CA_FILE', 'ELECTRONIC_INVOICE_CERTIFICATE_FILE', 'ELECTRONIC_INVOICE_KEY_FILE',
] // biome-ignore format: a list of names

function wholeNumber(
  env: Environment,
  name: string,
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
  name: string,
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
  const wrong = proxies.find((p) => !isIP(p.replace(/\/\d{1,3}$/, '')))
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
    if (env.BANK_BASE_URL) return undefined
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

function readBank(env: Environment, dataDir: string, sandboxPort: number): BankConfig {
  const baseUrl = env.BANK_BASE_URL
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

function readDatabase(env: Environment): Pick<Config, 'databaseUrl' | 'databaseOwnerUrl' | 'databaseWaitMs'> {
  const read = (name: string): string | undefined => {
    const url = env[name] || undefined
    if (url === undefined || /^postgres(ql)?:\/\//.test(url)) return url
    throw new StartupError(`${name} must begin with postgres:// or postgresql://.`)
  }
  const [databaseUrl, databaseOwnerUrl] = [read('DATABASE_URL'), read('DATABASE_OWNER_URL')]
  if (databaseOwnerUrl && !databaseUrl) {
    throw new StartupError(
      'DATABASE_OWNER_URL is the owner of the database in DATABASE_URL, which is missing.',
    )
  }
  const databaseWaitMs = wholeNumber(env, 'DATABASE_WAIT_SECONDS', 30, [0, 3_600]) * 1_000
  return { databaseUrl, databaseOwnerUrl, databaseWaitMs }
}

/** Reads and checks every setting. Throws StartupError with one sentence. */
export function readConfig(env: Environment = process.env): Config {
  const unknown = Object.keys(env).find(
    (name) =>
      OURS.some((p) => name.startsWith(p)) &&
      !(KNOWN.includes(name) || [isSwishName, isBankIdName, isOperatorName].some((is) => is(name))),
  )
  if (unknown) throw new StartupError(`${unknown} is not a setting of Kvitt. The README lists them all.`)
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
    workers: wholeNumber(env, 'WORKERS', 1, [1, 64]),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'warn'),
    errorReportingDsn: readDsn(env),
    publicUrl: env.PUBLIC_URL ? webAddress('PUBLIC_URL', env.PUBLIC_URL) : `http://127.0.0.1:${port}`,
    trustedProxies: readProxies(env),
    bank: readBank(env, dataDir, sandboxPort),
    swish: readSwish(env, dataDir, sandboxPort),
    bankId: readBankId(env, dataDir, sandboxPort),
    mail: readMail(env, dataDir, sandboxPort),
    largestTransferMinor: wholeNumber(env, 'BANK_FILE_LARGEST_PAYMENT', 10_000_000, [1, 1_000_000_000]) * 100,
    auditAnchorDir: env.AUDIT_ANCHOR_DIR ? resolve(env.AUDIT_ANCHOR_DIR) : join(dataDir, 'audit-anchors'),
  }
}

/** Stack traces at the terminal are for whoever asked for them with LOG_LEVEL=debug. */
export function wantsTraces(): boolean {
  return process.env.LOG_LEVEL === 'debug'
}
