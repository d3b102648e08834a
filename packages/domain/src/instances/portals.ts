/**
 * The portals of an instance and where each is found: at a host of its own below the instance's (`home.` + host), and on
 * hosts without an instance's name, such as localhost, by its path.
 */
export const PORTALS = [
  { name: 'debtor', hostPrefix: '', path: '' },
  { name: 'client', hostPrefix: 'client.', path: '/client' },
  { name: 'admin', hostPrefix: 'admin.', path: '/admin' },
  { name: 'home', hostPrefix: 'home.', path: '/home' },
  { name: 'support', hostPrefix: 'support.', path: '/support' },
] as const

export type PortalName = (typeof PORTALS)[number]['name']

/**
 * The portal that `host` names, and the rest of the host; undefined when it begins with no portal's prefix.
 * @param host lower case, without a port
 */
export function siblingHost(host: string): { readonly portal: PortalName; readonly of: string } | undefined {
  const found = PORTALS.find(({ hostPrefix }) => hostPrefix !== '' && host.startsWith(hostPrefix))
  return found && { portal: found.name, of: host.slice(found.hostPrefix.length) }
}

/**
 * The portal whose path `path` is or lies below: every portal can be named by its path on any host of an instance.
 * @returns undefined for a path of the debtor portal, which has none of its own
 */
export function portalOfPath(path: string): (typeof PORTALS)[number] | undefined {
  return PORTALS.find(
    (portal) => portal.path !== '' && (path === portal.path || path.startsWith(`${portal.path}/`)),
  )
}
