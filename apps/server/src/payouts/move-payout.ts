/** How a payout and its settlement move on, together and along their tables. */
import { canMovePayout, type PayoutStatus } from '@kvitt/domain/payouts/payout.ts'
import { canMoveSettlement, type SettlementStatus } from '@kvitt/domain/settlements/settlement.ts'
import type { Transaction } from '../platform/database/database.ts'
import { endTask } from '../tasks/tasks.ts'
import { countOpenPayouts, movePayoutRow, moveSettlementRow, type PayoutRow } from './payouts.queries.ts'

const SETTLEMENT_OF: Readonly<Partial<Record<PayoutStatus, SettlementStatus>>> = {
  PAID: 'PAID',
  REFUSED: 'REFUSED',
  RETURNED: 'REFUSED',
  NOT_EXECUTED: 'REFUSED',
}

/** Moves a settlement from the status that it has under its lock. */
export async function moveSettlement(
  tx: Transaction,
  instanceId: string,
  { id, from, to }: { readonly id: string; readonly from: SettlementStatus; readonly to: SettlementStatus },
): Promise<void> {
  if (!canMoveSettlement(from, to)) throw new Error(`a settlement cannot become ${to} from ${from}`)
  await moveSettlementRow(tx, instanceId, { id, from, to })
}

/**
 * Moves a payout that is locked, and its settlement with it. Answers false when it is there already or the bank has told something
 * stronger. Nobody waits for the bank any more once it has told of all payouts of the file.
 */
export async function movePayout(
  tx: Transaction,
  instanceId: string,
  payout: PayoutRow,
  { to, reason }: { readonly to: PayoutStatus; readonly reason?: string | null },
): Promise<boolean> {
  const { id, status: from, settlementId, fileId } = payout
  if (!canMovePayout(from, to)) return false
  await movePayoutRow(tx, instanceId, { id, from, to, reason: reason ?? null })
  const settled = SETTLEMENT_OF[to]
  if (settled !== undefined && settlementId !== null && from !== 'NOT_EXECUTED')
    await moveSettlement(tx, instanceId, {
      id: settlementId,
      from: from === 'PAID' ? 'PAID' : 'SENT',
      to: settled,
    })
  if ((await countOpenPayouts(tx, instanceId, fileId)) === 0)
    await endTask(tx, { instanceId, kind: 'payout_to_confirm', about: `payout-file:${fileId}` })
  return true
}
