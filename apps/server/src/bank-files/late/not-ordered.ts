/** What was said to be ordered at the bank, by hand or in a file, was not executed there. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { findMoneyOut, returnRow } from '../money-out.queries.ts'
import { countBefore, isMaybeTold, unmarkByHandRow } from './late-orders.queries.ts'
import { isSentBack, type OutWork } from './take-up-order.ts'

/**
 * What is sent back from suspense stands on its way back as before, and may go in a file; what a debtor is owed is on its way no more, and
 * the caller books that. Answers its money_out, and how many of the same there were before; undefined where nothing is ordered by hand,
 * or it has left. Ask under lockBankFiles.
 */
export async function takeOrderBack(
  { tx, instanceId, today }: OutWork,
  about: string,
): Promise<{ readonly id: string; readonly earlier: number } | undefined> {
  const out = await findMoneyOut(tx, instanceId, about)
  if (!out?.by_hand || out.order_id !== null || out.line_id !== null || out.left_on !== null) return undefined
  const isDone = isSentBack(about)
    ? await unmarkByHandRow(tx, instanceId, out.id)
    : await returnRow(tx, instanceId, { about, on: today })
  if (!isDone) return undefined
  return { id: out.id, earlier: await countBefore(tx, instanceId, { about, id: out.id }) }
}

/** Refuses `debit_in_suspense` where a debit without a name may be one of these sums of a file, or all of it. Ask under lockBankFiles. */
export async function requireUntold(
  { tx, instanceId }: Pick<OutWork, 'tx' | 'instanceId'>,
  of: { readonly fileId: string; readonly sums: readonly number[] },
): Promise<void> {
  if (await isMaybeTold(tx, instanceId, of)) throw new Refusal('debit_in_suspense')
}
