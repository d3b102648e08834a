/** The SQL of payouts on their way: each status changes from the one that is named. */
import type { PayoutStatus } from '@kvitt/domain/payouts/payout.ts'
import type { SettlementStatus } from '@kvitt/domain/settlements/settlement.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { tasksOf } from '../tasks/tasks.ts'

const COLUMNS = `o.id, o.file_id as "fileId", o.settlement_id as "settlementId", o.amount_minor as "amountMinor", o.status,
  s.creditor_id as "creditorId", f.currency, f.message_id as "messageId", coalesce(o.about, 'payout:' || o.id) as about, o.cause,
  o.round`

export type PayoutRow = {
  readonly id: string
  readonly fileId: string
  /** Null for money that goes back to whoever paid. */
  readonly settlementId: string | null
  readonly amountMinor: number
  readonly status: PayoutStatus
  readonly creditorId: string | null
  readonly currency: string
  /** What its file is called at the bank. */
  readonly messageId: string
  /** What `about` of its row in money_out says. */
  readonly about: string
  /** The entry of the books by which it is no debtor's credit any more; null for what was nobody's, and for settlements. */
  readonly cause: string | null
  /** How often it has been ordered, or told of after two people had said that it was not executed: each round is said so once. */
  readonly round: number
}

const lockOf = (name: string, condition: string) =>
  statement(
    name,
    `select ${COLUMNS} from payout o join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id
     left join settlement s on s.instance_id = o.instance_id and s.id = o.settlement_id
     where o.instance_id = $1 and ${condition} order by o.id for no key update of o`,
  )
const one = lockOf('payouts.lockOne', 'o.id = $2')
const ofFile = lockOf('payouts.lockOfFile', 'o.file_id = $2')
const settlements = statement(
  'payouts.lockSettlements',
  'select id from settlement where instance_id = $1 and id = any($2) order by id for no key update',
)

async function withSettlements(
  tx: Transaction,
  instanceId: string,
  payouts: PayoutRow[],
): Promise<PayoutRow[]> {
  const ids = payouts.flatMap(({ settlementId }) => settlementId ?? [])
  if (ids.length > 0) await tx.rows(settlements, [instanceId, ids])
  return payouts
}

/** A payout with its settlement, locked. */
export async function lockPayoutRow(
  tx: Transaction,
  instanceId: string,
  id: string,
): Promise<PayoutRow | undefined> {
  return (await withSettlements(tx, instanceId, await tx.rows<PayoutRow>(one, [instanceId, id])))[0]
}

