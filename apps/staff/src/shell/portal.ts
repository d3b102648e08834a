/** Which portal this is, where it stands, and where it signs in. The creditor's and the operator's are one program. */
import { hashOf, readPlace } from '@kvitt/office/place.ts'
import type { Provider } from '@kvitt/office/session/sign-in.ts'

export type PortalName = 'client' | 'admin'

/** By its path on a host that several portals share, else by the prefix of its own host. */
export function portalAt({ pathname, host }: Pick<Location, 'pathname' | 'host'>): PortalName {
  const [, first = ''] = pathname.split('/')
  if (first === 'client' || first === 'admin') return first
  return host.startsWith('admin.') ? 'admin' : 'client'
}

export const PORTAL = portalAt(location)
/** The operator's portal shows the rows of all creditors of its instance. */
export const isAdmin = PORTAL === 'admin'

/** Where tasks are worked off. */
export const TASKS_VIEW = isAdmin ? 'tasks' : 'todo'

/** The first view after a sign-in. */
export const LANDING = hashOf({ view: isAdmin ? 'dashboard' : 'todo' })

export const SIGN_IN: Provider = {
  clientId: `${PORTAL}-portal`,
  redirectUri: location.origin + location.pathname,
}

/** Where another portal stands that belongs to this one: beside it by its path, or on a host of its own. */
export function addressOf(portal: PortalName | 'debtor'): string {
  const { pathname, host } = location
  const [, first = ''] = pathname.split('/')
  if (first === 'client' || first === 'admin') return portal === 'debtor' ? '/' : `/${portal}/`
  const own = host.replace(/^(?:client|admin)\./, '')
  return portal === 'debtor' ? `//${own}/` : `//${portal}.${own}/`
}

/** Where somebody wanted to go before they had to sign in. */
export function wantedHash(): string {
  const { view } = readPlace(location.hash)
  return view === '' || view === 'login' || view === 'logout' ? LANDING : location.hash
}
