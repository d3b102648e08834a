/** Gives every invoice of a batch its payment reference: the creditor's own when it can be used, else one of ours. */
import { isUsableReference, normaliseReference } from '@kvitt/domain/references.ts'
import {
  insertReferenceRows,
  issueReferences,
  readReferenceOwners,
  type ReferenceRow,
} from '../invoices/invoices.ts'
import type { Transaction } from '../platform/database/database.ts'

export type ReferenceWish = {
  /** As printed; null when there is none. */
  readonly printed: string | null
  /** The creditor's. */
  readonly country: string
  readonly debtorId: string
  readonly creditorId: string
}

export type GivenReference = {
  readonly reference: string
  /** What was printed, when it is not what is used. */
  readonly original: string | null
  readonly warning: string | null
}

/** What is printed, when it can be used as it is. */
function usableReference({ printed, country }: ReferenceWish): string | undefined {
  if (printed === null || !isUsableReference(printed, country)) return undefined
  const reference = normaliseReference(printed)
  // A usable reference of one digit exists on paper only.
  return reference.length >= 2 ? reference : undefined
}

function row(wish: ReferenceWish, reference: string): ReferenceRow {
  return { reference, debtor_id: wish.debtorId, creditor_id: wish.creditorId }
}

/** Who owns the references that the creditors printed, ours from now on when they were free. */
async function claimPrinted(
  tx: Transaction,
  instanceId: string,
  usable: ReadonlyMap<ReferenceWish, string>,
): Promise<Map<string, ReferenceRow>> {
  const owners = new Map<string, ReferenceRow>()
  for (const [wish, reference] of usable) {
    // The first invoice of a batch to print it is the one that asks for it.
    if (!owners.has(reference)) owners.set(reference, row(wish, reference))
  }
  if (owners.size === 0) return owners
  const claimed = await insertReferenceRows(tx, instanceId, [...owners.values()])
  const others = [...owners.keys()].filter((reference) => !claimed.has(reference))
  if (others.length > 0) {
    for (const owner of await readReferenceOwners(tx, instanceId, others)) owners.set(owner.reference, owner)
  }
  return owners
}

/**
 * References in the order of `wishes` (D-22). One reference may carry several invoices of one debtor and
 * creditor; one that belongs to others is replaced by ours. Two imports that race for a reference wait for each
 * other in the database, and the second sees whose it is.
 */
export async function claimReferences(
  tx: Transaction,
  instanceId: string,
  wishes: readonly ReferenceWish[],
): Promise<GivenReference[]> {
  const usable = new Map<ReferenceWish, string>()
  for (const wish of wishes) {
    const reference = usableReference(wish)
    if (reference !== undefined) usable.set(wish, reference)
  }
  const owners = await claimPrinted(tx, instanceId, usable)
  const own = (wish: ReferenceWish): string | undefined => {
    const reference = usable.get(wish)
    const owner = reference === undefined ? undefined : owners.get(reference)
    const isOwner = owner?.debtor_id === wish.debtorId && owner.creditor_id === wish.creditorId
    return isOwner ? reference : undefined
  }
  const ours = await issueReferences(
    tx,
    instanceId,
    wishes.filter((wish) => own(wish) === undefined),
  )
  return wishes.map((wish) => {
    const reference = own(wish)
    if (reference !== undefined) return { reference, original: null, warning: null }
    const isTaken = usable.has(wish)
    return {
      reference: ours.get(wish) ?? '',
      original: wish.printed,
      warning: isTaken
        ? `The payment reference ${wish.printed} belongs to another debtor or creditor; the invoice got one of ours.`
        : null,
    }
  })
}
