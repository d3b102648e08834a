/**
 * The steps of a sign-in that a portal's form sends: the password, then the second factor, which may have to be set up first; or a
 * passkey in the place of both.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import { z } from 'zod'
import { Refusal } from '@kvitt/domain/errors.ts'
import { addPasskey as addPasskeyCall, passkeyAssertion } from '@kvitt/domain/staff/passkey.contract.ts'
import { networkActor, noteEvent } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { readJson } from '../platform/http/read-json.ts'
import {
  addPasskey,
  askForPasskey,
  beginFactor,
  beginPasskey,
  confirmFactor,
  factorsHere,
  findRelyingParty,
  hasFactor,
  isFactorRequired,
  proveCode,
  provePasskey,
  relyingPartyOf,
  takeCodeTry,
  usePasskey,
} from '../second-factor/second-factor.ts'
import { networkOf } from '../sign-in/viewer.ts'
import { endSignIns } from '../staff/staff.ts'
import { markBrowser, proofOf, type Visit } from './known-browser.ts'
import { hasPasswordHash, type PersonRow } from './oidc-items.queries.ts'
import { asNode, detailsOf, placeOf } from './oidc-request.ts'
import { findProof, keepProof, readProof, takeProof } from './password-proof.ts'
import { OIDC_PATH, type Place } from './place.ts'
import { provePassword, requireMembership } from './prove-password.ts'

const AT = `${OIDC_PATH}/interaction/:uid`
const sent = z.object({ code: z.string().min(1).max(40) })

/** A step of the sign-in `uid` in the browser that began it. */
type Step = {
  readonly context: Context
  readonly provider: Provider
  readonly place: Place
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly uid: string
  readonly clientId: string
}

/** Serves them below a scope of their own. */
export function serveSteps(
  scope: FastifyInstance,
  context: Context,
  providerOf: (place: Place) => Promise<Provider>,
): void {
  readJson(scope)
  const step = (method: 'POST' | 'PUT', url: string, answer: (step: Step) => Promise<object>) =>
    scope.route({
      method,
      url,
      handler: async (request, reply) => {
        const place = placeOf(request)
        const provider = await providerOf(place)
        const { uid, params } = await detailsOf(provider, request, reply)
        const clientId = String(params.client_id)
        const body = await answer({ context, provider, place, request, reply, uid, clientId })
        return reply.header('cache-control', 'no-store').send(body)
      },
    })
  step('POST', AT, takePassword)
  step('POST', `${AT}/code`, takeCode)
  step('POST', `${AT}/passkey-options`, askPasskey)
  step('POST', `${AT}/passkey`, takePasskey)
  step('POST', `${AT}/second-factor`, beginOwnFactor)
  step('PUT', `${AT}/second-factor`, confirmOwnFactor)
  step('POST', `${AT}/second-factor/passkey-options`, beginOwnPasskey)
  step('PUT', `${AT}/second-factor/passkey`, addOwnPasskey)
}

const visitOf = ({ request }: Step): Visit => ({
  address: request.ip,
  cookie: { sent: request.headers.cookie, isHttps: request.isHttps },
})

const tryOf = (step: Step, { email }: PersonRow) => ({
  address: step.request.ip,
  proof: proofOf(step.context, step.place.instance, { email, visit: visitOf(step) }),
})

/** What is asked for after the password: `recovery` where a passkey of another host is all there is. */
type Next = { readonly next: 'code' | 'passkey' | 'recovery' | 'set_up'; readonly hasPasskey: boolean }

/** What comes after the password: a code, a passkey, setting one up, or nothing more. */
async function takePassword(step: Step): Promise<{ redirectTo: string } | Next> {
  const { context, place, request, uid, clientId } = step
  const { instance } = place
  const person = await provePassword(context, instance, { body: request.body, clientId, ...visitOf(step) })
  const here = await factorsHere(context, person.id, findRelyingParty(request))
  if (!here.hasAny && !(await isFactorRequired(context, instance, person.id)))
    // One that was set up meanwhile has ended what the password alone had proven.
    return finish(
      step,
      person,
      async (tx) => (await hasPasswordHash(tx, person)) && !(await hasFactor({ db: tx }, person.id)),
      'password',
    )
  await keepProof(context, instance, { uid, person })
  const hasPasskey = here.passkeys > 0
  if (!here.hasAny) return { next: 'set_up', hasPasskey }
  return { next: here.hasApp ? 'code' : hasPasskey ? 'passkey' : 'recovery', hasPasskey }
}

const signingIn = ({ place: { instance }, request, uid }: Step) => ({
  instance,
  party: relyingPartyOf(request),
  uid,
})

/** What the browser has to sign: with a passkey of whose password was right, or else with any of this portal. */
async function askPasskey(step: Step) {
  const proven = await findProof(step.context, step.place.instance, step.uid)
  return askForPasskey(step.context, signingIn(step), proven?.id)
}

/** A passkey, with or without the password before it: its device has checked who holds it. */
async function takePasskey(step: Step): Promise<{ redirectTo: string }> {
  const { context, place, request, uid, clientId } = step
  const { instance } = place
  const read = passkeyAssertion.safeParse(request.body)
  if (!read.success) throw new Refusal('invalid_request', {}, ['passkey'])
  const after = await findProof(context, instance, uid)
  const visit = visitOf(step)
  const tried = {
    assertion: read.data,
    address: request.ip,
    personId: after?.id,
    proofOf: (email: string) => proofOf(context, instance, { email, visit }),
  }
  const proven = await provePasskey(context, signingIn(step), tried)
  await requireMembership(context, instance, { personId: proven.person.id, clientId })
  const isStillTrue = async (tx: Transaction) => {
    await takeProof(tx, { clock: context.clock, instance, uid })
    return usePasskey(tx, context, { instance, address: request.ip, proven })
  }
  return finish(step, proven.person, isStillTrue, after ? 'password, passkey' : 'passkey')
}

