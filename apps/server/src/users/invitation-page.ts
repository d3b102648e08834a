/** Where an invitation leads: a plain page on which somebody chooses their password. It needs no script. */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import { noteEvent } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import { escapeHtml } from '../platform/pages/debtor-portal.ts'
import { languageFrom, textOf, type Language } from '../platform/texts.ts'
import { dropFactorOfIssuer } from '../second-factor/second-factor.ts'
import { hashPassword } from '../staff/staff.ts'
import { INVITATION_PATH, openInvitationOf, portalAt, tokenIn, type Form } from './invitation.ts'
import { refusedThere, serveInvitedThere } from './invitation-issuer.ts'
import { isStrong } from './password-strength.ts'
import { useInvitationRow, type OpenInvitation } from './users.queries.ts'

const PATH = `${INVITATION_PATH}/:token`
const LARGEST_FORM = 4_096
const STYLE = `:root{color-scheme:light dark;font:100%/1.5 system-ui,sans-serif}
body{max-width:28rem;margin:0 auto;padding:3rem 1rem;overflow-wrap:anywhere}
h1{line-height:1.2;font-size:1.6rem}
label{display:block;font-weight:600;margin:1.5rem 0 .25rem}
input{font:inherit;box-sizing:border-box;width:100%;padding:.75rem;border:1px solid;border-radius:.5rem;background:Canvas;color:CanvasText}
button,.act{display:inline-block;text-decoration:none;font:inherit;font-weight:600;margin-top:1.5rem;padding:.75rem 1.5rem;border:0;border-radius:.5rem;background:CanvasText;color:Canvas;cursor:pointer}
:focus-visible{outline:3px solid Highlight;outline-offset:2px}
.fault{border-left:4px solid;padding-left:1rem;font-weight:600}`

/** Serves the page and takes its form. */
export function serveInvitations(app: FastifyInstance, context: Context): void {
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: LARGEST_FORM },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    serveInvitedThere(scope, context)
    scope.get(PATH, async (request, reply) => {
      const invitation = await openInvitationOf(context, request, tokenIn(request))
      const { refused } = request.query as Readonly<Record<string, unknown>>
      const told = refusedThere(request, invitation, refused)
      return sendForm(request, reply, { invitation, token: tokenIn(request), ...(told && { told }) })
    })
    scope.post(PATH, async (request, reply) => {
      const invitation = await openInvitationOf(context, request, tokenIn(request))
      if (!invitation.may_choose)
        throw new Refusal('issuer_required', { name: (request.tenant as Instance).row.name })
      const isForm = request.body instanceof URLSearchParams
      if (!isForm || request.headers['sec-fetch-site'] === 'cross-site') throw new Refusal('invalid_request')
      const password = (request.body as URLSearchParams).get('password') ?? ''
      const known = [invitation.email, invitation.name, ...invitation.name.split(/\s+/)]
      if (!(await isStrong(password, known))) {
        return sendForm(request, reply.code(400), {
          invitation,
          token: tokenIn(request),
          fault: 'invitation.too_weak',
        })
      }
      await choosePassword(context, request.tenant as Instance, { invitation, password })
      return reply.header('cache-control', 'no-store').redirect(portalAt(request, invitation), 303)
    })
  })
}

type Chosen = { readonly invitation: OpenInvitation; readonly password: string }

async function choosePassword(context: Context, instance: Instance, chosen: Chosen): Promise<void> {
  const { invitation, password } = chosen
  const { id, person_id: personId, email, name, is_reset: isReset } = invitation
  const passwordHash = await hashPassword(password)
  const at = new Date(context.clock.now()).toISOString()
  const isFirst = await context.db.transaction(async (tx) => {
    // What an issuer's word has set up guards no password that it knows nothing of.
    const person = { id: personId, email, name }
    if (invitation.has_none) await dropFactorOfIssuer(context, tx, { instance, person, within: 'anywhere' })
    return useInvitationRow(tx, { instanceId: instance.id, id, at, personId, passwordHash, isReset })
  })
  if (!isFirst) throw new Refusal('invitation_over')
  const actor = `person:${personId}`
  const kind = isReset ? 'staff_password_changed' : 'staff_invitation_used'
  await noteEvent(context, { instanceId: instance.id, kind, actor, about: actor })
}

function sendForm(request: FastifyRequest, reply: FastifyReply, form: Form): FastifyReply {
  const instance = request.tenant as Instance
  const language: Language = languageFrom(request.headers['accept-language'], instance.language)
  const nonce = randomBytes(16).toString('base64')
  const html = pageOf(language, nonce, { ...form, name: instance.row.name })
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    )
    .send(html)
}

type Shown = Form & { readonly name: string }

function pageOf(language: Language, nonce: string, { invitation, token, fault, told, name }: Shown): string {
  const { has_issuer: hasIssuer, may_choose: mayChoose, email } = invitation
  const say = (key: Parameters<typeof textOf>[1]) => escapeHtml(textOf(language, key, { instance: name }))
  const sentence = fault ? say(fault) : told === undefined ? '' : escapeHtml(told)
  const refused = sentence && `<p class="fault" role="alert" id="fault">${sentence}</p>`
  const title = say(mayChoose ? 'invitation.title' : 'invitation.issuer_title')
  const there = hasIssuer
    ? `<p>${say(mayChoose ? 'invitation.issuer_or' : 'invitation.issuer_text')}</p><p><a class="act" href="${INVITATION_PATH}/${escapeHtml(token)}/issuer">${say('invitation.issuer')}</a></p>`
    : ''
  const described = fault ? 'rule fault' : 'rule'
  const choose = mayChoose
    ? `<form method="post" action="${INVITATION_PATH}/${escapeHtml(token)}"><p id="rule">${say('invitation.rule')}</p>
<input type="hidden" name="username" autocomplete="username" value="${escapeHtml(email)}">
<label for="password">${say('invitation.password')}</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="200" required aria-describedby="${described}"${fault ? ' aria-invalid="true"' : ''}>
<button>${say('invitation.choose')}</button></form>`
    : ''
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><style nonce="${nonce}">${STYLE}</style></head>
<body><main><h1>${title}</h1>${refused}${there}${choose}</main></body></html>`
}
