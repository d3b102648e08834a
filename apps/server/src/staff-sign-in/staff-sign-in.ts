/** Sign-in of staff: our OpenID provider, and what it remembers. */
import type { Context } from '../context.ts'
import { forgetItemRows } from './oidc-items.queries.ts'

export { serveStaffSignIn } from './serve-oidc.ts'

/** Removes what no sign-in needs any more. */
export function forgetOldSignIns({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  return forgetItemRows(db, new Date(clock.now()).toISOString())
}
