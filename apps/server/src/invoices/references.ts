/** Payment references that we issue (D-22). */
import { makeReference } from '@kvitt/domain/references.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newReferenceDigits } from '../platform/identity.ts'
import { insertReferenceRows } from './references.queries.ts'

/** Whose the reference will be, and the creditor's country, which decides its form. */
type Owner = { readonly country: string; readonly debtorId: string; readonly creditorId: string }

/** Twelve random digits collide about once in a million issues in a full database; five tries are never used up. */
const MOST_TRIES = 5

/** A free reference for each of `owners`, theirs from now on. */
export async function issueReferences<O extends Owner>(
  tx: Transaction,
  instanceId: string,
  owners: readonly O[],
): Promise<Map<O, string>> {
  const given = new Map<O, string>()
  for (let left = [...owners], tries = 0; left.length > 0; tries++) {
    if (tries === MOST_TRIES) throw new Error('no free payment reference was found')
    const drawn = new Map(left.map((owner) => [makeReference(owner.country, newReferenceDigits()), owner]))
    const rows = [...drawn].map(([reference, owner]) => ({
      reference,
      debtor_id: owner.debtorId,
      creditor_id: owner.creditorId,
    }))
    for (const reference of await insertReferenceRows(tx, instanceId, rows)) {
      const owner = drawn.get(reference)
      if (owner) given.set(owner, reference)
    }
    left = left.filter((owner) => !given.has(owner))
  }
  return given
}
