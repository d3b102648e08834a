/** An invitation that is taken up at the provider's own issuer: the account there is linked with the person, once. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorTextKey, Refusal } from '@kvitt/domain/errors.ts'
import { ISSUER_REFUSALS } from '@kvitt/domain/staff/issuer.ts'
import { noteWithin } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { beginThere, finishThere, holdIssuer, linkPerson, type Proven } from '../issuers/issuers.ts'
import type { Instance } from '../instances/instances.ts'
import { queueToStaff } from '../mail/mail.ts'
import { languageFrom, textOf, type TextKey } from '../platform/texts.ts'
import { INVITATION_PATH, openInvitationOf, portalAt, tokenIn } from './invitation.ts'
import {
  holdPersonRow,
  takeInvitationRow,
  useOtherInvitationRows,
  type OpenInvitation,
} from './users.queries.ts'

/** Where the browser comes back to; it carries the invitation in a cookie of this path alone. */
const BACK_PATH = `${INVITATION_PATH}/issuer`
const COOKIE = 'kvitt_invitation'
const MINUTES_S = 600

/** What the page of an invitation is told in its address. */
const TOLD = [
  ...ISSUER_REFUSALS,
  'sign_in_throttled',
  'issuer_other_person',
  'issuer_linked_already',
] as const

/** Serves the way there and back. */
export function serveInvitedThere(scope: FastifyInstance, context: Context): void {
  scope.get(`${INVITATION_PATH}/:token/issuer`, async (request, reply) => {
    const token = tokenIn(request)
    const invitation = await openInvitationOf(context, request, token)
    const instance = request.tenant as Instance
    return orAgain({ reply, token }, async () => {
      const goTo = await beginThere(context, {
        instance,
        address: request.ip,
        origin: `${request.isHttps ? 'https' : 'http'}://${(request.headers.host ?? '').toLowerCase()}`,
        email: invitation.email,
        secret: token,
        goOn: BACK_PATH,
      })
      return reply
        .header('cache-control', 'no-store')
        .header('set-cookie', cookieOf(token, request.isHttps, MINUTES_S))
        .redirect(goTo, 303)
    })
  })
  scope.get(BACK_PATH, async (request, reply) => {
    const token = new RegExp(`(?:^|; )${COOKIE}=([A-Za-z0-9_-]{20,100})(?:;|$)`).exec(
      request.headers.cookie ?? '',
    )?.[1]
    if (token === undefined) throw new Refusal('sign_in_expired')
    const invitation = await openInvitationOf(context, request, token)
    const instance = request.tenant as Instance
    return orAgain({ reply, token }, async () => {
      const query = request.query as Readonly<Record<string, unknown>>
      const proven = await finishThere(context, { instance, address: request.ip, secret: token, query })
      await link(context, instance, { invitation, proven })
      const page = `${portalAt(request, invitation)}?${new URLSearchParams({ user_email: invitation.email }).toString()}`
      return reply
        .header('cache-control', 'no-store')
        .header('set-cookie', cookieOf('', request.isHttps, 0))
        .redirect(page, 303)
    })
  })
}

const cookieOf = (token: string, isHttps: boolean, ageS: number): string =>
  `${COOKIE}=${token}; Path=${BACK_PATH}; Max-Age=${ageS}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`

/**
 * What is refused is said on the invitation's own page, from where the person may try once more: it is at an address of its own, without the
 * code that came back.
 */
async function orAgain(
  { reply, token }: { readonly reply: FastifyReply; readonly token: string },
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    const refused = TOLD.find((one) => error instanceof Refusal && error.code === one)
    if (!refused) throw error
    const page = `${INVITATION_PATH}/${token}?${new URLSearchParams({ refused }).toString()}`
    return reply.header('cache-control', 'no-store').redirect(page, 303)
  }
}

/** The sentence of what was refused; undefined for what nothing of ours has said. */
export function refusedThere(
  request: FastifyRequest,
  { email }: OpenInvitation,
  refused: unknown,
): string | undefined {
  const code = TOLD.find((one) => one === refused)
  const { language, row } = request.tenant as Instance
  const shown = languageFrom(request.headers['accept-language'], language)
  return code && textOf(shown, errorTextKey(code) as TextKey, { email, name: row.name })
}

type Linking = { readonly invitation: OpenInvitation; readonly proven: Proven }

/**
 * The account there has to have the address that was invited: another one is somebody else who uses this browser. Refuses
 * `issuer_other_person`, `invitation_over` for the second of two at once, `issuer_off` and `issuer_linked_already`.
 */
function link(context: Context, instance: Instance, { invitation, proven }: Linking): Promise<void> {
  const { db, clock } = context
  const { id, person_id: personId, email, name } = invitation
  const { issuer, subject, email: told } = proven
  if (!invitation.has_issuer) throw new Refusal('issuer_off')
  if (told !== email.toLowerCase()) throw new Refusal('issuer_other_person', { email })
  const at = new Date(clock.now()).toISOString()
  return db.transaction(async (tx) => {
    await holdIssuer(tx, instance.id)
    await holdPersonRow(tx, personId)
    if (!(await takeInvitationRow(tx, { instanceId: instance.id, id, at })))
      throw new Refusal('invitation_over')
    await linkPerson(tx, { instanceId: instance.id, issuer, subject }, { personId, at })
    await useOtherInvitationRows(tx, { instanceId: instance.id, personId, at })
    const actor = `person:${personId}`
    await noteWithin(tx, { instanceId: instance.id, kind: 'staff_issuer_linked', actor, about: actor })
    // As of everything with which they sign in.
    const [cause, params] = [`invitation:${id}`, { name }]
    queueToStaff(context, tx, { kind: 'staff_issuer_linked', cause, instance, recipient: email, params })
  })
}
