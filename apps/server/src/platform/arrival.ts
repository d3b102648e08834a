/** How a request came to us, and what its browser therefore reaches us over. */

const LOCAL = /^(localhost|.*\.localhost|127\.0\.0\.1|\[::1\])$/

/** The scheme as this process or a trusted proxy saw it, and the Host header. */
export type Arrival = { readonly protocol: string; readonly host: string }

/** What says that browsers reach an instance over https, whatever the last proxy spoke to us. */
export type Reached = { readonly publicUrl: string; readonly mode: 'test' | 'live' }

/** The name in a Host header, without its port; undefined when it is none. */
function nameIn(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined
}

/**
 * Does the browser reach us over https? A live instance always is, and so is a test one that `publicUrl` says it of; on this
 * machine it is as it came.
 */
export function isHttps({ protocol, host }: Arrival, { publicUrl, mode }: Reached): boolean {
  if (protocol === 'https') return true
  return !LOCAL.test(nameIn(host) ?? '') && (mode === 'live' || publicUrl.startsWith('https://'))
}
