/** Where staff sign in: our provider's path, the portals that may ask it, and an address of an instance. */
import type { Instance } from '../instances/instances.ts'

/** Where the provider stands below an address. */
export const OIDC_PATH = '/oidc'

export const PORTAL_CLIENTS = ['client-portal', 'admin-portal'] as const

export type Place = {
  readonly instance: Instance
  /** Scheme, host and port, such as `https://client.nordklar.example`. */
  readonly origin: string
  /** Where each portal's page stands below `origin`, such as `/client/`. */
  readonly bases: Readonly<Record<(typeof PORTAL_CLIENTS)[number], string>>
}

/** What a portal's staff works as; the client of the token says which portal. */
export function isOfPortal(clientId: string | undefined, creditorId: string | null): boolean {
  return clientId === 'client-portal' ? creditorId !== null : creditorId === null
}
