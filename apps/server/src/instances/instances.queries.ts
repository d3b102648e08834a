/** The SQL of instances. */
import type { Power } from '@kvitt/domain/contract.ts'
import type { Palette } from '@kvitt/domain/instances/palette.ts'
import { statement, type Connection } from '../platform/database.ts'
import type { GuessSettings } from './guess-limits.ts'

/** A way to log in (D-19). */
export type LoginCode = 'PAYMENT_REFERENCE' | 'BANKID'

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
  /** The ways to log in that are offered here. */
  logins: LoginCode[]
}

const allInstances = statement(
  'instances.all',
  `select id, name, country, language, time_zone, identification_number, url_alias, url_domain, is_default,
     is_product_owner, mode, homepage, phone, email, analytics_code, helpdesk_chat_html, primary_colour,
     secondary_colour, button_colour, palette, logo_name, favicon_name, background_name, login_background_name,
     sekki_name, terms_name, guess_limits, public_session_policy, logins, chat_mode, chat_hosts
   from instance order by url_domain, url_alias`,
)

export function readInstances(db: Connection): Promise<InstanceRow[]> {
  return db.rows<InstanceRow>(allInstances)
}

const insertInstance = statement(
  'instances.insert',
  `insert into instance (id, name, country, language, time_zone, identification_number, url_alias, url_domain,
     is_default, is_product_owner, mode, homepage, phone, email, primary_colour, secondary_colour, button_colour,
     palette, logo_name, favicon_name, background_name, login_background_name,
     guess_limits)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
     $23)`,
)

export type NewInstance = Omit<
  InstanceRow,
  | 'analytics_code'
  | 'helpdesk_chat_html'
  | 'chat_mode'
  | 'chat_hosts'
  | 'sekki_name'
  | 'terms_name'
  | 'public_session_policy'
  | 'logins'
>

export async function insertInstanceRow(db: Connection, row: NewInstance): Promise<void> {
  await db.rows(insertInstance, [
    row.id, row.name, row.country, row.language, row.time_zone, row.identification_number, row.url_alias,
    row.url_domain, row.is_default, row.is_product_owner, row.mode, row.homepage, row.phone, row.email,
    row.primary_colour, row.secondary_colour, row.button_colour, JSON.stringify(row.palette), row.logo_name,
    row.favicon_name, row.background_name, row.login_background_name, JSON.stringify(row.guess_limits),
  ]) // biome-ignore format: in the order of the columns
}
