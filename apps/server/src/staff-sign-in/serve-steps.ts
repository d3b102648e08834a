/**
 * The steps of a sign-in that a portal's form sends: the password, then the second factor, which may have to be set up first; or a
 * passkey in the place of both.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import { z } from 'zod'
import { Refusal } from '@kvitt/domain/errors.ts'
import { addPasskey as addPasskeyCall, passkeyAssertion } from '@kvitt/domain/staff/passkey.contract.ts'
import type { Context } from '../context.ts'
import { requireOwnWay } from '../issuers/issuers.ts'
import type { Transaction } from '../platform/database/database.ts'
import { readJson } from '../platform/http/read-json.ts'
import {
  addPasskey,
  askForPasskey,
  beginFactor,
  beginPasskey,
  confirmFactor,
  hasFactor,
  proveCode,
  provePasskey,
  relyingPartyOf,
  takeCodeTry,
  usePasskey,
} from '../second-factor/second-factor.ts'
import { proofOf } from './known-browser.ts'
import { serveIssuerSteps } from './issuer-steps.ts'
import { detailsOf, placeOf } from './oidc-request.ts'
import { findProof, isStillTrue, readProof, takeProof, type Proven } from './password-proof.ts'
import type { Place } from './place.ts'
import { provePassword, requireMembership } from './prove-password.ts'
import {
  AT,
  finish,
  finishProven,
  finishSetUp,
  firstOf,
  goOn,
  requireMaySetUp,
  tryOf,
  visitOf,
  type Next,
  type Step,
} from './steps.ts'

const sent = z.object({ code: z.string().min(1).max(40) })

/** Serves them below a scope of their own. */
export function serveSteps(
  scope: FastifyInstance,
  context: Context,
  providerOf: (place: Place) => Promise<Provider>,
): void {
  readJson(scope)
  const read = async (request: FastifyRequest, reply: FastifyReply): Promise<Step> => {
    const place = placeOf(request)
    const provider = await providerOf(place)
    const { uid, params } = await detailsOf(provider, request, reply)
    return { context, provider, place, request, reply, uid, clientId: String(params.client_id) }
  }
  const step = (method: 'POST' | 'PUT', url: string, answer: (step: Step) => Promise<object>) =>
    scope.route({
      method,
      url,
      handler: async (request, reply) => {
        const body = await answer(await read(request, reply))
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
  serveIssuerSteps(scope, step, read)
}

/** What comes after the password: a code, a passkey, setting one up, or nothing more. */
async function takePassword(step: Step): Promise<{ redirectTo: string } | Next> {
  const { context, place, request, clientId } = step
  const { instance } = place
  const person = await provePassword(context, instance, { body: request.body, clientId, ...visitOf(step) })
  return goOn(step, person, { isEnough: false })
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
  if (!after) await requireOwnWay(context.db, instance, proven.person.email)
  const isTrue = async (tx: Transaction) => {
    const isTaken = await takeProof(tx, { clock: context.clock, instance, uid })
    if (after?.by && !(isTaken && (await isStillTrue(tx, instance, after)))) return false
    return usePasskey(tx, context, { instance, address: request.ip, proven })
  }
  const person = { ...proven.person, ...(after?.by && { by: after.by }) }
  return finish(step, person, isTrue, after ? `${firstOf(after)}, passkey` : 'passkey')
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
  const means = `${firstOf(person)}, ${isRecovery ? 'recovery code' : 'code'}` as const
  return { ...proven, ...(await finishProven(step, person, means)) }
}

/** Whose first step was right, and is still: another one, or a reset, ends the proof of it. */
const ownerOf = (step: Step, person: Proven) => ({
  instance: step.place.instance,
  person,
  isByIssuer: person.by !== undefined,
  requireStill: async (tx: Transaction) => {
    const { context, place, uid } = step
    const still = await readProof({ db: tx, clock: context.clock }, place.instance, uid)
    if (still.id !== person.id) throw new Refusal('sign_in_expired')
    // Asked with the person held: they may have begun to work somewhere else meanwhile.
    await requireMaySetUp(tx, place.instance, still)
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
  await requireMaySetUp(step.context.db, instance, person)
  return ownerOf(step, person)
}

/** A passkey signs in alone: one that an issuer's word has made would outlive that word. Refuses `issuer_session`. */
async function requireOwnFirst({ context, place, uid }: Step): Promise<void> {
  if ((await readProof(context, place.instance, uid)).by) throw new Refusal('issuer_session')
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
  return { recoveryCodes, ...(await finishSetUp(step, person, `${firstOf(person)}, code`)) }
}

/** What the browser makes a passkey from, in the place of the app. */
async function beginOwnPasskey(step: Step) {
  await requireOwnFirst(step)
  const owner = await ownerWithout(step)
  return beginPasskey(step.context, owner, { by: { signIn: step.uid }, party: relyingPartyOf(step.request) })
}

async function addOwnPasskey(step: Step): Promise<{ redirectTo: string; recoveryCodes: readonly string[] }> {
  const { context, place, request, uid } = step
  await requireOwnFirst(step)
  const person = await readProof(context, place.instance, uid)
  const read = addPasskeyCall.body.safeParse(request.body)
  if (!read.success) throw new Refusal('invalid_request', {}, ['passkey'])
  const adding = { by: { signIn: uid }, party: relyingPartyOf(request), ...read.data }
  const recoveryCodes = await addPasskey(context, ownerOf(step, person), adding)
  return { recoveryCodes, ...(await finishSetUp(step, person, 'password, passkey')) }
}
