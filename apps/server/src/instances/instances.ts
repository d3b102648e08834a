/** Instances: which one a host belongs to, and how it presents itself. */
import type { InstanceAnswer } from '@kvitt/domain/instances/instance.contract.ts'
import type { AdLinks } from '@kvitt/domain/instances/service-texts.ts'
import { siblingHost, type PortalName } from '@kvitt/domain/instances/portals.ts'
import type { Clock } from '../platform/clock.ts'
import type { Connection } from '../platform/database/database.ts'
import { toInstance, type Instance } from './instance.ts'
import { readInstances } from './instances.queries.ts'

export {
  DEFAULT_LIMITS,
  DEMO_GUESS_SETTINGS,
  eidStartLimitOf,
  limitsOf,
  questionLimitOf,
} from './guess-limits.ts'
export { shortName, toInstance, type Instance } from './instance.ts'
export { identityProviderFor, isPlayedForLive } from './played.ts'
export { insertInstanceRow, type InstanceRow, type LoginCode } from './instances.queries.ts'

export type Instances = {
  all(): Promise<readonly Instance[]>
  /** The instance whose portal the Host header names, or undefined: then nobody answers (D-15). */
  ofHost(hostHeader: string | undefined): Promise<Instance | undefined>
}

/** How long another process's change to an instance may stay unseen. */
const CACHED_MS = 5_000

/** The host of a Host header: lower case, without port and trailing dot; undefined when it is not one. */
export function hostName(header: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+?)\.?(?::\d{1,5})?$/i.exec(header ?? '')
  return match?.[1]?.toLowerCase()
}

/** Hosts without a tenant's name: the default instance answers there and nowhere else (D-24). */
function isPlainHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1' || host === '[::1]'
}

export function openInstances(db: Connection, clock: Clock): Instances {
  let cached: { instances: Instance[]; readAt: number } | undefined
  async function all(): Promise<Instance[]> {
    if (!cached || clock.now() - cached.readAt > CACHED_MS) {
      cached = { instances: (await readInstances(db)).map(toInstance), readAt: clock.now() }
      // An empty product has no instance yet; look again at once when one is made.
      if (cached.instances.length === 0) cached.readAt = 0
    }
    return cached.instances
  }
  return {
    all,
    async ofHost(hostHeader) {
      const host = hostName(hostHeader)
      if (!host) return undefined
      const instances = await all()
      const sibling = siblingHost(host)
      return (
        instances.find((i) => i.host === host) ??
        instances.find((i) => i.host === sibling?.of) ??
        (isPlainHost(host) ? instances.find((i) => i.isDefault) : undefined)
      )
    },
  }
}

/** Does a portal of `instance` answer at `host`, under its own name or, where it has none, by its path? */
export function isPortalHost(
  instance: Pick<Instance, 'host' | 'isDefault'>,
  portal: PortalName,
  host: string,
): boolean {
  const sibling = siblingHost(host)
  if (sibling?.of === instance.host) return sibling.portal === portal
  return host === instance.host || (instance.isDefault && isPlainHost(host))
}

/** The portal of `instance` that a Host header names; undefined on a plain host, where each has a path (D-15). */
export function portalOfHost(instance: Instance, hostHeader: string | undefined): PortalName | undefined {
  const host = hostName(hostHeader) ?? ''
  return host === instance.host ? 'debtor' : siblingHost(host)?.portal
}

/** The answer's lists are its own. */
export const wireLinks = (links: AdLinks): InstanceAnswer['adLinks'] =>
  Object.fromEntries(Object.entries(links).map(([language, list]) => [language, [...list]]))

/** How an instance presents itself, as the wire has it. */
export function presentInstance(instance: Instance): InstanceAnswer {
  const { row } = instance
  return {
    name: row.name,
    homepage: row.homepage,
    identificationNumber: row.identification_number,
    clientAnalyticsCode: row.analytics_code,
    urlAlias: row.url_alias,
    urlDomain: row.url_domain,
    countryCode: row.country,
    languageCode: instance.language,
    timeZone: row.time_zone,
    isProductOwner: row.is_product_owner,
    contactInformation: { phone: row.phone, email: row.email },
    fileInformation: {
      debtorPortalLogotypeFileName: row.logo_name,
      debtorPortalFaviconFileName: row.favicon_name,
      debtorPortalBackgroundFileName: row.background_name,
      debtorPortalLoginBackgroundFileName: row.login_background_name,
      partPaymentPlanSekkiFileName: row.sekki_name,
      partPaymentPlanTermsFileName: row.terms_name,
    },
    brandInformation: {
      debtorPortalPrimaryBrandColor: row.primary_colour,
      debtorPortalSecondaryBrandColor: row.secondary_colour,
      debtorPortalButtonColor: row.button_colour,
      palette: row.palette,
    },
    helpdeskChatHtml: row.helpdesk_chat_html,
    serviceTexts: row.service_texts,
    adLinks: row.is_product_owner ? wireLinks(row.ad_links) : {},
  }
}
