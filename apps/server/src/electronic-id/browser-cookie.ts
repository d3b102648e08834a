/**
 * The cookie that ties an order to the browser that started it. Each order has its own, so that two tabs do not
 * take each other's away. An order's name alone, as it stands in the address that iOS returns to, opens nothing.
 */
import { createHash, randomBytes } from 'node:crypto'

const LIFE_SECONDS = 600

export function newBrowserSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function hashOfSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function nameFor(orderRef: string, isHttps: boolean): string {
  const order = createHash('sha256').update(orderRef).digest('hex').slice(0, 16)
  return `${isHttps ? '__Host-' : ''}kvitt_eid_${order}`
}

/** Set-Cookie for an order that was started; an empty secret removes the cookie of one that is over. */
export function writeBrowserCookie(orderRef: string, secret: string, isHttps: boolean): string {
  const age = secret === '' ? 0 : LIFE_SECONDS
  const marks = ['Path=/', `Max-Age=${age}`, 'HttpOnly', 'SameSite=Strict', ...(isHttps ? ['Secure'] : [])]
  return [`${nameFor(orderRef, isHttps)}=${secret}`, ...marks].join('; ')
}

/** The hash of the secret that the Cookie header carries for this order. */
export function readBrowserHash(
  orderRef: string,
  header: string | undefined,
  isHttps: boolean,
): Buffer | undefined {
  const name = nameFor(orderRef, isHttps)
  const secret = new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9_-]{43})(?:;|$)`).exec(header ?? '')?.[1]
  return secret === undefined ? undefined : hashOfSecret(secret)
}
