/** What the address of a page may bring from a sign-in, and the address without it. */

export type Arrival = {
  /** Of the authorisation code flow. */
  readonly code?: string
  readonly state?: string
  readonly error?: string
  /** Of the form that puts tokens into the hash. */
  readonly accessToken?: string
  readonly idToken?: string
  /** Of a login link: who it was sent to. */
  readonly userEmail?: string
}

const NAMES = {
  code: 'code',
  state: 'state',
  error: 'error',
  access_token: 'accessToken',
  id_token: 'idToken',
  user_email: 'userEmail',
} as const
/** What the provider says besides, for nobody here. */
const BESIDE = ['error_description', 'iss', 'session_state', 'scope', 'token_type', 'expires_in']

function take(text: string): { readonly taken: Arrival; readonly rest: string; readonly isTaken: boolean } {
  const values = new URLSearchParams(text)
  const taken: Record<string, string> = {}
  for (const [name, key] of Object.entries(NAMES)) {
    const value = values.get(name)
    if (value !== null) taken[key] = value
    values.delete(name)
  }
  const isTaken = Object.keys(taken).length > 0
  if (isTaken) for (const name of BESIDE) values.delete(name)
  return { taken, rest: values.toString(), isTaken }
}

/**
 * @param search with its `?`, or empty
 * @param hash with its `#`, or empty: a route, or values
 * @returns `address` is undefined when there is nothing to take out
 */
export function takeArrival(
  path: string,
  search: string,
  hash: string,
): { readonly arrival: Arrival; readonly address: string | undefined } {
  const asked = take(search)
  const isRoute = hash === '' || hash.startsWith('#/')
  const below = isRoute ? undefined : take(hash.slice(1))
  const arrival = { ...asked.taken, ...below?.taken }
  if (!asked.isTaken && !below?.isTaken) return { arrival, address: undefined }
  const query = asked.rest ? `?${asked.rest}` : ''
  return { arrival, address: `${path}${query}${below?.isTaken ? '' : hash}` }
}
