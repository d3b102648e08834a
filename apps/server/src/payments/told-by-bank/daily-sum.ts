/**
 * A gateway that pays out once a day: the bank tells one sum without a reference, and the gateway told of each payment in it. The
 * sum is the money of one day's payments when it equals them all.
 */
import { addDays, date } from '@kvitt/domain/calendar.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import type { Transaction } from '../../platform/database/database.ts'
import {
  findDayOfSum,
  insertShareRows,
  lockWaitingSums,
  markSumKnownRow,
  type WaitingSum,
} from './daily-sum.queries.ts'

/** The gateway that pays out in daily sums, where its number is an address of the account. */
export const IN_SUMS = 'SWISH'

/** A payout may wait for the next bank day, over a long weekend at most. */
const LONGEST_DAYS = 5

export type SumLine = WaitingSum & { readonly instance_id: string; readonly currency: Currency }

/** A payer's transfer without a reference is no sum of a gateway. */
const isSum = ({ payer, message }: Pick<WaitingSum, 'payer' | 'message'>): boolean =>
  payer === null || /swish/i.test(`${payer} ${message ?? ''}`)

/**
 * Links the line to a day's payments when it is their sum, and answers whether it is; the books are the caller's. Ask under
 * lockBankFiles, or for a line of lockWaitingSums.
 */
export async function linkDailySum(
  tx: Transaction,
  line: SumLine,
  from: 'WAITING' | 'SUSPENSE',
): Promise<boolean> {
  if (!isSum(line)) return false
  const { instance_id: instanceId, account_id: accountId, currency, bank_date: day } = line
  const days = { from: addDays(date(day), -LONGEST_DAYS), to: day }
  const of = { instanceId, accountId, gateway: IN_SUMS, currency, ...days }
  const ids = await findDayOfSum(tx, of, line.amount_minor)
  if (!ids) return false
  await insertShareRows(tx, { instanceId, lineId: line.id }, ids)
  await markSumKnownRow(tx, { instanceId, lineId: line.id }, from)
  return true
}

/** The line in suspense that a payment which is booked just now makes whole; undefined when there is none. */
export async function findCompletedSum(
  tx: Transaction,
  payment: { readonly instance_id: string; readonly currency: Currency; readonly execution_date: string },
  accountIds: readonly string[],
): Promise<WaitingSum | undefined> {
  const { instance_id: instanceId, currency, execution_date: day } = payment
  for (const line of await lockWaitingSums(tx, instanceId, { accountIds, currency, day })) {
    if (await linkDailySum(tx, { ...line, instance_id: instanceId, currency }, 'SUSPENSE')) return line
  }
  return undefined
}
