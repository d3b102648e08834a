/** What was said to be ordered at the bank, by hand or in a file, was not executed there. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Connection } from '../../platform/database/database.ts'
import { findMoneyOut } from '../money-out.queries.ts'
import { countBefore, unmarkByHandRow } from './late-orders.queries.ts'
import { findMaybePaid, hasUnexplainedDebit, isMaybeOrdered, isMaybeTold } from './may-be-paid.queries.ts'
import { isSentBack, type OutWork } from './take-up-order.ts'

/**
 * What is sent back from suspense stands on its way back as before, and may go in a file; what a debtor is owed is on its way no more, and
 * the caller books that. Answers its money_out, and how many of the same there were before; undefined where nothing is ordered by hand,
 * or it has left. Refuses `debit_in_suspense` where a debit may be it. Ask under lockBankFiles.
 */
export async function takeOrderBack(
  { tx, instanceId, today }: OutWork,
  { about, by }: { readonly about: string; readonly by: string },
): Promise<{ readonly id: string; readonly earlier: number } | undefined> {
  const out = await findMoneyOut(tx, instanceId, about)
  if (!out?.by_hand || out.order_id !== null || out.line_id !== null || out.left_on !== null) return undefined
  if (await isMaybeOrdered(tx, instanceId, out.id)) throw new Refusal('debit_in_suspense')
  const said = { id: out.id, on: today, by, isToLeave: isSentBack(about) }
  if (!(await unmarkByHandRow(tx, instanceId, said))) return undefined
  return { id: out.id, earlier: await countBefore(tx, instanceId, { about, id: out.id }) }
}

/** Refuses `debit_in_suspense` where a debit that nobody has explained may be one of these rows of a file, or more of it. Ask under lockBankFiles. */
export async function requireUntold(
  { tx, instanceId }: Pick<OutWork, 'tx' | 'instanceId'>,
  of: { readonly fileId: string; readonly payouts: readonly string[] },
): Promise<void> {
  if (await isMaybeTold(tx, instanceId, of)) throw new Refusal('debit_in_suspense')
}

/**
 * Refuses `debit_in_suspense` where a debit that nobody has explained may have paid one of these: it was said to be not executed, or not
 * ordered by hand. Ask under lockBankFiles.
 */
export async function requireUnpaid(
  tx: Connection,
  instanceId: string,
  of: { readonly keys: readonly string[]; readonly isByHand?: boolean },
): Promise<void> {
  if ((await findMaybePaid(tx, instanceId, of)).size > 0) throw new Refusal('debit_in_suspense')
}

/** Which of these may be paid already, as requireUnpaid asks. Ask under lockBankFiles. */
export const maybePaid = (...of: Parameters<typeof findMaybePaid>): Promise<Set<string>> =>
  findMaybePaid(...of)

/** Whether a debit that nobody has explained names a row of a file. Ask under lockBankFiles. */
export const isDebitedUnexplained = (...of: Parameters<typeof hasUnexplainedDebit>): Promise<boolean> =>
  hasUnexplainedDebit(...of)
