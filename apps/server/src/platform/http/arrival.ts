/** How a request came to us, and what its browser therefore reaches us over. */
import type { FastifyRequest } from 'fastify'
import { hostOfTarget } from './request-path.ts'

const LOCAL = /^(localhost|.*\.localhost|127\.0\.0\.1|\[::1\])$/

/** The scheme as this process or a trusted proxy saw it, and the Host header. */
export type Arrival = { readonly protocol: string; readonly host: string }

/** What says that browsers reach an instance over https, whatever the last proxy spoke to us. */
export type Reached = { readonly publicUrl: string; readonly mode: 'test' | 'live' }

function isLocal(host: string): boolean {
  const url = `http://${host}`
  return URL.canParse(url) && LOCAL.test(new URL(url).hostname)
}

/** Reading a host as an address is a fiftieth of what a call costs, and few hosts are ours. */
const MOST_REMEMBERED = 1_000
const remembered = new Map<string, boolean>()

/** Is the name in a Host header, without its port, one of this machine? */
export function isLocalHost(host: string): boolean {
  const known = remembered.get(host)
  if (known !== undefined) return known
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  const found = isLocal(host)
  remembered.set(host, found)
  return found
}

/**
 * Does the browser reach us over https? A live instance always is, and so is a test one that `publicUrl` says it of; on this
 * machine it is as it came.
 */
export function isHttps({ protocol, host }: Arrival, { publicUrl, mode }: Reached): boolean {
  if (protocol === 'https') return true
  if (mode !== 'live' && !publicUrl.startsWith('https://')) return false
  return !isLocalHost(host)
}

/** For Strict-Transport-Security: two years, as browsers' own lists ask for. */
export const ONLY_HTTPS = 'max-age=63072000'

/**
 * Node keeps the first of two Host headers and says nothing; two name two tenants. So does an address in the first line that
 * is not the header's (RFC 9112, 3.2.2).
 */
export function namesTwoHosts({ raw, originalUrl, headers }: FastifyRequest): boolean {
  const inTarget = originalUrl.startsWith('/') ? undefined : hostOfTarget(originalUrl)
  if (inTarget !== undefined && inTarget.toLowerCase() !== headers.host?.toLowerCase()) return true
  let hosts = 0
  for (let at = 0; at < raw.rawHeaders.length; at += 2) {
    const name = raw.rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

/** A page of another site makes the browser do something here. Browsers say so themselves; programs say nothing. */
export function isPressedElsewhere(request: FastifyRequest): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return !isRead && request.url.startsWith('/api/') && request.headers['sec-fetch-site'] === 'cross-site'
}
