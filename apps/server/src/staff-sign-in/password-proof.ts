/**
 * What lies between the two steps of a sign-in: that a password was right, or that the provider's own issuer has said who it is, for this
 * try in this browser alone. A change of the
 * password, or of the second factor, removes it, as it does everything else that was proven so far.
 */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import { isStillLinked, type ByIssuer } from '../issuers/issuers.ts'
import type { Instance } from '../instances/instances.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { hashOf } from '../staff/staff.ts'
import { byIssuerOf } from './issuer-proof.ts'
import {
  hasPasswordHash,
  keepItem,
  readItem,
  readPersonById,
  takeItemRow,
  type PersonRow,
} from './oidc-items.queries.ts'

const VALID_MS = 10 * 60_000
const MODEL = 'PasswordProof'

/** Whose first step it is; with `by` it was taken at an issuer. */
export type Proven = PersonRow & { readonly by?: ByIssuer }

type Parts = Pick<Context, 'clock'> & { readonly db: Connection }

const keyOf = (instance: Instance, uid: string) => ({
  instanceId: instance.id,
  model: MODEL,
  idHash: hashOf(uid),
})

/** Is the first step still true? Waits for whoever is just changing that. */
export function isStillTrue(tx: Transaction, instance: Instance, person: Proven): Promise<boolean> {
  return person.by
    ? isStillLinked(tx, instance.id, { personId: person.id, by: person.by })
    : hasPasswordHash(tx, person)
}

/** Keeps it. Refuses `sign_in_expired` when the password has just become another, or the issuer is off. */
export async function keepProof(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  instance: Instance,
  { uid, person }: { readonly uid: string; readonly person: Proven },
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await isStillTrue(tx, instance, person))) throw new Refusal('sign_in_expired')
    await keepItem(tx, keyOf(instance, uid), {
      payload: { accountId: person.id, ...(person.by && { by: person.by }) },
      uid: null,
      grantId: null,
      expiresAt: new Date(clock.now() + VALID_MS).toISOString(),
    })
  })
}

/** Who has taken the first step of this try, if anybody has. */
export async function findProof(
  { db, clock }: Parts,
  instance: Instance,
  uid: string,
): Promise<Proven | undefined> {
  const at = new Date(clock.now()).toISOString()
  const item = await readItem(db, keyOf(instance, uid), at)
  const person = item && (await readPersonById(db, String(item.payload['accountId'])))
  const by = item && byIssuerOf(item.payload)
  return person && { ...person, ...(by && { by }) }
}

/** The same. Refuses `sign_in_expired`. */
export async function readProof(parts: Parts, instance: Instance, uid: string): Promise<Proven> {
  const person = await findProof(parts, instance, uid)
  if (!person) throw new Refusal('sign_in_expired')
  return person
}

/** Uses it up: of two at once, one. */
export function takeProof(
  tx: Transaction,
  { clock, instance, uid }: Pick<Context, 'clock'> & { readonly instance: Instance; readonly uid: string },
): Promise<boolean> {
  return takeItemRow(tx, keyOf(instance, uid), new Date(clock.now()).toISOString())
}
