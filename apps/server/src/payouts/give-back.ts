/** Money of a payout that has come back: it is held for the creditor again, and the settlement waits for a person. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { bookPayout } from '@kvitt/domain/ledger/payout.ts'
import { isCurrency, money } from '@kvitt/domain/money.ts'
import { postBookings } from '../ledger/ledger.ts'
import type { Clock } from '../platform/clock.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { openTask } from '../tasks/tasks.ts'
import { movePayout } from './move-payout.ts'
import type { PayoutRow } from './payouts.queries.ts'

export type BackWork = {
  readonly tx: Transaction
  readonly clock: Clock
  readonly instanceId: string
  readonly today: CalendarDate
}

/**
 * A payout that is locked is refused by our bank, or sent back by the bank that it went to: BANK_PAYOUT stands with its sum until the
 * caller says what it was. Answers false when it cannot be, or is already. Ask under lockBankFiles.
 * @param reason the bank's words, if it gave any
 */
export async function giveBack(
  { tx, clock, instanceId, today }: BackWork,
  payout: PayoutRow,
  { to, reason }: { readonly to: 'REFUSED' | 'RETURNED'; readonly reason: string | null },
): Promise<boolean> {
  const { id, settlementId, creditorId, currency, amountMinor } = payout
  if (!isCurrency(currency)) throw new Error(`${currency} is no currency of a payout`)
  if (!(await movePayout(tx, instanceId, payout, { to, reason }))) return false
  const booking = {
    id: newId(clock.now()),
    kind: 'PAYOUT',
    bookedOn: today,
    cause: `payout-back:${id}`,
    lines: bookPayout(creditorId, money(-amountMinor, currency)),
  }
  await postBookings(tx, instanceId, [{ ...booking, invoiceId: null, paymentId: null }], clock)
  await openTask(tx, {
    instanceId,
    kind: 'payout_refused',
    about: `settlement:${settlementId}`,
    details: { amountMinor, currency, of: creditorId, reason },
  })
  return true
}
