/**
 * What lies between the two steps of a sign-in: that a password was right, for this try in this browser alone. A change of the
 * password, or of the second factor, removes it, as it does everything else that was proven so far.
 */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { hashOf } from '../staff/staff.ts'
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

type Parts = Pick<Context, 'clock'> & { readonly db: Connection }

const keyOf = (instance: Instance, uid: string) => ({
  instanceId: instance.id,
  model: MODEL,
  idHash: hashOf(uid),
})

/** Keeps it. Refuses `sign_in_expired` when the password has just become another. */
export async function keepProof(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  instance: Instance,
  { uid, person }: { readonly uid: string; readonly person: PersonRow },
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await hasPasswordHash(tx, person))) throw new Refusal('sign_in_expired')
    await keepItem(tx, keyOf(instance, uid), {
      payload: { accountId: person.id },
      uid: null,
      grantId: null,
      expiresAt: new Date(clock.now() + VALID_MS).toISOString(),
    })
  })
}

/** Whose password was right in this try, if anybody's was. */
export async function findProof(
  { db, clock }: Parts,
  instance: Instance,
  uid: string,
): Promise<PersonRow | undefined> {
  const at = new Date(clock.now()).toISOString()
  const item = await readItem(db, keyOf(instance, uid), at)
  return item && readPersonById(db, String(item.payload['accountId']))
}

/** The same. Refuses `sign_in_expired`. */
export async function readProof(parts: Parts, instance: Instance, uid: string): Promise<PersonRow> {
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
