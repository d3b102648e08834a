/** The step of a sign-in that is taken at the provider's own issuer, in the place of the password. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Refusal } from '@kvitt/domain/errors.ts'
import { ISSUER_REFUSALS } from '@kvitt/domain/staff/issuer.ts'
import { networkActor, noteEvent } from '../audit/audit.ts'
import {
  beginThere,
  countsAsBoth,
  findLinked,
  finishThere,
  offerFor,
  refusalOf,
  type Offer,
} from '../issuers/issuers.ts'
import { networkOf } from '../sign-in/viewer.ts'
import { OIDC_PATH, PORTAL_CLIENTS } from './place.ts'
import { requireMembership } from './prove-password.ts'
import { AT, goOn, type Next, type Step } from './steps.ts'

const sent = z.object({ email: z.string().min(1).max(254) })

type Serve = (method: 'POST' | 'PUT', url: string, answer: (step: Step) => Promise<object>) => unknown
type Read = (request: FastifyRequest, reply: FastifyReply) => Promise<Step>

/** Serves what is offered, the way there, and the way back. */
export function serveIssuerSteps(scope: FastifyInstance, serve: Serve, read: Read): void {
  serve('POST', `${AT}/issuer-of`, offer)
  serve('POST', `${AT}/issuer`, begin)
  scope.get(`${AT}/issuer`, async (request, reply) => {
    const step = await read(request, reply)
    return reply.header('cache-control', 'no-store').redirect(await comeBack(step), 303)
  })
}

function emailIn({ request }: Step): string {
  const body = sent.safeParse(request.body)
  if (!body.success) throw new Refusal('invalid_request', {}, ['email'])
  return body.data.email
}

/** Of the address's domain alone: it is the same whether anybody has that address. */
function offer(step: Step): Promise<Offer> {
  return offerFor(step.context.db, step.place.instance.id, emailIn(step))
}

/** Where the browser goes. */
async function begin(step: Step): Promise<{ goTo: string }> {
  const { context, place, request, uid } = step
  const goTo = await beginThere(context, {
    instance: place.instance,
    address: request.ip,
    origin: place.origin,
    email: emailIn(step),
    secret: uid,
    goOn: `${OIDC_PATH}/interaction/${uid}/issuer`,
  })
  return { goTo }
}

/** Back from the issuer: where the page goes on, in the sign-in that this browser is in the middle of. What is refused is said there. */
async function comeBack(step: Step): Promise<string> {
  try {
    const answer = await prove(step)
    return 'redirectTo' in answer ? answer.redirectTo : pageOf(step, wordsOf(answer))
  } catch (error) {
    const code = refusalOf(error)
    const told = ISSUER_REFUSALS.find((one) => one === code)
    if (!told) throw error
    return pageOf(step, { refused: told })
  }
}

const wordsOf = ({ next, hasPasskey }: Next) => ({ next, ...(hasPasskey && { passkey: 'yes' }) })

function pageOf({ place, clientId, uid }: Step, words: Readonly<Record<string, string>>): string {
  const client = PORTAL_CLIENTS.find((name) => name === clientId)
  if (!client) throw new Refusal('not_found')
  return `${place.bases[client]}?${new URLSearchParams({ interaction: uid, ...words }).toString()}`
}

async function prove(step: Step): Promise<{ redirectTo: string } | Next> {
  const { context, place, request, uid, clientId } = step
  const { instance } = place
  const coming = { instance, address: request.ip, secret: uid }
  const query = request.query as Readonly<Record<string, unknown>>
  const { issuer, subject, signedInAtMs } = await finishThere(context, { ...coming, query })
  // Never by the address: who is not linked is nobody here, whatever it says.
  const person = await findLinked(context.db, { instanceId: instance.id, issuer, subject })
  if (!person) {
    const actor = networkActor(context, instance.id, networkOf(request.ip))
    const details = { why: 'not_linked' }
    await noteEvent(context, {
      instanceId: instance.id,
      kind: 'staff_refused',
      actor,
      about: 'issuer',
      details,
    })
    throw new Refusal('issuer_not_linked')
  }
  await requireMembership(context, instance, { personId: person.id, clientId })
  const isEnough = await countsAsBoth(context.db, instance.id)
  return goOn(step, { ...person, by: { issuer, subject, signedInAtMs } }, { isEnough })
}
