/** E-mail address and password of somebody who signs in. Every answer is the same whether the account exists. */
import { z } from 'zod'
import { Refusal } from '@kvitt/domain/errors.ts'
import { noteEvent, networkActor } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { requireOwnWay } from '../issuers/issuers.ts'
import type { Instance } from '../instances/instances.ts'
import { budgetsOfAccount, takeTry } from '../sign-in/sign-in.ts'
import { networkOf } from '../sign-in/viewer.ts'
import { isPassword } from '../staff/staff.ts'
import { proofOf, type Visit } from './known-browser.ts'
import { readMemberships, readPersonByEmail, type PersonRow } from './oidc-items.queries.ts'
import { isOfPortal } from './place.ts'

const MINUTE_MS = 60_000
const WINDOW_MS = 15 * MINUTE_MS

const sent = z.object({ email: z.string().min(1).max(254), password: z.string().min(1).max(200) })

type Try = Visit & { readonly body: unknown; readonly clientId: string }

/**
 * The person whose password it is, and who works in this portal. Refuses `issuer_required`, `sign_in_throttled` after too many tries,
 * `sign_in_failed` for a wrong pair, and `sign_in_no_membership` once a right one has shown who it is.
 */
export async function provePassword(
  context: Context,
  instance: Instance,
  { body, clientId, ...visit }: Try,
): Promise<PersonRow> {
  const read = sent.safeParse(body)
  if (!read.success) throw new Refusal('invalid_request', {}, ['email', 'password'])
  const email = read.data.email.trim().toLowerCase()
  // Of the address alone: nobody learns whether somebody has it.
  await requireOwnWay(context.db, instance, email)
  const { address } = visit
  const proof = proofOf(context, instance, { email, visit })
  // Counted before the password is looked at: many at once are counted as many.
  const isAllowed = await takeTry(context, instance, {
    scope: 'staff-sign-in',
    budgets: budgetsOfAccount({ account: email, address, proof }),
    windowMs: WINDOW_MS,
  })
  if (!isAllowed) throw new Refusal('sign_in_throttled')
  const person = await readPersonByEmail(context.db, email)
  const isRight = await isPassword(person?.password_hash ?? null, read.data.password)
  const actor = networkActor(context, instance.id, networkOf(address))
  if (!person || !isRight) {
    await noteEvent(context, { instanceId: instance.id, kind: 'staff_refused', actor, about: 'sign-in' })
    throw new Refusal('sign_in_failed')
  }
  await requireMembership(context, instance, { personId: person.id, clientId })
  return person
}

/** Refuses `sign_in_no_membership` for whoever has shown who they are, and does not work in this portal. */
export async function requireMembership(
  { db }: Pick<Context, 'db'>,
  instance: Instance,
  { personId, clientId }: { readonly personId: string; readonly clientId: string },
): Promise<void> {
  const all = await readMemberships(db, instance.id, personId)
  if (!all.some(({ creditor_id }) => isOfPortal(clientId, creditor_id)))
    throw new Refusal('sign_in_no_membership')
}
