/** Who has an account at the bank: told by a person, and booked so for what had come to it before. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Holder } from '@kvitt/domain/ledger/booking.ts'
import { bookFoundAtCreditor } from '@kvitt/domain/ledger/holder.ts'
import { isUuid } from '@kvitt/domain/ids.ts'
import { shareCauses } from '@kvitt/domain/payments/shares.ts'
import { noteDeed } from '../audit/audit.ts'
import { findNamed } from '../creditors/creditors.ts'
import type { Instance } from '../instances/instances.ts'
import { postBookings, readPostedLines } from '../ledger/ledger.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { endTask } from '../tasks/tasks.ts'
import { lockBankFiles } from './bank-files.queries.ts'
import type { Context } from '../context.ts'
import {
  lockCreditorAccount,
  readBookedAsHeld,
  setHolderRow,
  tellLineRows,
  type ToldRow,
} from './holder.queries.ts'

/** What lines are placed with. */
export type PlaceContext = Pick<Context, 'db' | 'clock' | 'config' | 'log'>

/** Why nothing was told, for a person to read. */
export class HolderRefused extends Error {
  override name = 'HolderRefused'
}

/** `of`: the account by any of its numbers, or by its identifier; `by`: who tells, for the audit log. */
type Told = { readonly of: string; readonly holder: Holder; readonly by: string }

/** Money of the account that was booked anew as paid to the creditor. */
export type Rebooked = Pick<ToldRow, 'amount_minor' | 'currency'>

/**
 * Keeps who has a creditor's account. Answers what it booked anew. Told for the first time, it is true of all that came to it since the question was open:
 * what was booked as held, and is the creditor's, is booked as paid to the creditor, by entries that name the old ones. Told
 * otherwise later, it holds for what comes from then on. The same again changes nothing. Throws HolderRefused, or AccountRefused for a number that is
 * no account or several.
 */
export async function tellHolder(
  context: PlaceContext,
  { id: instanceId, timeZone }: Pick<Instance, 'id' | 'timeZone'>,
  { of, holder, by }: Told,
): Promise<Rebooked[]> {
  const today = context.clock.today(timeZone)
  return context.db.transaction(async (tx) => {
    await lockBankFiles(tx, instanceId)
    const accountId = isUuid(of) ? of : (await findNamed(tx, instanceId, of)).account_id
    const account = await lockCreditorAccount(tx, instanceId, accountId)
    if (!account) throw new HolderRefused(`${of} is no account of a creditor of this provider.`)
    if (account.holder === holder) return []
    await setHolderRow(tx, instanceId, { id: accountId, holder })
    await endTask(tx, { instanceId, kind: 'account_holder_unset', about: `account:${accountId}` })
    await noteDeed(tx, {
      instanceId,
      kind: 'account_holder_told',
      by,
      about: `account:${accountId}`,
      before: { holder: account.holder },
      after: { holder },
    })
    if (account.holder !== null) return []
    const lines = await tellLineRows(tx, instanceId, { id: accountId, holder })
    if (holder === 'INSTANCE') return []
    const rebooked: Rebooked[] = []
    for (const line of lines) {
      const number = await moveToCreditor(context, tx, { instanceId, causes: causesOf(line), today })
      if (number > 0) rebooked.push(line)
    }
    return rebooked
  })
}

function causesOf({ id, payment_id: paymentId, status }: ToldRow): string[] {
  const paid = status === 'KNOWN' && paymentId !== null ? paymentId : id
  return [`bank-line:${id}`, ...shareCauses(paid).flatMap((cause) => [cause, `refund:${cause}`])]
}

/** What stands in the books as held under these causes has been on the creditor's own account all the time. Answers how many entries say so now. */
export async function moveToCreditor(
  { clock }: Pick<PlaceContext, 'clock'>,
  tx: Transaction,
  of: { readonly instanceId: string; readonly causes: readonly string[]; readonly today: CalendarDate },
): Promise<number> {
  const { instanceId, causes, today } = of
  const creditorOf = async (cause: string): Promise<string> => {
    const lines = await readPostedLines(tx, instanceId, [cause])
    const [held] = lines.flatMap(({ account }) => (account.kind === 'held_for_creditor' ? [account] : []))
    return held?.creditorId ?? ''
  }
  let number = 0
  for (const { cause, ...entry } of await readBookedAsHeld(tx, instanceId, causes)) {
    const lines = bookFoundAtCreditor(await readPostedLines(tx, instanceId, [cause]), await creditorOf(cause))
    if (lines.length === 0) continue
    number += 1
    const booking = {
      ...entry,
      id: newId(clock.now()),
      kind: 'REVERSAL',
      bookedOn: today,
      cause: `holder:${cause}`,
      lines,
    }
    await postBookings(tx, instanceId, [booking], clock)
    if (cause.startsWith('refund:'))
      await endTask(tx, { instanceId, kind: 'refund', about: cause.slice('refund:'.length) })
  }
  return number
}
