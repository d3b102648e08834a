/** Where a payer may be sent back to: the tenant's own portal, nowhere else (D-11, threat redirect.matrix). */
import { Refusal } from '@kvitt/domain/errors.ts'
import { isHttps, type Arrival, type Reached } from '../../platform/http/arrival.ts'
import { isPlainAddress } from './plain-address.ts'

/** The origin of the portal that a request came from, as browsers write it. */
export function portalOrigin(arrival: Arrival, reached: Reached): string | undefined {
  const origin = `${isHttps(arrival, reached) ? 'https' : 'http'}://${arrival.host}`
  return URL.canParse(origin) ? new URL(origin).origin : undefined
}

/** Refuses an address of another scheme, host or port than the portal's. */
export function checkRedirect(address: string, origin: string | undefined): void {
  const url = isPlainAddress(address) ? new URL(address) : undefined
  if (!url || url.origin !== origin || url.username !== '' || url.password !== '') {
    throw new Refusal('redirect_uri_not_allowed', {}, ['redirectUri'])
  }
}
