/** A sign-in that was proven at the provider's own issuer, from the grant to the session that begins with it. */
import type { Context } from '../context.ts'
import type { ByIssuer } from '../issuers/issuers.ts'
import type { Connection } from '../platform/database/database.ts'
import { hashOf } from '../staff/staff.ts'
import { keepItem, readItem } from './oidc-items.queries.ts'

/** As the session of our provider has it: how somebody was proven (RFC 8176 has no name for it). */
export const BY_ISSUER = 'issuer'
const MODEL = 'IssuerSignIn'

type Parts = Pick<Context, 'clock'> & { readonly db: Connection }
type Session = { readonly issuer: string; readonly signedInAtMs: number }

const keyOf = (instanceId: string, grantId: string) => ({ instanceId, model: MODEL, idHash: hashOf(grantId) })

/** Keeps it beside the grant, and as long as that. */
export async function keepByIssuer(
  { db, clock }: Parts,
  instanceId: string,
  kept: Session & { readonly grantId: string; readonly personId: string; readonly validS: number },
): Promise<void> {
  const { grantId, personId, issuer, signedInAtMs, validS } = kept
  await keepItem(db, keyOf(instanceId, grantId), {
    payload: { accountId: personId, issuer, signedInAtMs },
    uid: null,
    grantId,
    expiresAt: new Date(clock.now() + validS * 1_000).toISOString(),
  })
}

/** Undefined for a sign-in that was proven here. */
export async function readByIssuer(
  { db, clock }: Parts,
  instanceId: string,
  grantId: string,
): Promise<Session | undefined> {
  const item = await readItem(db, keyOf(instanceId, grantId), new Date(clock.now()).toISOString())
  if (!item) return undefined
  return { issuer: String(item.payload['issuer']), signedInAtMs: Number(item.payload['signedInAtMs']) }
}

/** As a proof of the first step keeps it. */
export function byIssuerOf(payload: Readonly<Record<string, unknown>>): ByIssuer | undefined {
  const by = payload['by'] as ByIssuer | undefined
  return by && { issuer: by.issuer, subject: by.subject, signedInAtMs: by.signedInAtMs }
}
