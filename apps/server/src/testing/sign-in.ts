/** A debtor who has signed in, as a browser carries it. */
import { beginSession, type SessionParts } from '../sign-in/sessions.ts'
import type { Database } from '../platform/database/database.ts'

/** `db` is the product's own: sessions are begun in a transaction. */
export type SignInParts = SessionParts & { readonly db: Database }

/** The headers that prove a fresh session of `debtorIds`, kept by the product itself. */
export async function signIn(
  parts: SignInParts,
  instanceId: string,
  debtorIds: readonly string[],
): Promise<{ authorization: string; cookie: string }> {
  const begun = await parts.db.transaction((tx) =>
    beginSession(tx, parts, { instanceId, debtorIds, isHttps: false }),
  )
  return {
    authorization: `${begun.tokenType} ${begun.token}`,
    cookie: begun.setCookie.split(';', 1)[0] ?? '',
  }
}
