/** Where a payer may be sent back to: the tenant's own portal, nowhere else. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { hostName } from '../instances/instances.ts'
import { isPlainAddress } from './plain-address.ts'

const LOCAL = /^(localhost|.*\.localhost|127\.0\.0\.1|\[::1\])$/

/**
 * Refuses an address whose origin is not the host that the request came to. Plain http only on this machine or
 * for a test instance.
 */
export function checkRedirect(address: string, hostHeader: string, mode: 'test' | 'live'): void {
  const refuse = (): never => {
    throw new Refusal('redirect_uri_not_allowed', {}, ['redirectUri'])
  }
  if (!isPlainAddress(address)) return refuse()
  const url = new URL(address)
  if (url.host.toLowerCase() !== withoutDefaultPort(hostHeader.toLowerCase(), url.protocol)) return refuse()
  if (url.username !== '' || url.password !== '') return refuse()
  if (url.protocol === 'http:' && mode === 'live' && !LOCAL.test(hostName(hostHeader) ?? '')) return refuse()
}

function withoutDefaultPort(host: string, protocol: string): string {
  return protocol === 'https:' ? host.replace(/:443$/, '') : host.replace(/:80$/, '')
}