function codeIn({ request }: Step): string {
  const read = sent.safeParse(request.body)
  if (!read.success) throw new Refusal('invalid_request', {}, ['code'])
  return read.data.code
}

/** A code of the person's app, or a recovery code: then it is said how many are left. */
async function takeCode(step: Step): Promise<{ redirectTo: string; recoveryCodesLeft?: number }> {
  const { context, place, uid } = step
  const person = await readProof(context, place.instance, uid)
  const code = codeIn(step)
  const proven = await proveCode(context, place.instance, { person, code, from: tryOf(step, person) })
  const isRecovery = proven.recoveryCodesLeft !== undefined
  const means = isRecovery ? 'password, recovery code' : 'password, code'
  return { ...proven, ...(await finishProven(step, person, means)) }
}

/** Whose password was right, and is still: another one, or a reset, ends the proof of it. */
const ownerOf = ({ context: { clock }, place: { instance }, uid }: Step, person: PersonRow) => ({
  instance,
  person,
  requireStill: async (tx: Transaction) => {
    const still = await readProof({ db: tx, clock }, instance, uid)
    if (still.id !== person.id) throw new Refusal('sign_in_expired')
  },
})

/** A secret for the app of somebody who has to have a second factor and has none. */
async function beginOwnFactor(step: Step) {
  return beginFactor(step.context, await ownerWithout(step))
}

/** Whose password was right, and who has no second factor: who has one proves it, and the password alone does not change it. */
async function ownerWithout(step: Step) {
  const {
    context,
    place: { instance },
    uid,
  } = step
  const person = await readProof(context, instance, uid)
  if (await hasFactor(context, person.id)) throw new Refusal('sign_in_expired')
  return ownerOf(step, person)
}

async function confirmOwnFactor(
  step: Step,
): Promise<{ redirectTo: string; recoveryCodes: readonly string[] }> {
  const { context, place, uid } = step
  const { instance } = place
  const person = await readProof(context, instance, uid)
  const code = codeIn(step)
  await takeCodeTry(context, instance, { person, from: tryOf(step, person) })
  const recoveryCodes = await confirmFactor(context, ownerOf(step, person), {
    code,
    sessionId: null,
    onlyFirst: true,
  })
  return { recoveryCodes, ...(await finishSetUp(step, person, 'password, code')) }
}

/** What the browser makes a passkey from, in the place of the app. */
async function beginOwnPasskey(step: Step) {
  const owner = await ownerWithout(step)
  return beginPasskey(step.context, owner, { by: { signIn: step.uid }, party: relyingPartyOf(step.request) })
}

async function addOwnPasskey(step: Step): Promise<{ redirectTo: string; recoveryCodes: readonly string[] }> {
  const { context, place, request, uid } = step
  const person = await readProof(context, place.instance, uid)
  const read = addPasskeyCall.body.safeParse(request.body)
  if (!read.success) throw new Refusal('invalid_request', {}, ['passkey'])
  const adding = { by: { signIn: uid }, party: relyingPartyOf(request), ...read.data }
  const recoveryCodes = await addPasskey(context, ownerOf(step, person), adding)
  return { recoveryCodes, ...(await finishSetUp(step, person, 'password, passkey')) }
}

const finishSetUp = (step: Step, person: PersonRow, means: Means) =>
  finish(step, person, (tx) => hasPasswordHash(tx, person), means)

const finishProven = (step: Step, person: PersonRow, means: Means) =>
  finish(
    step,
    person,
    async (tx) =>
      (await hasPasswordHash(tx, person)) &&
      (await takeProof(tx, { clock: step.context.clock, instance: step.place.instance, uid: step.uid })),
    means,
  )

/** With what somebody has shown who they are, as the log has it. */
type Means = 'password' | 'password, code' | 'password, recovery code' | 'password, passkey' | 'passkey'

/**
 * Tells the library who it is. Another password may have been set, or the second factor reset, while this was looked at: what
 * happens from here on ends the sign-in itself, and `isStillTrue` sees what has happened before.
 */
async function finish(
  step: Step,
  person: Pick<PersonRow, 'id' | 'email'>,
  isStillTrue: (tx: Transaction) => Promise<boolean | Refusal>,
  means: Means,
): Promise<{ redirectTo: string }> {
  const { context, provider, place, request, reply } = step
  const { instance } = place
  const redirectTo = await provider.interactionResult(asNode(request, place), reply.raw, {
    login: { accountId: person.id, remember: false },
  })
  const still = await context.db.transaction(isStillTrue)
  if (still !== true) {
    await endSignIns(context.db, person.id)
    throw still || new Refusal('sign_in_expired')
  }
  const actor = networkActor(context, instance.id, networkOf(request.ip))
  const about = `person:${person.id}`
  const details = { with: means }
  await noteEvent(context, { instanceId: instance.id, kind: 'staff_signed_in', actor, about, details })
  reply.header('set-cookie', markBrowser(context, instance, { email: person.email, visit: visitOf(step) }))
  return { redirectTo }
}