/** All of a file, locked in one order. */
export async function lockPayoutsOfFile(
  tx: Transaction,
  instanceId: string,
  fileId: string,
): Promise<PayoutRow[]> {
  return withSettlements(tx, instanceId, await tx.rows<PayoutRow>(ofFile, [instanceId, fileId]))
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

const markNotExecuted = statement(
  'payouts.markNotExecuted',
  `with said as (
     insert into payout_round (instance_id, payout_id, round, proposal_id)
     select instance_id, id, round, $3 from payout where instance_id = $1 and id = $2 on conflict do nothing returning payout_id)
   update payout o set not_executed_by = $3, is_told_after = false from said where o.instance_id = $1 and o.id = said.payout_id returning o.id`,
)

/** Keeps which proposal said so in this round. Answers false where one has before. */
export async function markNotExecutedRow(
  tx: Transaction,
  instanceId: string,
  { id, proposalId }: { readonly id: string; readonly proposalId: string },
): Promise<boolean> {
  return (await tx.rows(markNotExecuted, [instanceId, id, proposalId])).length === 1
}

const agreedAfter = statement(
  'payouts.agreedAfter',
  `select from payout o
   join instance i on i.id = o.instance_id
   join proposal x on x.instance_id = o.instance_id and x.id = o.not_executed_by
   where o.instance_id = $1 and o.id = $2
     and x.decided_at > case when $3::text ~ '(Z|[+-][0-9]{2}:[0-9]{2})$' then $3::timestamptz else $3::timestamp at time zone i.time_zone end`,
)

/**
 * Whether two people said that it was not executed after that.
 * @param writtenAt an ISO time; without an offset it is one of the instance's wall clock
 */
export async function isAgreedAfter(
  tx: Transaction,
  instanceId: string,
  { id, writtenAt }: { readonly id: string; readonly writtenAt: string },
): Promise<boolean> {
  return (await tx.rows(agreedAfter, [instanceId, id, writtenAt])).length > 0
}

const markToldAfter = statement(
  'payouts.markToldAfter',
  `update payout set is_told_after = true, status = 'ACCEPTED', round = round + 1 where instance_id = $1 and id = $2 and status = 'NOT_EXECUTED' returning id`,
)

export async function markToldAfterRow(tx: Transaction, instanceId: string, id: string): Promise<void> {
  if ((await tx.rows(markToldAfter, [instanceId, id])).length !== 1)
    throw new Error(`payout ${id} was moved meanwhile`)
}

/** Of a row `o` that was said to be not executed: what it paid is owed still, and goes no other way. */
const TAKEABLE = `case when o.settlement_id is not null then exists (select from settlement s where s.instance_id = o.instance_id
         and s.id = o.settlement_id and s.status in ('REFUSED', 'APPROVED') and s.paid_out_minor = o.amount_minor)
       when o.cause is not null then exists (select from ${tasksOf(['refund'])} k where k.instance_id = o.instance_id
         and k.id = o.task_id and (k.details ->> 'amountMinor')::bigint - coalesce((select sum(r.amount_minor) from refund r
           where r.instance_id = k.instance_id and r.about = k.about and r.status <> 'FAILED'), 0) = o.amount_minor)
         and not exists (select from money_out m where m.instance_id = o.instance_id and m.about = o.about
           and m.returned_on is null and m.back_line_id is null)
       else exists (select from money_out m where m.instance_id = o.instance_id and m.about = o.about and m.order_id is null
         and not m.by_hand and m.left_on is null and m.line_id is null and m.returned_on is null) end`
const takeable = statement(
  'payouts.takeable',
  `select ${TAKEABLE} as open from payout o where o.instance_id = $1 and o.id = $2 and o.status = 'NOT_EXECUTED'`,
)
/** Of a row `o` that goes another way: that one is ordered, and nobody has told yet whether it has left. It may end, and the row be the one that paid. */
const UNDER_WAY = `(exists (select from money_out m where m.instance_id = o.instance_id and m.line_id is null and m.left_on is null
         and m.returned_on is null and m.back_line_id is null and (m.about = o.about or m.about in (select 'payout:' || x.id from payout x
           where x.instance_id = o.instance_id and x.settlement_id = o.settlement_id)))
       or exists (select from ${tasksOf(['refund'], 'all')} k join refund r on r.instance_id = k.instance_id and r.about = k.about
         where k.instance_id = o.instance_id and k.id = o.task_id and r.status in ('CREATED', 'SENT')))`
const goneOtherWay = statement(
  'payouts.goneOtherWay',
  `select o.id, o.file_id as "fileId", o.amount_minor as "amountMinor", ${UNDER_WAY} as "isUnderWay" from payout o
   where o.instance_id = $1 and o.status = 'NOT_EXECUTED' and (o.id = $2::uuid or o.file_id = any($3)) and not (${TAKEABLE}) order by o.id`,
)

export type GoneOtherWay = {
  readonly id: string
  readonly fileId: string
  readonly amountMinor: number
  /** The other way is ordered, and has not left as far as anybody has told. */
  readonly isUnderWay: boolean
}

/** Rows that were said to be not executed and whose money has gone another way since: one by its id, and those of files. */
export function readGoneOtherWayRows(
  db: Connection,
  instanceId: string,
  { id, fileIds }: { readonly id: string | null; readonly fileIds: readonly string[] },
): Promise<GoneOtherWay[]> {
  return db.rows<GoneOtherWay>(goneOtherWay, [instanceId, id, fileIds])
}

/** Whether what was said to be not executed is still owed, and goes no other way. Ask under lockBankFiles, with the row locked. */
export async function isTakeable(tx: Transaction, instanceId: string, id: string): Promise<boolean> {
  return (await tx.rows<{ open: boolean }>(takeable, [instanceId, id]))[0]?.open ?? false
}

const settlementStatus = statement(
  'payouts.settlementStatus',
  'select status from settlement where instance_id = $1 and id = $2',
)

export async function readSettlementStatus(
  tx: Transaction,
  instanceId: string,
  id: string,
): Promise<SettlementStatus> {
  const [row] = await tx.rows<{ status: SettlementStatus }>(settlementStatus, [instanceId, id])
  if (!row) throw new Error(`settlement ${id} is gone under its own lock`)
  return row.status
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

const debtOf = statement(
  'payouts.debtOfCause',
  'select invoice_id as "invoiceId", claim_id as "claimId" from ledger_transaction where instance_id = $1 and cause = $2',
)

type DebtOfCause = { readonly invoiceId: string | null; readonly claimId: string | null }

/** Whose debt an entry of the books is about. */
export async function readDebtOfCause(
  tx: Transaction,
  instanceId: string,
  cause: string,
): Promise<DebtOfCause> {
  const [found] = await tx.rows<DebtOfCause>(debtOf, [instanceId, cause])
  if (!found) throw new Error(`nothing is booked as ${cause}`)
  return found
}

const taskOf = statement(
  'payouts.task',
  `select k.kind, k.about, k.details from payout o join ${tasksOf(['refund', 'send_back'], 'all')} k on k.instance_id = o.instance_id and k.id = o.task_id
   where o.instance_id = $1 and o.id = $2`,
)

type TaskOfPayout = {
  readonly kind: 'refund' | 'send_back'
  readonly about: string
  readonly details: Readonly<Record<string, unknown>>
}

/** The task that asked for what goes back with it. */
export async function readTaskOfPayout(
  tx: Transaction,
  instanceId: string,
  id: string,
): Promise<TaskOfPayout> {
  const [found] = await tx.rows<TaskOfPayout>(taskOf, [instanceId, id])
  if (!found) throw new Error(`payout ${id} was asked for by no task`)
  return found
}
