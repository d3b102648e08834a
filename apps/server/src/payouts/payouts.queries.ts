/** The SQL of payouts on their way: each status changes from the one that is named. */
import type { PayoutStatus } from '@kvitt/domain/payouts/payout.ts'
import type { SettlementStatus } from '@kvitt/domain/settlements/settlement.ts'
import { statement, type Transaction } from '../platform/database/database.ts'

const COLUMNS = `o.id, o.file_id as "fileId", o.settlement_id as "settlementId", o.amount_minor as "amountMinor", o.status,
  s.creditor_id as "creditorId", s.currency`

export type PayoutRow = {
  readonly id: string
  readonly fileId: string
  readonly settlementId: string
  readonly amountMinor: number
  readonly status: PayoutStatus
  readonly creditorId: string
  readonly currency: string
}

const lockOf = (name: string, condition: string) =>
  statement(
    name,
    `select ${COLUMNS} from payout o join settlement s on s.instance_id = o.instance_id and s.id = o.settlement_id
     where o.instance_id = $1 and ${condition} order by o.id for no key update of o, s`,
  )
const one = lockOf('payouts.lockOne', 'o.id = $2')
const ofFile = lockOf('payouts.lockOfFile', 'o.file_id = $2')

/** A payout with its settlement, locked. */
export async function lockPayoutRow(
  tx: Transaction,
  instanceId: string,
  id: string,
): Promise<PayoutRow | undefined> {
  return (await tx.rows<PayoutRow>(one, [instanceId, id]))[0]
}

/** All of a file, locked in one order. */
export function lockPayoutsOfFile(tx: Transaction, instanceId: string, fileId: string): Promise<PayoutRow[]> {
  return tx.rows<PayoutRow>(ofFile, [instanceId, fileId])
}

const move = statement(
  'payouts.move',
  'update payout set status = $4, reason = $5 where instance_id = $1 and id = $2 and status = $3 returning id',
)

export async function movePayoutRow(
  tx: Transaction,
  instanceId: string,
  {
    id,
    from,
    to,
    reason = null,
  }: { id: string; from: PayoutStatus; to: PayoutStatus; reason?: string | null },
): Promise<void> {
  if ((await tx.rows(move, [instanceId, id, from, to, reason])).length !== 1)
    throw new Error(`payout ${id} was moved meanwhile`)
}

const moveSettlement = statement(
  'payouts.moveSettlement',
  'update settlement set status = $4 where instance_id = $1 and id = $2 and status = $3 returning id',
)

export async function moveSettlementRow(
  tx: Transaction,
  instanceId: string,
  { id, from, to }: { id: string; from: SettlementStatus; to: SettlementStatus },
): Promise<void> {
  if ((await tx.rows(moveSettlement, [instanceId, id, from, to])).length !== 1)
    throw new Error(`settlement ${id} was moved meanwhile`)
}

const open = statement(
  'payouts.open',
  `select count(*)::int as open from payout where instance_id = $1 and file_id = $2 and status in ('SENT', 'ACCEPTED')`,
)

/** How many of a file the bank has still to tell of. */
export async function countOpenPayouts(tx: Transaction, instanceId: string, fileId: string): Promise<number> {
  return (await tx.rows<{ open: number }>(open, [instanceId, fileId]))[0]?.open ?? 0
}
