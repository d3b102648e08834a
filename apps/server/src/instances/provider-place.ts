/** Where a new provider is found: an address that nobody else answers at, now or by a portal's prefix (D-15). */
import { PORTALS } from '@kvitt/domain/instances/portals.ts'
import type { InstanceRow } from './instances.queries.ts'
import { ProviderRefused } from './provider-refused.ts'

type Place = { readonly alias: string; readonly domain: string }

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Of a host name, and of what the longest portal's prefix leaves of it. */
const LONGEST = 253 - Math.max(...PORTALS.map(({ hostPrefix }) => hostPrefix.length))

/** The place in lower case. Throws ProviderRefused when it cannot be an address, or is, or may become, another provider's. */
export function placeOf(wished: Place, others: readonly InstanceRow[]): Place {
  const alias = wished.alias.toLowerCase()
  const domain = wished.domain.toLowerCase()
  const wrong = (field: 'urlAlias' | 'urlDomain', why: string, isTaken = false): never => {
    throw new ProviderRefused(why, { field, isTaken })
  }
  if (!LABEL.test(alias)) wrong('urlAlias', `"${wished.alias}" cannot be the first part of an address.`)
  // Below another provider's host, or below this one's, it would be where that one has its portal.
  if (PORTALS.some(({ name, hostPrefix }) => alias === name || `${alias}.` === hostPrefix))
    wrong('urlAlias', `"${alias}" is the name of a portal, so it cannot be that of a provider.`)
  if (!domain.split('.').every((part) => LABEL.test(part)))
    wrong('urlDomain', `"${wished.domain}" is no domain.`)
  const host = `${alias}.${domain}`
  if (host.length > LONGEST) wrong('urlDomain', `"${host}" is too long for an address.`)
  for (const { url_alias, url_domain } of others) {
    const other = `${url_alias}.${url_domain}`.toLowerCase()
    if (url_alias.toLowerCase() === alias) wrong('urlAlias', `There is a provider ${alias} already.`, true)
    if (`.${domain}`.endsWith(`.${other}`))
      wrong('urlDomain', `"${domain}" is the address of another provider, or below it.`, true)
    if (other.endsWith(`.${host}`))
      wrong('urlDomain', `"${host}" is the domain of another provider, or above it.`, true)
  }
  return { alias, domain }
}
