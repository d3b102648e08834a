/** The SQL of instances. */
import type { Power } from '@kvitt/domain/contract.ts'
import type { Palette } from '@kvitt/domain/instances/palette.ts'
import type { AdLinks, ServiceTexts } from '@kvitt/domain/instances/service-texts.ts'
import type { PaymentMethod, Promotion } from '@kvitt/domain/payments/payment.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import type { GuessSettings } from './guess-limits.ts'

/** Ways to log in (D-19). */
export const LOGIN_CODES = ['PAYMENT_REFERENCE', 'BANKID'] as const
export type LoginCode = (typeof LOGIN_CODES)[number]

export type InstanceRow = {
  id: string
  name: string
  country: string
  language: string
  time_zone: string
  identification_number: string
  url_alias: string
  url_domain: string
  is_default: boolean
  is_product_owner: boolean
  mode: 'test' | 'live'
  homepage: string | null
  /** One line: street, zip and town. */
  postal_address: string | null
  phone: string
  email: string
  analytics_code: string | null
  helpdesk_chat_html: string | null
  chat_mode: 'page' | 'frame'
  chat_hosts: string[]
  primary_colour: string
  secondary_colour: string
  button_colour: string
  palette: Palette
  logo_name: string | null
  favicon_name: string | null
  background_name: string | null
  login_background_name: string | null
  sekki_name: string | null
  terms_name: string | null
  guess_limits: GuessSettings
  /** What needs an electronic ID here; empty: nothing. */
  public_session_policy: Power[]
  /** Whose debts a public session lists: those of the creditor and zip of its letter, or all of the debtor's. */
  public_session_reach: 'creditor' | 'instance'
  /** Bank days for which a daily run waits for the files of an account. */
  bank_file_wait_days: number
  /** Has the staff to have a second factor? Null: where the provider is live. */
  requires_second_factor: boolean | null
  /** The address that its e-mail comes from; null for that of the settings. */
  mail_from: string | null
  /** In which order letters, bills and news are tried. */
  letter_channels: string[]
  bill_channels: string[]
  news_channels: string[]
  /** The ways to log in that are offered here. */
  logins: LoginCode[]
  /** The word beside a way to pay. */
  promotions: Partial<Record<PaymentMethod, Promotion>>
  /** What it says of its customer service, by language. */
  service_texts: ServiceTexts
  /** Where its advertisement leads, by language: at the product's own company alone. */
  ad_links: AdLinks
}

const COLUMNS = `id, name, country, language, time_zone, identification_number, url_alias, url_domain, is_default,
     is_product_owner, mode, homepage, postal_address, phone, email, analytics_code, helpdesk_chat_html, primary_colour,
     secondary_colour, button_colour, palette, logo_name, favicon_name, background_name, login_background_name,
     sekki_name, terms_name, guess_limits, public_session_policy, public_session_reach, logins, promotions, chat_mode, chat_hosts,
     bank_file_wait_days, requires_second_factor, mail_from, letter_channels, bill_channels, news_channels,
     service_texts, ad_links`
const ALL = `select ${COLUMNS} from instance order by url_domain, url_alias`
const own = statement('instances.own', `select ${COLUMNS}, xmin::text as version from instance where id = $1`)
const allInstances = statement('instances.all', ALL)
/** Rows that name an instance can be written meanwhile. */
const lockAll = statement('instances.lockAll', 'select id from instance order by id for no key update')
/** Rows that name the instance can be written meanwhile. */
const lockOwn = statement('instances.lockOwn', 'select id from instance where id = $1 for no key update')

export function readInstances(db: Connection): Promise<InstanceRow[]> {
  return db.rows<InstanceRow>(allInstances)
}

/** One as it is now, and its version; nobody's cache. */
export async function readOwnInstance(
  db: Connection,
  id: string,
): Promise<{ readonly version: number; readonly row: InstanceRow } | undefined> {
  const [found] = await db.rows<InstanceRow & { version: string }>(own, [id])
  if (!found) return undefined
  const { version, ...row } = found
  return { version: Number(version), row }
}

export async function lockOwnInstance(tx: Transaction, id: string): Promise<void> {
  await tx.rows(lockOwn, [id])
}

/** All of them, so that two who change them come one after the other. */
export async function lockInstances(tx: Transaction): Promise<InstanceRow[]> {
  await tx.rows(lockAll)
  // Asked apart: who has waited for the lock sees what was made meanwhile.
  return tx.rows<InstanceRow>(allInstances)
}

