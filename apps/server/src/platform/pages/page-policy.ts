/** What a portal's page may load and whom it may call (Content-Security-Policy). */

import { CSP_REPORTS } from './csp-reports.ts'

/** Other hosts that a tenant's page needs; each is a host name or an origin. */
export type Foreign = {
  /** Hosts of the chat: its scripts, pictures, frames and calls. */
  readonly chatHosts: readonly string[]
  /** Does the chat run in the page itself, and not in a frame of its own? */
  readonly isChatInPage: boolean
  /** Origins that messages are sent to. */
  readonly receivers: readonly string[]
}

const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/
const ORIGIN = /^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/

/** As sources of a policy; what is no host is left out, so that nothing else gets into the header. */
function sourcesOf({ chatHosts, receivers }: Pick<Foreign, 'chatHosts' | 'receivers'>): {
  chat: string
  called: string
} {
  const chat = chatHosts.filter((host) => HOST.test(host)).map((host) => ` https://${host}`)
  const sockets = chatHosts.filter((host) => HOST.test(host)).map((host) => ` wss://${host}`)
  const called = receivers.filter((origin) => ORIGIN.test(origin)).map((origin) => ` ${origin}`)
  return { chat: chat.join(''), called: [...chat, ...sockets, ...called].join('') }
}

/** The page of a portal: our own files, what carries the nonce, and what this tenant has agreed with others. */
export function pagePolicy(nonce: string, foreign: Foreign): string {
  const { chat, called } = sourcesOf(foreign)
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${chat}`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob:${chat}`,
    `connect-src 'self'${called}`,
    "font-src 'self'",
    `frame-src 'self'${chat}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    // A chat in the page is somebody else's program, and writes as it likes.
    ...(foreign.isChatInPage ? [] : ["require-trusted-types-for 'script'", 'trusted-types default']),
    // The second is for browsers that do not know the header Reporting-Endpoints.
    'report-to csp',
    `report-uri ${CSP_REPORTS}`,
  ].join('; ')
}

/** A page of the homepage or the support site: our own files and nothing else; its forms lead to our portals alone. */
export function sitePolicy(nonce: string, portals: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    `form-action 'self'${portals.map((origin) => ` ${origin}`).join('')}`,
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
    'report-to csp',
    `report-uri ${CSP_REPORTS}`,
  ].join('; ')
}

/** The chat in a frame: an origin of nobody, so it reaches neither our page nor what we keep (threat chat.hostile). */
export function chatPolicy(foreign: Foreign): string {
  const { chat, called } = sourcesOf({ ...foreign, receivers: [] })
  return [
    'sandbox allow-scripts allow-forms allow-popups',
    "default-src 'none'",
    `script-src 'unsafe-inline'${chat}`,
    `style-src 'unsafe-inline'${chat}`,
    `img-src data:${chat}`,
    `font-src data:${chat}`,
    `connect-src${called || " 'none'"}`,
    `frame-src${chat || " 'none'"}`,
    `form-action${chat || " 'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
}
