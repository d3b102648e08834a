/** The browser's half of a session or a peek: a cookie of 256 random bits that no script reads. */

/** Behind https the browser itself guards the name: only this host can have set it, for every path. */
function cookieName(name: 'session' | 'peek', isHttps: boolean): string {
  return isHttps ? `__Host-kvitt_${name}` : `kvitt_${name}`
}

/** An empty value takes the cookie away. */
export function writeCookie(name: 'session' | 'peek', isHttps: boolean, value: string): string {
  const marks = ['Path=/', 'HttpOnly', 'SameSite=Strict', ...(isHttps ? ['Secure'] : [])]
  return [`${cookieName(name, isHttps)}=${value}`, ...marks, ...(value === '' ? ['Max-Age=0'] : [])].join(
    '; ',
  )
}

/** @param header the request's `Cookie` */
export function readCookie(
  name: 'session' | 'peek',
  isHttps: boolean,
  header: string | undefined,
): string | undefined {
  const named = cookieName(name, isHttps)
  return new RegExp(`(?:^|;\\s*)${named}=([A-Za-z0-9_-]{43})(?:;|$)`).exec(header ?? '')?.[1]
}
