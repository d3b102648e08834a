/**
 * The one reading of a request's target. It takes the target's place before anything looks at it, so that the router, the
 * doors, the policies and the log all see the same path. What two readers could read differently is the path of nothing.
 */
import type { IncomingMessage } from 'node:http'

/** Begins no path that a call or a file has. */
export const NO_PATH = '/.'

/** Letters, digits, "-" and "_", as nearly every target is written. */
const PLAIN = /^(?:\/[\w-]+)+\/?$/
const UNRESERVED = /^[A-Za-z0-9\-._~]$/
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i

/** Spelled one way: what needs no percent sign has none, and the others are written in capitals (RFC 3986, 6.2.2). */
function spell(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (sequence) => {
    const sign = String.fromCharCode(Number.parseInt(sequence.slice(1), 16))
    return UNRESERVED.test(sign) ? sign : sequence.toUpperCase()
  })
}

/** Has segments that are empty, or that mean another place. A slash at the end is a segment of its own. */
function leadsElsewhere(path: string): boolean {
  return /\/(?:\/|\.{1,2}(?:[/;]|$))|\\/.test(path)
}

/** The host that an absolute target names; undefined when it names none. */
export function hostOfTarget(target: string): string | undefined {
  return ABSOLUTE.exec(target)?.[1]
}

/**
 * Path and query of a target in their one form, or NO_PATH. An encoded slash, backslash or semicolon is a part of its
 * segment, which is where the router takes it.
 */
export function readTarget(target: string): string {
  if (PLAIN.test(target)) return target
  const local = ABSOLUTE.exec(target)?.[2] ?? target
  const at = local.indexOf('?')
  const path = spell(at === -1 ? local : local.slice(0, at)) || '/'
  const query = at === -1 ? '' : local.slice(at)
  if (!path.startsWith('/') || leadsElsewhere(path) || `${path}${query}`.includes('#')) return NO_PATH
  return path + query
}

/** For Fastify's `rewriteUrl`. */
export const rewriteUrl = ({ url }: Pick<IncomingMessage, 'url'>): string => readTarget(url ?? '/')
