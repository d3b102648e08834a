/** The settings of how messages leave. Read by config.ts, which hands the environment over. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  readAccessPoint,
  readMailbox,
  type AccessPointConfig,
  type MailboxConfig,
} from './config-operators.ts'
import { hasSandbox } from './config-files.ts'
import type { Environment } from './config-names.ts'
import { isLoopback } from '../src/platform/http/loopback.ts'
import { StartupError } from '../src/platform/startup-error.ts'

export type MailConfig = {
  /** Where e-mail is handed over; left out, it waits in the outbox. */
  readonly smtp: { readonly url: string; readonly caFile: string | undefined } | undefined
  /** The address that e-mail comes from. */
  readonly from: string
  /** Where SMS are handed over; left out, they wait in the outbox. */
  readonly sms: { readonly baseUrl: string; readonly user: string; readonly password: string } | undefined
  /** Who has the debtors' digital mailboxes; left out, nobody is looked for there. */
  readonly digitalMailbox: MailboxConfig | undefined
  /** Who hands our electronic invoices over; left out, none are sent. */
  readonly accessPoint: AccessPointConfig | undefined
}

/** The sandbox, where there is one, takes what no setting names a way for. */
export function readMail(env: Environment, dataDir: string, sandboxPort: number): MailConfig {
  const { SMTP_URL: url, SMTP_CA_FILE: caFile } = env
  if (url && !(URL.canParse(url) && /^smtps?:\/\/[^/]/.test(url))) {
    throw new StartupError(
      'SMTP_URL must begin with smtp:// or smtps://, such as smtps://user:password@mail.example.com:465.',
    )
  }
  if (caFile && !existsSync(caFile)) {
    throw new StartupError(`SMTP_CA_FILE names ${caFile}, which does not exist.`)
  }
  const from = env.MAIL_FROM || (url ? '' : 'no-reply@kvitt.example')
  if (!/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(from)) {
    throw new StartupError(`MAIL_FROM is "${from}"; it must be the address that your e-mail comes from.`)
  }
  const shared = {
    from,
    sms: readSms(env, sandboxPort),
    digitalMailbox: readMailbox(env, dataDir, sandboxPort),
    accessPoint: readAccessPoint(env, dataDir, sandboxPort),
  }
  if (url) return { smtp: { url, caFile: caFile ? resolve(caFile) : undefined }, ...shared }
  if (!hasSandbox(env)) return { smtp: undefined, ...shared }
  const sandbox = {
    url: `smtp://localhost:${sandboxPort + 2}`,
    caFile: join(dataDir, 'sandbox', 'certificates', 'ca.pem'),
  }
  return { smtp: sandbox, ...shared }
}

function readSms(env: Environment, sandboxPort: number): MailConfig['sms'] {
  const text =
    env.SMS_URL || (hasSandbox(env) ? `http://sandbox:sandbox@localhost:${sandboxPort}` : undefined)
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (!url || !isSafe || url.username === '' || url.password === '') {
    throw new StartupError(
      'SMS_URL must be an https address with user and password, such as https://user:password@api.46elks.com.',
    )
  }
  return {
    baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  }
}
