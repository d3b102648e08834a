/** A person's own passkeys: which there are, what they are called, and how one ends. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type * as contract from '@kvitt/domain/staff/passkey.contract.ts'
import { noteWithin } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { OfficePrincipal } from '../staff/staff.ts'
import { countCodesLeft, endProofs, readFactor, replaceCodeRows } from './factors.queries.ts'
import { requireFactorLeft, requireWayIn } from './left-factors.ts'
import { hasPassword, readPasskeys, removePasskeyRow, renamePasskeyRow } from './passkeys.queries.ts'
import type { RelyingParty } from './relying-party.ts'
import { holdOwner, noteFactor, type ChangingOwner, type FactorOwner } from './set-up.ts'

const iso = (at: string): string => new Date(at).toISOString()

/** @param party where the person is; undefined where no browser makes passkeys */
export async function listPasskeys(
  { db }: Pick<Context, 'db'>,
  personId: string,
  party: RelyingParty | undefined,
): Promise<AnswerOf<typeof contract.listPasskeys>> {
  const rows = await readPasskeys(db, personId)
  const passkeys = rows.map(({ id, name, rp_id, is_backed_up, made_at, used_at }) => ({
    id,
    name,
    host: rp_id,
    isOfHere: rp_id === party?.id,
    isBackedUp: is_backed_up,
    madeAt: iso(made_at),
    usedAt: used_at === null ? null : iso(used_at),
  }))
  return { passkeys, canAdd: party !== undefined }
}

/** Refuses `not_found`: another person's passkey does not exist. */
export async function findPasskey(
  { db }: Pick<Context, 'db'>,
  principal: OfficePrincipal,
  id: string,
): Promise<{ readonly id: string }> {
  const rows = principal.kind === 'staff' ? await readPasskeys(db, principal.personId) : []
  if (!rows.some((row) => row.id === id.toLowerCase())) throw new Refusal('not_found')
  return { id: id.toLowerCase() }
}

/** Refuses `not_found`. */
export function renamePasskey(
  context: Context,
  { instance, person }: FactorOwner,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<undefined> {
  return context.db.transaction(async (tx) => {
    if (!(await renamePasskeyRow(tx, { personId: person.id, id, name }))) throw new Refusal('not_found')
    const actor = `person:${person.id}`
    const about = `passkey:${id}`
    await noteWithin(tx, { instanceId: instance.id, kind: 'staff_passkey_renamed', actor, about })
    return undefined
  })
}

type Removal = { readonly id: string; readonly sessionId: string }

/**
 * Ends one, and every other session: it may be in hands that it should not be in. Refuses `not_found`, `second_factor_required` for
 * the last one that works where two steps are asked for, and `last_way_in` for that of somebody without a password.
 */
export function removePasskey(
  context: Context,
  owner: ChangingOwner,
  { id, sessionId }: Removal,
): Promise<undefined> {
  const { person } = owner
  return context.db.transaction(async (tx) => {
    await holdOwner(tx, owner)
    const keys = await readPasskeys(tx, person.id)
    const key = keys.find((one) => one.id === id)
    if (!key) throw new Refusal('not_found')
    const isLast = keys.length === 1
    const hasApp = (await readFactor(tx, person.id)) !== undefined
    const hosts = keys.map(({ rp_id }) => rp_id)
    const before = { hasApp, hosts, codes: await countCodesLeft(tx, person.id) }
    const after = { ...before, hosts: keys.filter((one) => one !== key).map(({ rp_id }) => rp_id) }
    await requireFactorLeft(tx, person.id, { before, after })
    if (!(await hasPassword(tx, person.id))) await requireWayIn(tx, person.id, { before, after })
    await removePasskeyRow(tx, person.id, id)
    if (isLast && !hasApp) await replaceCodeRows(tx, person.id, [])
    const at = new Date(context.clock.now()).toISOString()
    await endProofs(tx, { personId: person.id, at, exceptSession: sessionId })
    await noteFactor(context, tx, { ...owner, kind: 'staff_passkey_removed', passkey: key.name })
    return undefined
  })
}
