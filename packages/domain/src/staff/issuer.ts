/** A provider's own OpenID issuer, at which its staff may sign in. */

export const MOST_DOMAINS = 20

const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** The domain of an e-mail address, in lower case; empty where there is none. */
export function domainOf(email: string): string {
  return email.trim().toLowerCase().split('@').at(1) ?? ''
}

/**
 * Domains as somebody types them, with commas, blanks or breaks between, in their order and once each. Undefined when one of them is none, or
 * when there are none or too many.
 */
export function readDomains(text: string): readonly string[] | undefined {
  const domains = [...new Set(text.toLowerCase().split(/[\s,;]+/))].filter((one) => one !== '')
  const isRight = domains.length > 0 && domains.length <= MOST_DOMAINS
  return isRight && domains.every((one) => DOMAIN.test(one)) ? domains : undefined
}

/** Does an issuer say of this address who it is? A subdomain is another domain. */
export function isListed(domains: readonly string[], email: string): boolean {
  return domains.includes(domainOf(email))
}

/** What came of asking an issuer whether it is there and knows the client. */
export const ISSUER_TRIED = [
  'ACCEPTED',
  'NO_ANSWER',
  'ADDRESS_REFUSED',
  'NO_ISSUER',
  'CLIENT_REFUSED',
] as const
export type IssuerTried = (typeof ISSUER_TRIED)[number]

/** Why a sign-in at an issuer ends where it began, as the page is told in its address. */
export const ISSUER_REFUSALS = [
  'issuer_unreachable',
  'issuer_misconfigured',
  'issuer_declined',
  'issuer_answer_wrong',
  'issuer_sign_in_old',
  'issuer_not_linked',
  'issuer_factor_elsewhere',
  'issuer_off',
  'sign_in_no_membership',
  'sign_in_expired',
] as const
export type IssuerRefusal = (typeof ISSUER_REFUSALS)[number]
