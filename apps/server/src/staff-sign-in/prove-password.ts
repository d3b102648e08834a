/** E-mail address and password of somebody who signs in. Every answer is the same whether the account exists (staff.md 2). */
import { z } from 'zod'
import { Refusal } from '@kvitt/domain/errors.ts'
import { noteEvent, networkActor } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import { guessNetworksOf, proofFor, rememberDevice, takeTry } from '../sign-in/sign-in.ts'
import { networkOf } from '../sign-in/viewer.ts'
import { isPassword } from '../staff/staff.ts'
import { readMemberships, readPersonByEmail, type PersonRow } from './oidc-items.queries.ts'
import { isOfPortal } from './place.ts'

const MINUTE_MS = 60_000
const WINDOW_MS = 15 * MINUTE_MS
/** Tries in 15 minutes of one account, from one network and from all, and of one network at any accounts. */
const PER_ACCOUNT_AND_NETWORK = 10
const PER_ACCOUNT = 60
const PER_NETWORK = 200

const sent = z.object({ email: z.string().min(1).max(254), password: z.string().min(1).max(200) })

type Try = {
  readonly body: unknown
  readonly address: string
  readonly clientId: string
  /** The Cookie header, and whether the browser reaches us over https. */
  readonly cookie: Parameters<typeof proofFor>[2]
}

export type ProvenPerson = {
  readonly person: PersonRow
  /** Marks the browser as one in which this account has signed in. */
  readonly setCookie: string
}

/**
 * The person who has proven themselves and works in this portal. Refuses `sign_in_throttled` after too many tries,
 * `sign_in_failed` for a wrong pair, and `sign_in_no_membership` once a right one has shown who it is.
 */
export async function provePassword(
  context: Context,
  instance: Instance,
  { body, address, clientId, cookie }: Try,
): Promise<ProvenPerson> {
  const read = sent.safeParse(body)
  if (!read.success) throw new Refusal('invalid_request', {}, ['email', 'password'])
  const email = read.data.email.trim().toLowerCase()
  const signer = { key: context.guessKey, nowMs: context.clock.now() }
  const device = { instanceId: instance.id, reference: `staff:${email}`, zip: '' }
  const proof = proofFor(signer, device, cookie)
  // Counted before the password is looked at: many at once are counted as many.
  const isAllowed = await takeTry(context, instance, {
    scope: 'staff-sign-in',
    budgets: budgetsOf({ email, address, proof }),
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
  const all = await readMemberships(context.db, instance.id, person.id)
  if (!all.some(({ creditor_id }) => isOfPortal(clientId, creditor_id))) {
    throw new Refusal('sign_in_no_membership')
  }
  const about = `person:${person.id}`
  await noteEvent(context, { instanceId: instance.id, kind: 'staff_signed_in', actor, about })
  return { person, setCookie: rememberDevice(signer, device, cookie) }
}

type Asker = { readonly email: string; readonly address: string; readonly proof: string | undefined }

/**
 * A browser in which the account has signed in has a budget of its own: whoever uses up the account's from many networks keeps
 * nobody out who works here (staff.md 2). The proof lies in that browser alone.
 */
function budgetsOf({ email, address, proof }: Asker) {
  const { network, site } = guessNetworksOf(address)
  return [
    { name: JSON.stringify(['network', network]), limit: PER_NETWORK },
    ...(site ? [{ name: JSON.stringify(['site', site]), limit: 2 * PER_NETWORK }] : []),
    ...(proof === undefined
      ? [
          { name: JSON.stringify(['pair', email, site ?? network]), limit: PER_ACCOUNT_AND_NETWORK },
          { name: JSON.stringify(['account', email]), limit: PER_ACCOUNT },
        ]
      : [{ name: JSON.stringify(['device', email, proof]), limit: PER_ACCOUNT_AND_NETWORK }]),
  ]
}
