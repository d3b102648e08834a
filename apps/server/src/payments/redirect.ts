/** Where a payer may be sent back to: the tenant's own portal, nowhere else (D-11, A-09). */
import { Refusal } from '@kvitt/domain/errors.ts'
import { hostName } from '../instances/instances.ts'
import { isPlainAddress } from './plain-address.ts'

const LOCAL = /^(localhost|.*\.localhost|127\.0\.0\.1|\[::1\])$/

/** How a request came: the scheme as this process or a trusted proxy saw it, and the Host header. */
export type Arrival = { readonly protocol: string; readonly host: string }

/**
 * The origin of the portal that a request came from, as browsers write it. A live portal is https whatever the last
 * proxy spoke, and so is a test one that `publicUrl` says it of; on this machine it is as it came.
 */
export function portalOrigin(
  { protocol, host }: Arrival,
  { publicUrl, mode }: { readonly publicUrl: string; readonly mode: 'test' | 'live' },
): string | undefined {
  const isLocal = LOCAL.test(hostName(host) ?? '')
  const isSecure = protocol === 'https' || (!isLocal && (mode === 'live' || publicUrl.startsWith('https://')))
  const origin = `${isSecure ? 'https' : 'http'}://${host}`
  return URL.canParse(origin) ? new URL(origin).origin : undefined
}

/** Refuses an address of another scheme, host or port than the portal's. */
export function checkRedirect(address: string, origin: string | undefined): void {
  const url = isPlainAddress(address) ? new URL(address) : undefined
  if (!url || url.origin !== origin || url.username !== '' || url.password !== '') {
    throw new Refusal('redirect_uri_not_allowed', {}, ['redirectUri'])
  }
}
