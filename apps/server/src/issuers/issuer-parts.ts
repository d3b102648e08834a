/** The provider's issuer, ready to be spoken with: what it says of itself is kept for a while in each process. */
import type { Configuration } from 'openid-client'
import { openSecrets } from '../credentials/credentials.ts'
import type { Context } from '../context.ts'
import { openPublicCaller, type PublicAsker } from '../platform/counterparties/public-call.ts'
import { ISSUER_TIMEOUT_MS, openClient, type IssuerClient } from './issuer-client.ts'
import type { IssuerRow } from './issuers.queries.ts'

const KEPT_MS = 10 * 60_000
const MOST_KEPT = 500

type Kept = { readonly opened: Promise<Configuration>; readonly untilMs: number }
const kept = new WeakMap<object, Map<string, Kept>>()

export function outside({ config }: Pick<Context, 'config'>): {
  readonly caller: PublicAsker
  readonly inwardOrigins: readonly string[]
} {
  const inwardOrigins = config.issuerInwardOrigins
  return { caller: openPublicCaller({ timeoutMs: ISSUER_TIMEOUT_MS, inwardOrigins }), inwardOrigins }
}

export function clientOf({ config }: Pick<Context, 'config'>, row: IssuerRow): IssuerClient {
  return {
    issuer: row.issuer,
    clientId: row.client_id,
    secret: openSecrets(config.settingsKeyFile)(row),
  }
}

/** Throws IssuerFailed, and KeyMissing. What failed is asked for anew the next time. */
export function openIssuer(context: Context, row: IssuerRow): Promise<Configuration> {
  const all = kept.get(context.config) ?? new Map<string, Kept>()
  kept.set(context.config, all)
  const key = `${row.instance_id} ${row.proposal_id} ${row.id} ${row.key_id}`
  const now = context.clock.now()
  const found = all.get(key)
  if (found && found.untilMs > now) return found.opened
  if (all.size >= MOST_KEPT) all.clear()
  const opened = openClient(outside(context), clientOf(context, row))
  all.set(key, { opened, untilMs: now + KEPT_MS })
  opened.catch(() => all.delete(key))
  return opened
}
