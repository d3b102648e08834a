/**
 * What an operator's people take back, move, write off or send back by hand (M-30): up to one limit for a debtor and a day one person
 * does it alone; above it another decides. Under one lock of the instance, so that two at once do not both stay below it.
 */
import type { Currency } from '@kvitt/domain/money.ts'
import { mostByOnePerson } from '@kvitt/domain/refunds/refund.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { insertByHandRows, readMostByHand, type ByHand, type WayOfHand } from './manual-postings.queries.ts'

export type { ByHand } from './manual-postings.queries.ts'

/** Counts it for the limit. `proposalId`: which another approved; null for what one person did alone. */
export function keepByHand(
  tx: Transaction,
  instanceId: string,
  by: ByHand,
  proposalId: string | null,
): Promise<void> {
  return insertByHandRows(tx, instanceId, by, { way: 'PORTAL', proposalId })
}

/** Counts for the limit what is not held by it. */
export function countByHand(
  tx: Transaction,
  instanceId: string,
  by: ByHand,
  way: Exclude<WayOfHand, 'PORTAL'>,
): Promise<void> {
  return insertByHandRows(tx, instanceId, by, { way, proposalId: null })
}

type OfDay = Pick<ByHand, 'debtorIds' | 'on'> & { readonly currency: Currency }

/** Whether it is above the limit, with what was done by hand for one of its debtors on that day. */
export async function needsAnother(
  db: Connection,
  instanceId: string,
  by: OfDay & Pick<ByHand, 'amountMinor'>,
): Promise<boolean> {
  return (await readRoom(db, instanceId, by))(by.amountMinor)
}

/** Which sums would be above it, in minor units. */
export async function readRoom(
  db: Connection,
  instanceId: string,
  of: OfDay,
): Promise<(minor: number) => boolean> {
  const before = await readMostByHand(db, instanceId, of)
  return (minor) => before + minor > mostByOnePerson(of.currency)
}
