/** Makes a provider (an instance) and changes how it presents itself. What is computed from its colours is computed here, on save. */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { LONGEST_FILE_WAIT } from '@kvitt/domain/bank-files/told-days.ts'
import { isEmail } from '@kvitt/domain/form/field-rules.ts'
import { parseHex } from '@kvitt/domain/instances/colour.ts'
import { computePalette } from '@kvitt/domain/instances/palette.ts'
import type { Picture } from '@kvitt/domain/instances/pictures.ts'
import {
  isPromotable,
  PROMOTIONS,
  type PaymentMethod,
  type Promotion,
} from '@kvitt/domain/payments/payment.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { cleanPicture, type CleanPicture } from './clean-picture.ts'
import {
  insertBrandFile,
  insertInstanceRow,
  LOGIN_CODES,
  lockInstances,
  readOwnInstance,
  updateInstanceRow,
  type InstanceRow,
  type LoginCode,
} from './instances.queries.ts'
import { placeOf } from './provider-place.ts'
import { PictureRefused, ProviderRefused } from './provider-refused.ts'
import { rulesOf, type RuleWishes } from './provider-rules.ts'
import { textsOf, type TextWishes } from './provider-texts.ts'

export { cleanPicture, PictureRefused, ProviderRefused, type CleanPicture, type Picture }

/** What is not named stays as it is. */
export type ProviderWishes = RuleWishes &
  TextWishes & {
    readonly name?: string | undefined
    readonly identificationNumber?: string | undefined
    /** Null takes it away. */
    readonly homepage?: string | null | undefined
    /** On one line; null takes it away. */
    readonly postalAddress?: string | null | undefined
    readonly phone?: string | undefined
    readonly email?: string | undefined
    readonly colours: Partial<Record<'primary' | 'secondary' | 'button', string | undefined>>
    /** Null takes the picture away. */
    readonly pictures: Partial<Record<Picture, CleanPicture | null | undefined>>
    readonly logins?: readonly string[] | undefined
    /** A way to pay and the word beside it, null for none. */
    readonly reach?: string | undefined
    readonly fileWait?: string | undefined
    readonly promotion?: readonly [string, string | null] | undefined
    /** Who wishes it, for the audit log. */
    readonly by: string
  }
/** What can be checked without keeping anything. */
export type PlainWishes = Partial<Omit<ProviderWishes, 'pictures' | 'by'>>

/** Where a new provider is found and whose law it follows. */
export type NewProvider = {
  readonly alias: string
  readonly domain: string
  readonly country: string
  readonly mode: 'test' | 'live'
}

const COUNTRIES: Readonly<Record<string, readonly [language: string, timeZone: string]>> = {
  SE: ['sv', 'Europe/Stockholm'],
  NO: ['nb', 'Europe/Oslo'],
  DK: ['da', 'Europe/Copenhagen'],
  FI: ['fi', 'Europe/Helsinki'],
}
export const PICTURE_COLUMNS = {
  logo: 'logo_name',
  favicon: 'favicon_name',
  background: 'background_name',
  loginBackground: 'login_background_name',
} as const

type SaveContext = Pick<Context, 'db' | 'clock'>

/** The changed row. Throws ProviderRefused; then nothing has changed. */
export function changeProvider(
  context: SaveContext,
  alias: string,
  wishes: ProviderWishes,
): Promise<InstanceRow> {
  return context.db.transaction(async (tx) => {
    const row = (await lockInstances(tx)).find(({ url_alias: one }) => one.toLowerCase() === alias)
    if (!row) throw new ProviderRefused(`There is no provider ${alias}.`)
    return save(context, tx, row, wishes)
  })
}

/** The new row. The first provider is the default one, which plain hosts such as localhost lead to. */
export function makeProvider(
  context: SaveContext,
  place: NewProvider,
  wishes: ProviderWishes,
): Promise<InstanceRow> {
  return context.db.transaction((tx) => makeProviderIn(context, tx, place, wishes))
}

