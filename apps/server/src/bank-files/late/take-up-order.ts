/** The bank tells of a row of a file that two people had said was not executed. */
import { BANK_PAYOUT } from '@kvitt/domain/ledger/payout.ts'
import type { Clock } from '../../platform/clock.ts'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identity.ts'
import { takeUpAgain } from '../../payouts/payouts.ts'
import { isCurrency } from '@kvitt/domain/money.ts'
import { attachRow, insertMoneyOutRow } from '../money-out.queries.ts'
import { readAccountOfOrder } from './late-orders.queries.ts'
import { lockDebtsOfOrders } from './lock-debts.ts'

/** The gateway whose clearing account is money that a person was told to send through the bank, and that has not left. */
export const BANK_RETURN = 'BANK_RETURN'

const PAYOUT = 'payout:'
/** What debtors are owed back; what is neither has been sent back from suspense. */
const REFUND = 'refund:'

/** Where it stands until it has left. */
export const gatewayOf = (about: string): string => (about.startsWith(PAYOUT) ? BANK_PAYOUT : BANK_RETURN)

export const isSentBack = (about: string): boolean => !about.startsWith(PAYOUT) && !about.startsWith(REFUND)

export type OutWork = {
  readonly tx: Transaction
  readonly clock: Clock
  readonly instanceId: string
  readonly today: CalendarDate
}

/**
 * It is on its way once more, and expected on the statement. Answers false when what it paid has gone another way since, or is not owed any
 * more: then a person looks. Ask under lockBankFiles.
 */
export async function takeUpOrder(work: OutWork, orderId: string): Promise<boolean> {
  const { tx, clock, instanceId, today: on } = work
  // A credit is used for another debt under the lock of its debt: what was owed a moment ago may not be.
  await lockDebtsOfOrders(tx, instanceId, { orderId })
  const payout = await takeUpAgain(work, orderId)
  if (!payout) return false
  const { about, amountMinor, currency } = payout
  if (!isCurrency(currency)) throw new Error(`${currency} is no currency of a file`)
  if (isSentBack(about)) {
    if (!(await attachRow(tx, instanceId, { about, orderId }))) throw new Error(`${about} goes another way`)
    return true
  }
  const accountId = await readAccountOfOrder(tx, instanceId, orderId)
  const out = { id: newId(clock.now()), about, accountId, amountMinor, currency, on, orderId }
  if (!(await insertMoneyOutRow(tx, instanceId, out))) throw new Error(`${about} is on its way already`)
  return true
}
