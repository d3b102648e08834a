/** Debits that came after two people had said that their rows were not executed, and wait until what they paid is owed again. */
import { settleLate } from '../money-out.ts'
import { readAboutOfOrder, readLateDebits } from './late-orders.queries.ts'
import type { OutWork } from './take-up-order.ts'

/**
 * Money is owed again: where a debit of an earlier file lies in suspense that has paid it, it has left with that. Ask under lockBankFiles.
 * @param of the row of a file, or `about` of a money_out, that it did not leave with
 */
export async function takeLateDebits(
  work: OutWork,
  of: { readonly orderId: string | null } | { readonly about: string },
): Promise<void> {
  const { tx, instanceId } = work
  const about = 'about' in of ? of.about : await readAboutOfOrder(tx, instanceId, of.orderId)
  if (about === undefined) return
  for (const line of await readLateDebits(tx, instanceId, about)) await settleLate(work, line)
}