/** The same in a transaction of the caller's. Two that make one come one after the other. */
export async function makeProviderIn(
  { clock }: Pick<SaveContext, 'clock'>,
  tx: Transaction,
  place: NewProvider,
  wishes: ProviderWishes,
): Promise<InstanceRow> {
  const [language, timeZone] = COUNTRIES[place.country.toUpperCase()] ?? []
  if (!language || !timeZone)
    throw new ProviderRefused(`${place.country} is none of ${Object.keys(COUNTRIES).join(', ')}.`)
  const { name, identificationNumber, phone, email, colours } = wishes
  if (!name || !identificationNumber || !phone || !email || !colours.primary)
    throw new ProviderRefused(
      'A new provider needs a name, an identification number, a phone, an e-mail and a primary colour.',
    )
  const others = await lockInstances(tx)
  const { alias, domain } = placeOf(place, others)
  const primary = colourOf(colours.primary)
  const row = {
    id: newId(clock.now()),
    name,
    country: place.country.toUpperCase(),
    language,
    time_zone: timeZone,
    identification_number: identificationNumber,
    url_alias: alias,
    url_domain: domain,
    is_default: others.length === 0,
    is_product_owner: false,
    mode: place.mode,
    homepage: null,
    phone,
    email,
    primary_colour: primary,
    secondary_colour: primary,
    button_colour: primary,
    palette: computePalette({ primary, button: primary }),
    logo_name: null,
    favicon_name: null,
    background_name: null,
    login_background_name: null,
    guess_limits: {},
    public_session_reach: 'creditor' as const,
  }
  await insertInstanceRow(tx, row)
  const made = await readOwnInstance(tx, row.id)
  if (!made) throw new Error('a provider that was made is not there')
  return save({ clock }, tx, made.row, wishes)
}

/** The row as it is to be, its pictures aside. Throws ProviderRefused. */
export function wishedRow(row: InstanceRow, wishes: PlainWishes): InstanceRow {
  const { colours = {}, homepage, postalAddress } = wishes
  const primary = colours.primary === undefined ? row.primary_colour : colourOf(colours.primary)
  const button = colours.button === undefined ? row.button_colour : colourOf(colours.button)
  return {
    ...row,
    name: textOf(wishes.name ?? row.name, 'The name', 100),
    identification_number: textOf(
      wishes.identificationNumber ?? row.identification_number,
      'The identification number',
      40,
    ),
    homepage: homepage === undefined ? row.homepage : homepageOf(homepage),
    postal_address: postalAddress === undefined ? row.postal_address : postalAddressOf(postalAddress),
    phone: wishes.phone === undefined ? row.phone : phoneOf(wishes.phone),
    email: wishes.email === undefined ? row.email : emailOf(wishes.email),
    primary_colour: primary,
    secondary_colour: colours.secondary === undefined ? row.secondary_colour : colourOf(colours.secondary),
    button_colour: button,
    palette: computePalette({ primary, button }),
    logins: wishes.logins === undefined ? row.logins : loginsOf(wishes.logins),
    public_session_reach: wishes.reach === undefined ? row.public_session_reach : reachOf(wishes.reach),
    bank_file_wait_days:
      wishes.fileWait === undefined ? row.bank_file_wait_days : fileWaitOf(wishes.fileWait),
    promotions: wishes.promotion === undefined ? row.promotions : promotionsOf(row, wishes.promotion),
    ...rulesOf(row, wishes),
    ...textsOf(row, wishes),
  }
}

async function save(
  { clock }: Pick<SaveContext, 'clock'>,
  tx: Transaction,
  row: InstanceRow,
  wishes: ProviderWishes,
): Promise<InstanceRow> {
  const changed = wishedRow(row, wishes)
  for (const [picture, clean] of Object.entries(wishes.pictures) as [
    Picture,
    CleanPicture | null | undefined,
  ][]) {
    if (clean === undefined) continue
    changed[PICTURE_COLUMNS[picture]] =
      clean && (await keepPicture(tx, row.id, { picture, clean, id: newId(clock.now()) }))
  }
  await keepProvider(tx, { before: row, after: changed, by: wishes.by })
  return changed
}

type Change = { readonly before: InstanceRow; readonly after: InstanceRow; readonly by: string }