const updateInstance = statement(
  'instances.update',
  `update instance set name = $2, identification_number = $3, homepage = $4, phone = $5, email = $6, primary_colour = $7,
     secondary_colour = $8, button_colour = $9, palette = $10, logo_name = $11, favicon_name = $12, background_name = $13,
     login_background_name = $14, logins = $15, promotions = $16, public_session_reach = $17, bank_file_wait_days = $18,
     mail_from = $19, letter_channels = $20, bill_channels = $21, news_channels = $22, public_session_policy = $23,
     guess_limits = $24, analytics_code = $25, helpdesk_chat_html = $26, chat_mode = $27, chat_hosts = $28,
     requires_second_factor = $29, postal_address = $30, service_texts = $31, ad_links = $32
   where id = $1`,
)

/** What a provider may change of itself. */
export async function updateInstanceRow(tx: Transaction, row: InstanceRow): Promise<void> {
  await tx.rows(updateInstance, [
    row.id, row.name, row.identification_number, row.homepage, row.phone, row.email, row.primary_colour,
    row.secondary_colour, row.button_colour, JSON.stringify(row.palette), row.logo_name, row.favicon_name,
    row.background_name, row.login_background_name, row.logins, JSON.stringify(row.promotions),
    row.public_session_reach, row.bank_file_wait_days, row.mail_from, row.letter_channels, row.bill_channels,
    row.news_channels, row.public_session_policy, JSON.stringify(row.guess_limits), row.analytics_code,
    row.helpdesk_chat_html, row.chat_mode, row.chat_hosts, row.requires_second_factor,
    row.postal_address, JSON.stringify(row.service_texts), JSON.stringify(row.ad_links),
  ]) // biome-ignore format: in the order of the columns
}

const insertFile = statement(
  'instances.insertFile',
  `insert into file (instance_id, id, public_name, mime_type, content) values ($1, $2, $3, $4, $5)
   on conflict (instance_id, public_name) do nothing`,
)

/** A picture of the brand under its public name, unless it is there. */
export async function insertBrandFile(
  tx: Transaction,
  instanceId: string,
  file: {
    readonly id: string
    readonly name: string
    readonly mimeType: string
    readonly content: Uint8Array
  },
): Promise<void> {
  await tx.rows(insertFile, [instanceId, file.id, file.name, file.mimeType, file.content])
}

const insertInstance = statement(
  'instances.insert',
  `insert into instance (id, name, country, language, time_zone, identification_number, url_alias, url_domain,
     is_default, is_product_owner, mode, homepage, phone, email, primary_colour, secondary_colour, button_colour,
     palette, logo_name, favicon_name, background_name, login_background_name,
     guess_limits, public_session_reach, postal_address, service_texts, ad_links)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
     $23, $24, $25, $26, $27)`,
)

export type NewInstance = Omit<
  InstanceRow,
  | 'postal_address'
  | 'analytics_code'
  | 'helpdesk_chat_html'
  | 'chat_mode'
  | 'chat_hosts'
  | 'sekki_name'
  | 'terms_name'
  | 'public_session_policy'
  | 'logins'
  | 'promotions'
  | 'bank_file_wait_days'
  | 'requires_second_factor'
  | 'mail_from'
  | 'letter_channels'
  | 'bill_channels'
  | 'news_channels'
  | 'service_texts'
  | 'ad_links'
> & {
  readonly postal_address?: string | null
  readonly service_texts?: ServiceTexts
  readonly ad_links?: AdLinks
}

export async function insertInstanceRow(db: Connection, row: NewInstance): Promise<void> {
  await db.rows(insertInstance, [
    row.id, row.name, row.country, row.language, row.time_zone, row.identification_number, row.url_alias,
    row.url_domain, row.is_default, row.is_product_owner, row.mode, row.homepage, row.phone, row.email,
    row.primary_colour, row.secondary_colour, row.button_colour, JSON.stringify(row.palette), row.logo_name,
    row.favicon_name, row.background_name, row.login_background_name, JSON.stringify(row.guess_limits), row.public_session_reach,
    row.postal_address ?? null, JSON.stringify(row.service_texts ?? {}), JSON.stringify(row.ad_links ?? {}),
  ]) // biome-ignore format: in the order of the columns
}
