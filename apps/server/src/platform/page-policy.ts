/** What a portal's page may load and whom it may call (Content-Security-Policy). */

/** Other hosts that a tenant's page needs; each is a host name or an origin. */
export type Foreign = {
  /** Hosts of the chat: its scripts, pictures, frames and calls. */
  readonly chatHosts: readonly string[]
  /** Origins that messages are sent to. */
  readonly receivers: readonly string[]
}

const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/
const ORIGIN = /^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/

/** As sources of a policy; what is no host is left out, so that nothing else gets into the header. */
function sourcesOf({ chatHosts, receivers }: Foreign): { chat: string; called: string } {
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
  ].join('; ')
}

/** The chat in a frame: an origin of nobody, so it reaches neither our page nor what we keep. */
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
