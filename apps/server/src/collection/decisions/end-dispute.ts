/** The end of a dispute by a decision, in the caller's transaction. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { noteDeed } from '../../audit/audit.ts'
import type { ClaimKey } from '../../claims/claims.ts'
import { endOpenDispute, type InvoiceKey } from '../../invoices/invoices.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { findOpenDispute, type OpenDisputeRow } from './decisions.queries.ts'

export type Decided = {
  readonly status: 'REJECTED' | 'UPHELD' | 'UPHELD_PART'
  readonly on: CalendarDate
  /** What the debtor is told. */
  readonly decision: string
  /** Who decided it, where a person did. */
  readonly by: string | undefined
}

/** Ends the open dispute of an invoice or claim, and writes down that a person decided it. Answers the dispute. */
export async function decideOpenDispute(
  tx: Transaction,
  key: InvoiceKey | ClaimKey,
  decided: Decided,
): Promise<OpenDisputeRow> {
  const dispute = await findOpenDispute(tx, key)
  if (!dispute) throw new Error('a debt is disputed and has no open dispute')
  await endOpenDispute(tx, key, decided)
  if (decided.by === undefined) return dispute
  const about = `dispute:${dispute.id}`
  const { by, status, decision: reason } = decided
  const deed = { instanceId: key.instanceId, kind: 'dispute_decided', by, about, reason } as const
  await noteDeed(tx, { ...deed, before: { status: 'OPEN' }, after: { status } })
  return dispute
}
