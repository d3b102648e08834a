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

/** An address that a debtor may be sent to: https, whole, without a name or password in it. Undefined when it is none. */
export function readLink(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' || url.username + url.password !== '') return undefined
  if (!url.hostname.includes('.') || url.href.length > LONGEST_AD_URL) return undefined
  return url.href
}
