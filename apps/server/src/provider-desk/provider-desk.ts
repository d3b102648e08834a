/** The provider as its own managers change it, by the rules of the command `provider`: checked field by field, so that a mistake has a name. */
import { isDeepStrictEqual } from 'node:util'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import {
  SERVICE_LANGUAGES,
  type AdLink,
  type ServiceLanguage,
} from '@kvitt/domain/instances/service-texts.ts'
import type { changeInstanceProvider } from '@kvitt/domain/instances/instance-provider.contract.ts'
import type { Context } from '../context.ts'
import { wireLinks, type InstanceRow } from '../instances/instances.ts'
import {
  guessTextsOf,
  lockOwnProvider,
  readOwnProvider,
  type OwnProvider,
} from '../instances/own-provider.ts'
import { keepProvider, ProviderRefused, wishedRow, type PlainWishes } from '../instances/provider-settings.ts'
import { actorOf, requireFreshSignIn, type OperatorMember } from '../staff/staff.ts'

type Written = BodyOf<typeof changeInstanceProvider>
type Wish = readonly [field: string, wish: PlainWishes]
type Own = OwnProvider & { readonly id: string }

/** Refuses `not_found`: to its people there is no provider but their own. */
export async function findProvider(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  id: string,
): Promise<Own> {
  const found = id === instance.id ? await readOwnProvider(db, id) : undefined
  if (!found) throw new Refusal('not_found')
  return { id, ...found }
}

/** Who comes in and what they see, and who the mail comes from. */
const GUARDED = ['logins', 'reach', 'needsEid', 'secondFactor', 'mailFrom'] as const

/**
 * Refuses `sign_in_again` where what is guarded becomes another, `changed_meanwhile`, and `invalid_request` with the field that is
 * wrong: then nothing has changed.
 */
export function changeOwnProvider(
  context: Pick<Context, 'db' | 'clock'>,
  principal: OperatorMember,
  { own, written: { version, ...written } }: { readonly own: Own; readonly written: Written },
) {
  const { id } = principal.instance
  const shown = presentProvider(own)
  const isGuarded = GUARDED.some(
    (name) => written[name] !== undefined && !isDeepStrictEqual(written[name], shown[name]),
  )
  if (isGuarded) requireFreshSignIn(context, principal)
  return context.db.transaction(async (tx) => {
    const before = await lockOwnProvider(tx, id)
    if (!before) throw new Refusal('not_found')
    if (before.version !== version) throw new Refusal('changed_meanwhile', {}, ['version'])
    const row = wishesOf(written).reduce(granted, before.row)
    if (isDeepStrictEqual(row, before.row)) return presentProvider({ id, ...before })
    await keepProvider(tx, { before: before.row, after: row, by: actorOf(principal) })
    const after = await readOwnProvider(tx, id)
    if (!after) throw new Error('a provider that was changed is not there')
    return presentProvider({ id, ...after })
  })
}

function granted(row: InstanceRow, [field, wish]: Wish): InstanceRow {
  try {
    return wishedRow(row, wish)
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    throw new Refusal('invalid_request', {}, [field])
  }
}