/** Keeps the changed row, and notes what is other in it. */
export async function keepProvider(tx: Transaction, { before, after, by }: Change): Promise<void> {
  await updateInstanceRow(tx, after)
  const names = (Object.keys(after) as (keyof InstanceRow)[]).filter(
    (name) => !isDeepStrictEqual(after[name], before[name]),
  )
  const pick = (of: InstanceRow) => Object.fromEntries(names.map((name) => [name, of[name]]))
  await noteDeed(tx, {
    instanceId: before.id,
    kind: 'provider_changed',
    by,
    about: `instance:${before.id}`,
    before: pick(before),
    after: pick(after),
  })
}

/** A picture's name changes with what is in it: browsers may keep each for ever. */
export async function keepPicture(
  tx: Transaction,
  instanceId: string,
  { picture, clean, id }: { picture: Picture; clean: CleanPicture; id: string },
): Promise<string> {
  const { content, mimeType, ending } = clean
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
  const name = `${picture === 'loginBackground' ? 'login-background' : picture}-${hash}.${ending}`
  await insertBrandFile(tx, instanceId, { id, name, mimeType, content })
  return name
}

function textOf(text: string, what: string, longest: number): string {
  const plain = text.trim().replaceAll(/\s+/g, ' ')
  if (plain === '' || plain.length > longest)
    throw new ProviderRefused(`${what} has to be 1 to ${longest} characters.`)
  return plain
}

function colourOf(text: string): string {
  const hex = parseHex(text)
  if (!hex) throw new ProviderRefused(`"${text}" is not a colour like #0b5c6b.`)
  return hex
}

function postalAddressOf(text: string | null): string | null {
  return text === null ? null : textOf(text, 'The postal address', 200)
}

function homepageOf(text: string | null): string | null {
  if (text === null) return null
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' || url.username + url.password !== '' || url.href.length > 200)
    throw new ProviderRefused(`"${text}" is not an address like https://www.example.com.`)
  return url.href
}

function phoneOf(text: string): string {
  const phone = textOf(text, 'The phone', 30)
  if (!/^\+?[\d\s()/-]{5,}$/.test(phone)) throw new ProviderRefused(`"${text}" is not a phone number.`)
  return phone
}

function emailOf(text: string): string {
  const email = text.trim()
  if (!isEmail(email)) throw new ProviderRefused(`"${text}" is not an e-mail address.`)
  return email
}

function reachOf(text: string): InstanceRow['public_session_reach'] {
  const reach = text.toLowerCase()
  if (reach !== 'creditor' && reach !== 'instance')
    throw new ProviderRefused(`What a letter opens is "creditor" or "instance", not "${text}".`)
  return reach
}

function fileWaitOf(text: string): number {
  const days = /^\d{1,2}$/.test(text) ? Number(text) : NaN
  if (!(days <= LONGEST_FILE_WAIT))
    throw new ProviderRefused(`A night waits for 0 to ${LONGEST_FILE_WAIT} bank days, not for "${text}".`)
  return days
}

function loginsOf(codes: readonly string[]): LoginCode[] {
  const known = codes.map((code) => LOGIN_CODES.find((one) => one === code.toUpperCase()))
  if (known.includes(undefined))
    throw new ProviderRefused(`Ways to log in are ${LOGIN_CODES.join(' and ')}, or none.`)
  return [...new Set(known as LoginCode[])]
}

/** What costs is offered, never recommended. */
function promotionsOf({ promotions }: InstanceRow, [method, word]: readonly [string, string | null]) {
  const code = method.toUpperCase()
  const promotion = PROMOTIONS.find((one) => one === word?.toUpperCase())
  if (!isPromotable(code))
    throw new ProviderRefused(`${method} cannot be promoted: it is no way to pay, or one that costs.`)
  if (word !== null && !promotion)
    throw new ProviderRefused(`Beside a way to pay stands ${PROMOTIONS.join(' or ')}, or none.`)
  const others = Object.entries(promotions).filter(([one]) => one !== code)
  return Object.fromEntries(promotion ? [...others, [code, promotion]] : others) as Partial<
    Record<PaymentMethod, Promotion>
  >
}
