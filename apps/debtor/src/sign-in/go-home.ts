import { goTo } from '@kvitt/ui/routes.ts'
import type { InvoiceKey } from '../session.ts'
import { homeHash, type LoginState, type Refused } from '../views.ts'

/** To the start page with this pair filled in. `refused`: the login did not succeed, and why if that is known. */
export function goHomeWith({ reference, zip }: InvoiceKey, refused?: Refused | true): void {
  const query = { paymentReference: reference, zip, autologin: 'false' }
  // The history keeps plain values, and of an error not these.
  const kept =
    typeof refused === 'object'
      ? { code: refused.code, message: refused.message, params: refused.params }
      : refused
  goTo(homeHash(query), { replace: true, state: kept ? ({ loginFailed: kept } satisfies LoginState) : null })
}
