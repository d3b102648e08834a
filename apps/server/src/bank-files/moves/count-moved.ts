/** What was taken back or moved counts for the limit of the day, of each debtor whose debt it left or pays now (M-30). */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { countByHand, type ByHand } from '../../manual-postings/manual-postings.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { readPaidOn, type TouchedDebt } from '../office/payment-acts.queries.ts'
import { isMovedLine } from './move-payment.queries.ts'

type MovedMoney = {
  readonly instanceId: string
  readonly kind: Exclude<ByHand['kind'], 'WRITE_OFF'>
  readonly of: { readonly type: 'payment' | 'bank-line'; readonly id: string }
  readonly currency: Currency
  readonly amountMinor: number
  readonly on: CalendarDate
}

/** `was`: the debts that it had paid. */
export async function countMoved(
  tx: Transaction,
  money: MovedMoney,
  was: readonly TouchedDebt[],
  way: Parameters<typeof countByHand>[3] = 'COMMAND',
): Promise<void> {
  const { instanceId, of } = money
  const touched = [...was, ...(await readPaidOn(tx, instanceId, of.id))]
  const debtorIds = [...new Set(touched.map(({ debtor_id: id }) => id))]
  await countByHand(tx, instanceId, { ...money, about: `${of.type}:${of.id}`, debtorIds }, way)
}

type PlacedLine = {
  readonly instance_id: string
  readonly id: string
  readonly currency: Currency
  readonly amount_minor: number
}

/** Money in suspense that has been moved before counts for whose debt it is placed on: else a move in two steps would not. */
export async function countPlaced(tx: Transaction, line: PlacedLine, on: CalendarDate): Promise<void> {
  const { instance_id: instanceId, id, currency, amount_minor: amountMinor } = line
  if (!(await isMovedLine(tx, instanceId, id))) return
  const of = { type: 'bank-line', id } as const
  await countMoved(tx, { instanceId, kind: 'MOVE', of, currency, amountMinor, on }, [], 'PLACEMENT')
}