/** Each field that was sent, with what the command would have been told. */
function wishesOf(written: Omit<Written, 'version'>): Wish[] {
  const { contactInformation: contact, brandInformation: brand, promotions } = written
  const { mailFrom, secondFactor, fileWait } = written
  const { debtorPortalPrimaryBrandColor: primary, debtorPortalSecondaryBrandColor: secondary } = brand ?? {}
  const button = brand?.debtorPortalButtonColor
  const wishes: Wish[] = [
    ['name', { name: written.name }],
    ['identificationNumber', { identificationNumber: written.identificationNumber }],
    ['homepage', { homepage: written.homepage }],
    ['contactInformation.phone', { phone: contact?.phone }],
    ['contactInformation.email', { email: contact?.email }],
    ['postalAddress', { postalAddress: written.postalAddress }],
    ['brandInformation.debtorPortalPrimaryBrandColor', { colours: { primary } }],
    ['brandInformation.debtorPortalSecondaryBrandColor', { colours: { secondary } }],
    ['brandInformation.debtorPortalButtonColor', { colours: { button } }],
    ['logins', { logins: written.logins }],
    ['reach', { reach: written.reach }],
    ['needsEid', { needsEid: written.needsEid }],
    ['fileWait', { fileWait: fileWait === undefined ? undefined : String(fileWait) }],
    ['secondFactor', { secondFactor: secondFactor === null ? 'default' : secondFactor }],
    ['mailFrom', { mailFrom: mailFrom === null ? 'none' : mailFrom }],
    ['letterChannels', { letterChannels: written.letterChannels }],
    ['billChannels', { billChannels: written.billChannels }],
    ['newsChannels', { newsChannels: written.newsChannels }],
  ]
  for (const language of SERVICE_LANGUAGES) {
    const text = written.serviceTexts?.[language]
    const links = written.adLinks?.[language]
    if (text !== undefined) wishes.push([`serviceTexts.${language}`, { serviceText: [language, text] }])
    for (const [n, link] of links?.entries() ?? []) wishes.push(...wishesOfLink(language, n, link))
    if (links !== undefined) wishes.push([`adLinks.${language}`, { adLinks: [language, links] }])
  }
  for (const [way, value] of Object.entries(promotions ?? {}))
    if (value !== undefined) wishes.push([`promotions.${way}`, { promotion: [way, value] }])
  return wishes
}

/** Its words and its address, each looked at with a good one of the other, so that a mistake has a name. */
function wishesOfLink(language: ServiceLanguage, n: number, { text, url }: AdLink): Wish[] {
  if (text.trim() === '' && url.trim() === '') return []
  const at = `adLinks.${language}.${n}`
  return [
    [`${at}.text`, { adLinks: [language, [{ text, url: 'https://www.example.com/' }]] }],
    [`${at}.url`, { adLinks: [language, [{ text: '–', url }]] }],
  ]
}

function secondFactorText({ requires_second_factor: isRequired }: InstanceRow) {
  if (isRequired === null) return 'default' as const
  return isRequired ? ('required' as const) : ('optional' as const)
}

/** Everything that can be said of it, and the version that a change names. */
export function presentProvider({ id, version, row }: Own) {
  const { promotions } = row
  return {
    id,
    version,
    name: row.name,
    urlAlias: row.url_alias,
    urlDomain: row.url_domain,
    countryCode: row.country,
    mode: row.mode,
    identificationNumber: row.identification_number,
    homepage: row.homepage,
    contactInformation: { phone: row.phone, email: row.email },
    postalAddress: row.postal_address,
    brandInformation: {
      debtorPortalPrimaryBrandColor: row.primary_colour,
      debtorPortalSecondaryBrandColor: row.secondary_colour,
      debtorPortalButtonColor: row.button_colour,
      palette: row.palette,
    },
    fileInformation: {
      logo: row.logo_name,
      favicon: row.favicon_name,
      background: row.background_name,
      loginBackground: row.login_background_name,
    },
    logins: row.logins,
    reach: row.public_session_reach,
    needsEid: row.public_session_policy,
    fileWait: row.bank_file_wait_days,
    guessLimits: guessTextsOf(row),
    promotions: {
      DIRECT_PAYMENT_BANK: promotions.DIRECT_PAYMENT_BANK ?? null,
      DIRECT_PAYMENT_MOBILE: promotions.DIRECT_PAYMENT_MOBILE ?? null,
      BANK_TRANSFER: promotions.BANK_TRANSFER ?? null,
    },
    secondFactor: secondFactorText(row),
    mailFrom: row.mail_from,
    letterChannels: row.letter_channels,
    billChannels: row.bill_channels,
    newsChannels: row.news_channels,
    clientAnalyticsCode: row.analytics_code,
    helpdeskChatHtml: row.helpdesk_chat_html,
    chatMode: row.chat_mode,
    chatHosts: row.chat_hosts,
    isProductOwner: row.is_product_owner,
    serviceTexts: row.service_texts,
    adLinks: wireLinks(row.ad_links),
  }
}
