/** Money of a payout that has come back: it is held for the creditor again, and the settlement waits for a person. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { bookReversal } from '@kvitt/domain/ledger/correction.ts'
import { bookPayout } from '@kvitt/domain/ledger/payout.ts'
import { isCurrency, money } from '@kvitt/domain/money.ts'
import { postBookings, readPostedLines, REFUND_BACK } from '../ledger/ledger.ts'
import type { Clock } from '../platform/clock.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { openTask, reopenTasks } from '../tasks/tasks.ts'
import { movePayout } from './move-payout.ts'
import { readDebtOfCause, readTaskOfPayout, type PayoutRow } from './payouts.queries.ts'

export type BackWork = {
  readonly tx: Transaction
  readonly clock: Clock
  readonly instanceId: string
  readonly today: CalendarDate
}

/**
 * A payout that is locked is refused by our bank, sent back by the bank that it went to, or was not executed: the clearing account stands with its sum
 * until the caller says what it was. What a debtor was owed is owed again, what was held for a creditor is held again; what was nobody's
 * stays on its way back. Answers false when it cannot be, or is already. Ask under lockBankFiles.
 * @param reason the bank's words, if it gave any
 */
export async function giveBack(
  work: BackWork,
  payout: PayoutRow,
  { to, reason }: { readonly to: 'REFUSED' | 'RETURNED' | 'NOT_EXECUTED'; readonly reason: string | null },
): Promise<boolean> {
  if (!(await movePayout(work.tx, work.instanceId, payout, { to, reason }))) return false
  // Two people had said that it was not executed: what the bank refuses after that is back already.
  if (payout.status === 'NOT_EXECUTED') return true
  await (payout.settlementId === null ? oweAgain(work, payout, reason) : holdAgain(work, payout, reason))
  return true
}

/** It may be back once in each round: two people said so, the bank told of it all the same, and then it came back. */
const nameOf = ({ id, round }: PayoutRow): string =>
  round === 1 ? id : round === 2 ? `${id}:again` : `${id}:again:${round}`

async function holdAgain(
  { tx, clock, instanceId, today }: BackWork,
  payout: PayoutRow,
  reason: string | null,
): Promise<void> {
  const { id, settlementId, creditorId, currency, amountMinor } = payout
  if (!isCurrency(currency) || creditorId === null) throw new Error(`payout ${id} is nobody's`)
  const booking = {
    id: newId(clock.now()),
    kind: 'PAYOUT',
    bookedOn: today,
    cause: `payout-back:${nameOf(payout)}`,
    lines: bookPayout(creditorId, money(-amountMinor, currency)),
  }
  await postBookings(tx, instanceId, [{ ...booking, invoiceId: null, paymentId: null }], clock)
  await openTask(tx, {
    instanceId,
    kind: 'payout_refused',
    about: `settlement:${settlementId}`,
    details: { amountMinor, currency, of: creditorId, reason },
  })
}

/** The entry that it left with is taken back, and the same task asks for it again, with the bank's words. */
async function oweAgain(
  { tx, clock, instanceId, today }: BackWork,
  payout: PayoutRow,
  reason: string | null,
): Promise<void> {
  const { id, cause } = payout
  if (cause !== null) {
    const lines = bookReversal(await readPostedLines(tx, instanceId, [cause]))
    const booking = {
      ...(await readDebtOfCause(tx, instanceId, cause)),
      id: newId(clock.now()),
      kind: 'REFUND',
      bookedOn: today,
      cause: `${REFUND_BACK}${nameOf(payout)}`,
      paymentId: null,
      lines,
    }
    await postBookings(tx, instanceId, [booking], clock)
  }
  const task = await readTaskOfPayout(tx, instanceId, id)
  await reopenTasks(tx, [{ ...task, instanceId, details: { ...task.details, bankSaid: reason } }])
}
