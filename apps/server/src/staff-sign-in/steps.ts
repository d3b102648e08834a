/** A step of a sign-in: what comes after it, and how the library is told who it is. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import { Refusal } from '@kvitt/domain/errors.ts'
import { networkActor, noteEvent } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { countsAsBoth, worksElsewhere } from '../issuers/issuers.ts'
import type { Instance } from '../instances/instances.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { factorsHere, findRelyingParty, hasFactor, isFactorRequired } from '../second-factor/second-factor.ts'
import { networkOf } from '../sign-in/viewer.ts'
import { endSignIns } from '../staff/staff.ts'
import { BY_ISSUER } from './issuer-proof.ts'
import { markBrowser, proofOf, type Visit } from './known-browser.ts'
import type { PersonRow } from './oidc-items.queries.ts'
import { asNode } from './oidc-request.ts'
import { isStillTrue, keepProof, takeProof, type Proven } from './password-proof.ts'
import { OIDC_PATH, type Place } from './place.ts'

/** Where the steps of a sign-in are sent to. */
export const AT = `${OIDC_PATH}/interaction/:uid`

/** A step of the sign-in `uid` in the browser that began it. */
export type Step = {
  readonly context: Context
  readonly provider: Provider
  readonly place: Place
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly uid: string
  readonly clientId: string
}

export const visitOf = ({ request }: Step): Visit => ({
  address: request.ip,
  cookie: { sent: request.headers.cookie, isHttps: request.isHttps },
})

export const tryOf = (step: Step, { email }: PersonRow) => ({
  address: step.request.ip,
  proof: proofOf(step.context, step.place.instance, { email, visit: visitOf(step) }),
})

/** What is asked for after the first step: `recovery` where a passkey of another host is all there is. */
export type Next = {
  readonly next: 'code' | 'passkey' | 'recovery' | 'set_up'
  readonly hasPasskey: boolean
  /** The first step was taken at the provider's own issuer. */
  readonly isByIssuer?: true
}

/** Goes on after the first step. `isEnough`: what has proven it counts as both. */
export async function goOn(
  step: Step,
  person: Proven,
  { isEnough }: { readonly isEnough: boolean },
): Promise<{ redirectTo: string } | Next> {
  const { context, place, request, uid } = step
  const { instance } = place
  const here = await factorsHere(context, person.id, findRelyingParty(request))
  if (isEnough || (!here.hasAny && !(await isFactorRequired(context, instance, person.id))))
    // A factor that was set up meanwhile has ended what the first step alone had proven.
    return finish(
      step,
      person,
      async (tx) =>
        (await isStillTrue(tx, instance, person)) &&
        ((isEnough && (await countsAsBoth(tx, instance.id))) || !(await hasFactor({ db: tx }, person.id))),
      person.by ? 'issuer' : 'password',
    )
  if (!here.hasAny) await requireMaySetUp(context.db, instance, person)
  await keepProof(context, instance, { uid, person })
  const hasPasskey = here.passkeys > 0
  const by = person.by && ({ isByIssuer: true } as const)
  if (!here.hasAny) return { next: 'set_up', hasPasskey, ...by }
  return { next: here.hasApp ? 'code' : hasPasskey ? 'passkey' : 'recovery', hasPasskey, ...by }
}

/**
 * A second factor is the person's, wherever they work: what one provider's issuer says sets none up for who works at another. Refuses
 * `issuer_factor_elsewhere`.
 */
export async function requireMaySetUp(db: Connection, instance: Instance, { id, by }: Proven): Promise<void> {
  if (by && (await worksElsewhere(db, instance.id, id))) throw new Refusal('issuer_factor_elsewhere')
}

/** After both steps: each is still true, and the proof of the first is used up. */
export const finishProven = (step: Step, person: Proven, means: Means) =>
  finish(
    step,
    person,
    async (tx) =>
      (await isStillTrue(tx, step.place.instance, person)) &&
      (await takeProof(tx, { clock: step.context.clock, instance: step.place.instance, uid: step.uid })),
    means,
  )

export const finishSetUp = (step: Step, person: Proven, means: Means) =>
  finish(step, person, (tx) => isStillTrue(tx, step.place.instance, person), means)

/** With what somebody has shown who they are, as the log has it. */
type First = 'password' | 'issuer'
type Means = First | `${First}, ${'code' | 'recovery code' | 'passkey'}` | 'passkey'

/**
 * Tells the library who it is. Another password may have been set, or the second factor reset, while this was looked at: what
 * happens from here on ends the sign-in itself, and `isTrue` sees what has happened before.
 */
export async function finish(
  step: Step,
  person: Pick<Proven, 'id' | 'email' | 'by'>,
  isTrue: (tx: Transaction) => Promise<boolean | Refusal>,
  means: Means,
): Promise<{ redirectTo: string }> {
  const { context, provider, place, request, reply } = step
  const { instance } = place
  const redirectTo = await provider.interactionResult(asNode(request, place), reply.raw, {
    login: { accountId: person.id, remember: false, ...(person.by && loginBy(person.by)) },
  })
  const still = await context.db.transaction(isTrue)
  if (still !== true) {
    await endSignIns(context.db, person.id)
    throw still || new Refusal('sign_in_expired')
  }
  const actor = networkActor(context, instance.id, networkOf(request.ip))
  const about = `person:${person.id}`
  const details = { with: means }
  await noteEvent(context, { instanceId: instance.id, kind: 'staff_signed_in', actor, about, details })
  // Known is a browser in which the person's own password, or passkey, was right: an issuer's word guards no guesses of that.
  if (!person.by)
    reply.header('set-cookie', markBrowser(context, instance, { email: person.email, visit: visitOf(step) }))
  return { redirectTo }
}

/** How and when it was proven there: a session of ours is as old as that. */
const loginBy = ({ issuer, signedInAtMs }: NonNullable<Proven['by']>) => ({
  amr: [BY_ISSUER],
  acr: issuer,
  ts: Math.floor(signedInAtMs / 1_000),
})

/** With what the first step was taken. */
export const firstOf = ({ by }: Pick<Proven, 'by'>): First => (by ? 'issuer' : 'password')
