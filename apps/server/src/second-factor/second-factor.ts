/** The second factor of people who work here: one-time codes, passkeys, and recovery codes for when those are lost. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import type { Connection, Database } from '../platform/database/database.ts'
import { isOfDemo, readFactor, readWorker } from './factors.queries.ts'
import { readPasskeys } from './passkeys.queries.ts'
import type { RelyingParty } from './relying-party.ts'
import { resetFactor } from './set-up.ts'

export { addPasskey, beginPasskey } from './add-passkey.ts'
export { proveCode, takeCodeTry } from './prove-code.ts'
export { askForPasskey, provePasskey, usePasskey } from './prove-passkey.ts'
export { findRelyingParty, relyingPartyOf } from './relying-party.ts'
export {
  beginFactor,
  confirmFactor,
  dropFactorOfIssuer,
  forgetBegunFactors,
  hasFactor,
  resetFactor,
} from './set-up.ts'

/** Does the instance ask for one? Live ones do unless their operator has said otherwise; people of the demo never need one. */
export async function isFactorRequired(
  { db }: Pick<Context, 'db'>,
  { row }: Instance,
  personId: string,
): Promise<boolean> {
  const isRequired = row.requires_second_factor ?? row.mode === 'live'
  return isRequired && !(await isOfDemo(db, personId))
}

/** With what a person can go on after the password; `passkeys` are those of this portal's host. */
export type FactorsHere = { readonly hasAny: boolean; readonly hasApp: boolean; readonly passkeys: number }

export async function factorsHere(
  { db }: { readonly db: Connection },
  personId: string,
  party: RelyingParty | undefined,
): Promise<FactorsHere> {
  const hasApp = (await readFactor(db, personId)) !== undefined
  const keys = await readPasskeys(db, personId)
  const passkeys = keys.filter(({ rp_id }) => rp_id === party?.id).length
  return { hasAny: hasApp || keys.length > 0, hasApp, passkeys }
}

/** Takes away a lost one by a command, for whom no manager can. Refuses `not_found` and `no_second_factor`. */
export function resetByOperator(
  context: Pick<Context, 'clock' | 'config'> & { readonly db: Database },
  instance: Instance,
  { email, by }: { readonly email: string; readonly by: string },
): Promise<void> {
  return context.db.transaction(async (tx) => {
    const person = await readWorker(tx, instance.id, email)
    if (!person) throw new Refusal('not_found')
    await resetFactor(context, tx, { instance, person })
    const about = `person:${person.id}`
    await noteDeed(tx, { instanceId: instance.id, kind: 'user_factor_reset', by, about })
  })
}
