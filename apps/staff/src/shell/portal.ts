/** Where this portal stands, and where it signs in. */
import { hashOf, readPlace } from '@kvitt/office/place.ts'
import type { Provider } from '@kvitt/office/session/sign-in.ts'

/** The first view after a sign-in. */
export const LANDING = hashOf({ view: 'todo' })

export const SIGN_IN: Provider = {
  clientId: 'client-portal',
  redirectUri: location.origin + location.pathname,
}

/** The debtor portal beside this one: by its path, or on the host without our prefix. */
export function debtorPortal(): string {
  return location.pathname.startsWith('/client') ? '/' : `//${location.host.replace(/^client\./, '')}/`
}

/** Where somebody wanted to go before they had to sign in. */
export function wantedHash(): string {
  const { view } = readPlace(location.hash)
  return view === '' || view === 'login' || view === 'logout' ? LANDING : location.hash
}
