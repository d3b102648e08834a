/** An invitation that is taken up at the provider's own issuer: the account there is linked with the person, once. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, errorTextKey, Refusal } from '@kvitt/domain/errors.ts'
import { noteWithin } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { beginThere, finishThere, linkPerson, type Proven } from '../issuers/issuers.ts'
import type { Instance } from '../instances/instances.ts'
import { languageFrom, textOf, type TextKey } from '../platform/texts.ts'
import { INVITATION_PATH, openInvitationOf, portalAt, tokenIn, type Form } from './invitation.ts'
import { takeInvitationRow, type OpenInvitation } from './users.queries.ts'

/** Where the browser comes back to; it carries the invitation in a cookie of this path alone. */
const BACK_PATH = `${INVITATION_PATH}/issuer`
const COOKIE = 'kvitt_invitation'
const MINUTES_S = 600

type SendPage = (request: FastifyRequest, reply: FastifyReply, shown: Form) => FastifyReply

/** Serves the way there and back. */
export function serveInvitedThere(scope: FastifyInstance, context: Context, sendPage: SendPage): void {
  scope.get(`${INVITATION_PATH}/:token/issuer`, async (request, reply) => {
    const token = tokenIn(request)
    const invitation = await openInvitationOf(context, request, token)
    const instance = request.tenant as Instance
    return orAgain(sendPage, { request, reply, invitation, token }, async () => {
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
    return orAgain(sendPage, { request, reply, invitation, token }, async () => {
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

type Asked = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly invitation: OpenInvitation
  readonly token: string
}

/** What is refused is said on the invitation's own page, from where the person may try once more. */
async function orAgain(
  sendPage: SendPage,
  { request, reply, invitation, token }: Asked,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'invitation_over') throw error
    const language = languageFrom(request.headers['accept-language'], (request.tenant as Instance).language)
    const told = textOf(language, errorTextKey(error.code) as TextKey, error.params)
    return sendPage(request, reply.code(ERRORS[error.code]), { invitation, token, told })
  }
}

type Linking = { readonly invitation: OpenInvitation; readonly proven: Proven }

/**
 * The account there has to have the address that was invited: another one is somebody else who uses this browser. Refuses
 * `issuer_other_person`, `invitation_over` for the second of two at once, `issuer_off` and `issuer_linked_already`.
 */
function link({ db, clock }: Context, instance: Instance, { invitation, proven }: Linking): Promise<void> {
  const { id, person_id: personId, email } = invitation
  const { issuer, subject, email: told } = proven
  if (!invitation.has_issuer) throw new Refusal('issuer_off')
  if (told !== email.toLowerCase()) throw new Refusal('issuer_other_person', { email })
  const at = new Date(clock.now()).toISOString()
  return db.transaction(async (tx) => {
    if (!(await takeInvitationRow(tx, { instanceId: instance.id, id, at })))
      throw new Refusal('invitation_over')
    await linkPerson(tx, { instanceId: instance.id, issuer, subject }, { personId, at })
    const actor = `person:${personId}`
    await noteWithin(tx, { instanceId: instance.id, kind: 'staff_issuer_linked', actor, about: actor })
  })
}
