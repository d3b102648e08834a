/** What a provider says of its customer service, and where its advertisement leads, in each language. What is not there is not shown. */

export const SERVICE_LANGUAGES = ['sv', 'en', 'nb', 'da', 'fi'] as const
export type ServiceLanguage = (typeof SERVICE_LANGUAGES)[number]

export type AdLink = { readonly text: string; readonly url: string }
export type ServiceTexts = Partial<Record<ServiceLanguage, string>>
export type AdLinks = Partial<Record<ServiceLanguage, readonly AdLink[]>>

export const LONGEST_SERVICE_TEXT = 1_000
export const LONGEST_AD_TEXT = 80
export const LONGEST_AD_URL = 300
export const MOST_AD_LINKS = 2

/** Host names with a dot in them, perhaps a port, and a path of what an address may be written with. */
const LINK =
  /^https:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9](?::\d{1,5})?(?:[/?#][^\s"'<>\\^`{|}\p{Cc}]*)?$/iu

/** An address that a debtor may be sent to: https, whole, without a name or password in it. Undefined when it is none. */
export function readLink(text: string): string | undefined {
  return text.length <= LONGEST_AD_URL && LINK.test(text) ? text : undefined
}
