/** A password that is forgotten: a link by e-mail with which another is chosen, within half an hour. */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import { requireOwnWay } from '../issuers/issuers.ts'
import { queueToStaff } from '../mail/mail.ts'
import { readJson } from '../platform/http/read-json.ts'
import { newId } from '../platform/identity.ts'
import { guessNetworksOf, takeTry } from '../sign-in/sign-in.ts'
import { hashOf } from '../staff/staff.ts'
import { passwordPageOf } from './password-link.ts'
import { insertInvitationRow, readMemberByEmail } from './users.queries.ts'

const MINUTE_MS = 60_000
const LINK_MS = 30 * MINUTE_MS
const WINDOW_MS = 60 * MINUTE_MS
/** Links that one account is sent in an hour, and that one network asks for. */
const PER_ACCOUNT = 3
const PER_NETWORK = 30

const sent = z.object({ email: z.string().min(1).max(254) })

/** Serves `POST /oidc/forgotten` `{email}`. The answer is 202 whether anybody has that address or not. */
export function serveForgotten(app: FastifyInstance, context: Context): void {
  void app.register(async (scope) => {
    readJson(scope)
    scope.post('/oidc/forgotten', async (request, reply) => {
      const instance = request.tenant as Instance | undefined
      if (!instance) throw new Refusal('not_found')
      const read = sent.safeParse(request.body)
      if (!read.success) throw new Refusal('invalid_request', {}, ['email'])
      await sendLink(context, instance, { email: read.data.email.trim().toLowerCase(), address: request.ip })
      return reply.code(202).header('cache-control', 'no-store').send({})
    })
  })
}

type Forgotten = { readonly email: string; readonly address: string }

/** Refuses `issuer_required` by the domain of the address, whoever has it; `sign_in_throttled` to a network that asks for many; an account that has been sent three is sent no more, and nobody hears that. */
async function sendLink(context: Context, instance: Instance, { email, address }: Forgotten): Promise<void> {
  await requireOwnWay(context.db, instance, email)
  const { network, site } = guessNetworksOf(address)
  const take = (name: unknown, limit: number): Promise<boolean> => {
    const budgets = [{ name: JSON.stringify(name), limit }]
    return takeTry(context, instance, { scope: 'staff-forgotten', budgets, windowMs: WINDOW_MS })
  }
  if (!(await take(['network', site ?? network], PER_NETWORK))) throw new Refusal('sign_in_throttled')
  if (!(await take(['account', email], PER_ACCOUNT))) return
  const person = await readMemberByEmail(context.db, instance.id, email)
  if (!person) return
  const now = context.clock.now()
  const [id, token] = [newId(now), randomBytes(32).toString('base64url')]
  await context.db.transaction(async (tx) => {
    await insertInvitationRow(tx, {
      instanceId: instance.id,
      id,
      membershipId: null,
      personId: person.id,
      tokenHash: hashOf(token),
      expiresAt: new Date(now + LINK_MS).toISOString(),
    })
    queueToStaff(context, tx, {
      kind: 'staff_forgotten',
      cause: `invitation:${id}`,
      instance,
      recipient: person.email,
      params: {
        name: person.name,
        link: passwordPageOf(context, instance, { token, portal: person.is_creditors ? 'client' : 'admin' }),
      },
    })
  })
}
