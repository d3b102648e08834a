/** The names of all settings. What reads one takes its name from here, so that a new one is a line of these tables. */
import { StartupError } from '../src/platform/startup-error.ts'

export const SETTINGS = [
  'PORT', 'SANDBOX_PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_POOLER', 'DATABASE_WAIT_SECONDS', 'DATABASE_CONNECTIONS',
  'DATABASE_JOB_CONNECTIONS',
  'DRAIN_SECONDS', 'PAYMENT_STARTS_PER_MINUTE', 'PAYMENT_STARTS_PER_DAY', 'CONNECTIONS_PER_ADDRESS', 'DEMO', 'DEMO_FIRM', 'WORKERS', 'ROLE', 'LOG_LEVEL',
  'ERROR_REPORTING_DSN', 'PUBLIC_URL', 'TRUSTED_PROXIES', 'SETTINGS_KEY_FILE', 'METRICS_TOKEN', 'WEBHOOK_INWARD_ORIGINS', 'ISSUER_INWARD_ORIGINS', 'BANK_BASE_URL', 'BANK_CA_FILE', 'BANK_CERTIFICATE_FILE',
  'BANK_KEY_FILE', 'BANK_PAYMENT_PRODUCT', 'BANK_LINK_HOSTS', 'BANK_SEAL_CERTIFICATE_FILE',
  'BANK_SEAL_KEY_FILE', 'BANK_FILE_LARGEST_PAYMENT', 'BANK_FILES_DIR', 'SWISH_BASE_URL', 'SWISH_PAYEE_ALIAS', 'SWISH_PROVIDERS', 'SWISH_CA_FILE',
  'SWISH_CERTIFICATE_FILE', 'SWISH_KEY_FILE', 'BANKID_BASE_URL', 'BANKID_CA_FILE',
  'BANKID_CERTIFICATE_FILE', 'BANKID_KEY_FILE', 'SMTP_URL', 'SMTP_CA_FILE', 'MAIL_FROM', 'SMS_URL', 'PRINT_QUEUE_DIR', 'AUDIT_ANCHOR_DIR', 'PAYMENT_JOURNAL_DIR',
  'STORE_ENDPOINT', 'STORE_REGION', 'STORE_BUCKET', 'STORE_ACCESS_KEY', 'STORE_SECRET_KEY', 'STORE_PATH_STYLE',
  'DIGITAL_MAILBOX_URL', 'DIGITAL_MAILBOX_TENANT', 'DIGITAL_MAILBOX_CA_FILE', 'DIGITAL_MAILBOX_CERTIFICATE_FILE',
  'DIGITAL_MAILBOX_KEY_FILE', 'ELECTRONIC_INVOICE_URL', 'ELECTRONIC_INVOICE_TOKEN', 'ELECTRONIC_INVOICE_SENDER',
  'ELECTRONIC_INVOICE_CA_FILE', 'ELECTRONIC_INVOICE_CERTIFICATE_FILE', 'ELECTRONIC_INVOICE_KEY_FILE',
] as const // biome-ignore format: a list of names

/** Those that a provider can have of its own: with `_` and its alias behind them, in capitals with _ for -. */
export const OWN_SETTINGS = [
  'SWISH_PAYEE_ALIAS',
  'SWISH_CERTIFICATE_FILE',
  'SWISH_KEY_FILE',
  'BANKID_CERTIFICATE_FILE',
  'BANKID_KEY_FILE',
  'DIGITAL_MAILBOX_TENANT',
  'ELECTRONIC_INVOICE_SENDER',
] as const

export type Setting = (typeof SETTINGS)[number]
export type OwnSetting = (typeof OWN_SETTINGS)[number]

/** What the settings are read from: a name that is none is no property of it. */
export type Environment = {
  readonly [Name in Setting | `${OwnSetting}_${string}`]?: string | undefined
}

/** What a name can begin with that is nobody else's: an unknown one is a mistake, however far from a known one. */
const OURS = [
  'BANK_',
  'SWISH_',
  'BANKID_',
  'SMTP_',
  'MAIL_',
  'SMS_',
  'PRINT_QUEUE_',
  'STORE_',
  'AUDIT_',
  'DIGITAL_MAILBOX_',
  'ELECTRONIC_INVOICE_',
  'SANDBOX_',
  'DATABASE_',
  'DRAIN_',
  'PAYMENT_',
  'CONNECTIONS_',
  'ERROR_REPORTING_',
  'SETTINGS_',
  'METRICS_',
  'TRUSTED_',
  'WEBHOOK_',
]

const OWN_NAME = new RegExp(`^(?:${OWN_SETTINGS.join('|')})_[A-Z0-9]+(?:_[A-Z0-9]+)*$`)
const KNOWN: ReadonlySet<string> = new Set(SETTINGS)

/**
 * Refuses the first name that is a mistake: one of ours that there is not, or nearly a known one. Other programs' names,
 * of which every machine has some, stay unnoticed. Throws StartupError.
 */
export function checkNames(names: readonly string[]): void {
  for (const name of names) {
    if (KNOWN.has(name) || OWN_NAME.test(name)) continue
    const meant = nearestSetting(name)
    if (meant) throw new StartupError(`${name} is not a setting of Kvitt. Did you mean ${meant}?`)
    if (OURS.some((beginning) => name.startsWith(beginning)))
      throw new StartupError(`${name} is not a setting of Kvitt. The README lists them all.`)
  }
}

/**
 * How many slips of the keyboard still mean this name. A short word is a slip away from other programs' names (HOST and
 * HOME, PORT and SORT), so there only its letters' case may differ.
 */
function slipsAllowed(setting: string): number {
  if (setting.length >= 12) return 2
  return setting.length >= 7 ? 1 : 0
}

function nearestSetting(name: string): string | undefined {
  const upper = name.toUpperCase()
  const whole = SETTINGS.map((setting) => ({ setting: setting as string, slips: slips(upper, setting) }))
  const own = OWN_SETTINGS.flatMap((setting) =>
    [...upper.matchAll(/_/g)].map(({ index }) => ({
      setting: `${setting}${upper.slice(index)}`,
      slips: slips(upper.slice(0, index), setting),
    })),
  )
  return [...whole, ...own]
    .filter((found) => found.slips <= slipsAllowed(found.setting))
    .sort((one, other) => one.slips - other.slips)[0]?.setting
}

/** Letters left out, put in, exchanged, or in the wrong order with the next (optimal string alignment). */
function slips(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Infinity
  let [before, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row[j] = Math.min(
        (last?.[j - 1] ?? Infinity) + (isSame ? 0 : 1),
        (last?.[j] ?? Infinity) + 1,
        (row[j - 1] ?? Infinity) + 1,
        isSwapped ? (before?.[j - 2] ?? Infinity) + 1 : Infinity,
      )
    }
    before = last
    last = row
  }
  return last?.[other.length] ?? Infinity
}
