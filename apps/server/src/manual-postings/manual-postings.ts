/**
 * What an operator's people take back, move or write off by hand (M-30): up to a limit for a debtor and a day one person does it
 * alone; above it another decides. Under one lock of the instance, so that two at once do not both stay below it.
 */
import type { Currency } from '@kvitt/domain/money.ts'
import { mostByOnePerson } from '@kvitt/domain/refunds/refund.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { insertByHandRows, readMostByHand, type ByHand } from './manual-postings.queries.ts'

export type { ByHand } from './manual-postings.queries.ts'

/** Counts it for the limit. `proposalId`: which another approved; null for what one person did alone. */
export function keepByHand(
  tx: Transaction,
  instanceId: string,
  by: ByHand,
  proposalId: string | null,
): Promise<void> {
  return insertByHandRows(tx, instanceId, by, proposalId)
}

/** Whether it is above the limit, with what was done by hand for one of its debtors on that day. */
export async function needsAnother(
  db: Connection,
  instanceId: string,
  by: Pick<ByHand, 'debtorIds' | 'currency' | 'on' | 'amountMinor'> & { readonly currency: Currency },
): Promise<boolean> {
  const before = await readMostByHand(db, instanceId, by)
  return before + by.amountMinor > mostByOnePerson(by.currency)
}
