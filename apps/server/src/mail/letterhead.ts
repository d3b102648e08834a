/** In whose name and in which language debtors are written to. */
import type { Context } from '../context.ts'
import { isLocalHost } from '../platform/http/arrival.ts'
import type { Language } from '../platform/texts.ts'
import type { Letterhead } from './compose-mail.ts'
import type { AddresseeRow } from './outbox.queries.ts'

const LANGUAGE_OF: Readonly<Record<string, Language>> = { SE: 'sv', NO: 'nb', DK: 'da', FI: 'fi' }

/** The language that a debtor is written to in: that of the country, else English. */
export function languageOfCountry(country: string): Language {
  return LANGUAGE_OF[country] ?? 'en'
}

/** The language that the debtor of an invoice or a claim is written to in. */
export function languageOf({ language, debtor_country: country }: AddresseeRow): Language {
  return language ?? languageOfCountry(country)
}

/** Where an instance's messages and letters lead to: its portal. That of the default provider is the installation's address. */
export function portalUrlOf(
  { publicUrl }: Pick<Context['config'], 'publicUrl'>,
  who: Pick<AddresseeRow, 'url_alias' | 'url_domain' | 'is_default'>,
): string {
  return who.is_default ? `${publicUrl}/` : `https://${who.url_alias}.${who.url_domain}/`
}

/**
 * The same as a message in `language` has it: the start page speaks the provider's own language unless the address asks for another,
 * and who reads a message in Finnish would take a page in Swedish for a fraud.
 */
export function portalUrlIn(portalUrl: string, language: string, instanceLanguage: string): string {
  return language === instanceLanguage ? portalUrl : `${portalUrl}${language}`
}

/** Whose message it is, with the brand's colours and the way to its portal. */
export function letterhead(
  { config }: Pick<Context, 'config'>,
  who: AddresseeRow,
  language: Language,
): Letterhead {
  const { publicUrl } = config
  const host = `${who.url_alias}.${who.url_domain}`
  // On this machine the portals of the default provider share a host (D-15).
  const isShared = who.is_default && isLocalHost(new URL(publicUrl).host)
  const siteUrl = (site: 'home' | 'support'): string =>
    isShared ? `${publicUrl}/${site}` : `https://${site}.${host}`
  return {
    name: who.instance_name,
    phone: who.instance_phone,
    email: who.instance_email,
    portalUrl: portalUrlIn(portalUrlOf(config, who), language, who.instance_language),
    checkUrl: `${siteUrl('home')}/${language}/#check`,
    articlesUrl: `${siteUrl('support')}/${language}/`,
    fill: who.fill,
    onFill: who.on_fill,
  }
}
