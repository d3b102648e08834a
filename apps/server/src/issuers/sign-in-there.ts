/** A browser goes to the provider's issuer and comes back: once, within ten minutes, and to what it began. */
import { Refusal, type ErrorCode } from '@kvitt/domain/errors.ts'
import { isListed } from '@kvitt/domain/staff/issuer.ts'
import { networkActor, noteEvent } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import { guessNetworksOf, takeTry } from '../sign-in/sign-in.ts'
import { networkOf } from '../sign-in/viewer.ts'
import { hashOf } from '../staff/staff.ts'
import { addressOf, IssuerFailed, newSecrets, proveAt, type Proven } from './issuer-client.ts'
import { openIssuer } from './issuer-parts.ts'
import { insertTryRow, takeTryRow } from './issuer-tries.queries.ts'
import { readIssuerRow } from './issuers.queries.ts'
import { CALLBACK_PATH } from './callback.ts'

export type { Proven } from './issuer-client.ts'

const MINUTE_MS = 60_000
const VALID_MS = 10 * MINUTE_MS
/** Browsers that one network sends to an issuer in a quarter of an hour. */
const MOST_BEGUN = 300

const CODES: Readonly<Record<IssuerFailed['why'], ErrorCode>> = {
  unreachable: 'issuer_unreachable',
  address: 'issuer_misconfigured',
  no_issuer: 'issuer_misconfigured',
  client: 'issuer_misconfigured',
  declined: 'issuer_declined',
  answer: 'issuer_answer_wrong',
  old: 'issuer_sign_in_old',
}

type Visit = {
  readonly instance: Instance
  /** The visitor's address. */
  readonly address: string
}

/**
 * Runs what asks an issuer, and turns its failure into a refusal. What failed is written down for the night shift and the log of access, in
 * words of the protocol.
 */
async function asRefusal<Done>(
  context: Context,
  { instance, address }: Visit,
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof IssuerFailed)) throw error
    const { why, message } = error
    const at = { instanceId: instance.id, instance: instance.row.url_alias }
    if (why !== 'declined')
      context.log.warn({ ...at, why, detail: message }, 'own sign-in failed at its issuer')
    const actor = networkActor(context, instance.id, networkOf(address))
    await noteEvent(context, {
      instanceId: instance.id,
      kind: 'staff_refused',
      actor,
      about: 'issuer',
      details: { why },
    })
    throw new Refusal(CODES[why])
  }
}

/** A refusal of a sign-in there, as its code. */
export function refusalOf(error: unknown): ErrorCode | undefined {
  return error instanceof Refusal ? error.code : undefined
}

type Beginning = Visit & {
  /** Scheme, host and port of ours that the browser is at. */
  readonly origin: string
  readonly email: string
  /** What it is for, such as a sign-in that has begun: who comes back has to have the same. */
  readonly secret: string
  /** Where on our origin it goes on. */
  readonly goOn: string
}

/** The address of the issuer's page. Refuses `issuer_off`, `sign_in_throttled`, and what an issuer that fails is refused with. */
export async function beginThere(context: Context, beginning: Beginning): Promise<string> {
  const { instance, address, origin, email, secret, goOn } = beginning
  const row = await readIssuerRow(context.db, instance.id)
  if (!row?.is_on || !isListed(row.domains, email)) throw new Refusal('issuer_off')
  const { network, site } = guessNetworksOf(address)
  const budgets = [{ name: JSON.stringify(['issuer', site ?? network]), limit: MOST_BEGUN }]
  const windowMs = 15 * MINUTE_MS
  if (!(await takeTry(context, instance, { scope: 'staff-sign-in-begun', budgets, windowMs })))
    throw new Refusal('sign_in_throttled')
  return asRefusal(context, { instance, address }, async () => {
    const config = await openIssuer(context, row)
    const asked = { ...(await newSecrets()), redirectUri: `${origin}${CALLBACK_PATH}` }
    await insertTryRow(context.db, {
      instanceId: instance.id,
      stateHash: hashOf(asked.state),
      forHash: hashOf(secret),
      issuer: row.issuer,
      nonce: asked.nonce,
      verifier: asked.verifier,
      redirectUri: asked.redirectUri,
      goOn,
      expiresAt: new Date(context.clock.now() + VALID_MS).toISOString(),
    })
    return addressOf(config, asked, email)
  })
}

type Coming = Visit & {
  readonly secret: string
  /** What the address has, whatever it is. */
  readonly query: Readonly<Record<string, unknown>>
}

const NAMES = ['code', 'state', 'iss', 'error'] as const

/**
 * Who has signed in there. Refuses `sign_in_expired` for what this browser did not begin, began for something else, or has used already,
 * `issuer_off`, and what an issuer that fails, or whose answer proves nothing, is refused with.
 */
export async function finishThere(
  context: Context,
  { instance, address, secret, query }: Coming,
): Promise<Proven> {
  const brought = new Map<(typeof NAMES)[number], string>()
  for (const name of NAMES) {
    const value = query[name]
    if (typeof value === 'string') brought.set(name, value)
  }
  const state = brought.get('state') ?? ''
  const nowMs = context.clock.now()
  const at = new Date(nowMs).toISOString()
  const begun = await takeTryRow(context.db, {
    instanceId: instance.id,
    stateHash: hashOf(state),
    forHash: hashOf(secret),
    at,
  })
  if (!begun) throw new Refusal('sign_in_expired')
  const row = await readIssuerRow(context.db, instance.id)
  // Another one may have been agreed to meanwhile: what this one says counts no more.
  if (!row?.is_on || row.issuer !== begun.issuer) throw new Refusal('issuer_off')
  return asRefusal(context, { instance, address }, async () => {
    const config = await openIssuer(context, row)
    const asked = { state, nonce: begun.nonce, verifier: begun.verifier, redirectUri: begun.redirect_uri }
    return proveAt(config, asked, { brought, nowMs })
  })
}
