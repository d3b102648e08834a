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

/**
 * Host names with a dot in them, perhaps a port, and a path of what an address may be written with. Signs that are not seen are none of
 * it. Large and small letters are not taken for each other by the pattern: it would take other alphabets' for ours as well.
 */
const LINK =
  /^[hH][tT]{2}[pP][sS]:\/\/(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z][a-zA-Z0-9-]{0,61}[a-zA-Z0-9](?::(\d{1,5}))?(?:[/?#][^\s"'<>\\^`{|}\p{Cc}\p{Cf}]*)?$/u
const HIGHEST_PORT = 65_535

/** An address that a debtor may be sent to: https, whole, without a name or password in it. Undefined when it is none. */
export function readLink(text: string): string | undefined {
  const [whole, port = '443'] = (text.length <= LONGEST_AD_URL && LINK.exec(text)) || []
  return whole !== undefined && Number(port) <= HIGHEST_PORT ? text : undefined
}
