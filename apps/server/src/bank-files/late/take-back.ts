/** The bank has taken money back: what it had paid is undone, at once or, where something stood against it, when a person says so. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { bookArrival, bookOutOfSuspense } from '@kvitt/domain/ledger/arrival.ts'
import type { Line } from '@kvitt/domain/ledger/booking.ts'
import { clearingOf } from '@kvitt/domain/ledger/holder.ts'
import { money } from '@kvitt/domain/money.ts'
import { DecisionRefused } from '../../collection/collection.ts'
import { postBookings } from '../../ledger/ledger.ts'
import { readPayment } from '../../payments/payments.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identity.ts'
import { endTask } from '../../tasks/tasks.ts'
import { endLineRow, markReversedRow, type LineRow } from '../bank-files.queries.ts'
import { findTakenBack, type TakenBack } from '../find-debt.queries.ts'
import { BANK_RETURN, cancelSendBack } from '../money-out.ts'
import { takeBackAndTell } from '../moves/tell-undone.ts'
import { readLine } from '../suspense.queries.ts'
import type { PlaceContext } from '../tell-holder.ts'
import { readAgreedTaken, readTakesBack, readWaitingDeductions } from './late-orders.queries.ts'
import type { OutWork } from './take-up-order.ts'

export type LineWork = {
  readonly context: PlaceContext
  readonly tx: Transaction
  readonly line: LineRow
  readonly today: CalendarDate
}

export const outOf = ({ context: { clock }, tx, line, today }: LineWork): OutWork => {
  return { tx, clock, instanceId: line.instance_id, today }
}

/** Undoes what `taken` had paid; `post` books what that is not. Answers false, with nothing written, where something stands against it. */
export async function reverseTaken(
  work: LineWork,
  taken: TakenBack,
  post: (lines: readonly Line[]) => Promise<void>,
): Promise<boolean> {
  const { context, tx, line, today } = work
  if (taken.status === 'SETTLED') return false
  const { instance_id: instanceId } = line
  const amount = money(line.amount_minor, line.currency)
  const known =
    taken.status === 'KNOWN' ? await readPayment(tx, instanceId, taken.payment_id ?? '') : undefined
  if (taken.status === 'SUSPENSE') {
    await post(bookOutOfSuspense(clearingOf(line.holder), amount))
    await endTask(tx, { instanceId, kind: 'bank_line', about: `bank-line:${taken.id}` })
  } else if (taken.status === 'SENT_BACK') {
    if (!(await cancelSendBack(outOf(work), taken.id))) return false
    await post(bookArrival(BANK_RETURN, clearingOf(line.holder), amount))
  } else {
    const paymentId = known?.id ?? taken.id
    const undone = { instanceId, paymentId, currency: line.currency, why: 'payment_gone_back' } as const
    try {
      await takeBackAndTell(context, tx, undone, today)
    } catch (error) {
      // It refuses before it writes.
      if (!(error instanceof DecisionRefused)) throw error
      return false
    }
  }
  // What its gateway had told of was taken off the gateway's account: it is gone from the bank's.
  if (known) await post(bookArrival(known.gateway, clearingOf(line.holder), amount))
  await markReversedRow(tx, instanceId, taken.id)
  return true
}

/**
 * The line that a deduction in suspense takes back: that which was found when it came, as another like it may have come since. Where that
 * has gone another way meanwhile, or nothing was found, it is looked for.
 */
export async function findTaken(tx: Transaction, line: LineRow): Promise<TakenBack | undefined> {
  const agreed = await readTakesBack(tx, line.instance_id, line.id)
  const taken = agreed === undefined ? undefined : await readAgreedTaken(tx, line, agreed)
  return taken ?? findTakenBack(tx, line)
}

/**
 * A deduction that lies in suspense, as what it takes back was on its way to the payer, takes back `taken` now. Answers false where
 * something stands against it still. Ask under lockBankFiles.
 */
export async function takeBackNow(work: LineWork, taken: TakenBack | undefined): Promise<boolean> {
  const { context, tx, line, today } = work
  const { instance_id: instanceId, id } = line
  if (!taken) return false
  const lines: Line[] = [
    ...bookOutOfSuspense(clearingOf(line.holder), money(-line.amount_minor, line.currency)),
  ]
  const keep = (more: readonly Line[]): Promise<void> => {
    lines.push(...more)
    return Promise.resolve()
  }
  if (!(await reverseTaken(work, taken, keep))) return false
  const cause = `placed:bank-line:${id}`
  const booking = { id: newId(context.clock.now()), kind: 'REVERSAL', bookedOn: today, cause, lines }
  await postBookings(tx, instanceId, [{ ...booking, invoiceId: null, paymentId: null }], context.clock)
  await endTask(tx, { instanceId, kind: 'bank_line', about: `bank-line:${id}` })
  await endLineRow(tx, line, { status: 'REVERSED', reversesId: taken.id }, 'SUSPENSE')
  return true
}

/**
 * What a task or a money_out names goes back to nobody any more: deductions in suspense that wait for that take it back. Ask under
 * lockBankFiles.
 */
export async function takeBackWaiting(
  context: PlaceContext,
  { tx, instanceId, today }: OutWork,
  about: string,
): Promise<void> {
  for (const id of await readWaitingDeductions(tx, instanceId, about)) {
    const line = await readLine(tx, instanceId, id)
    await takeBackNow({ context, tx, today, line }, await findTaken(tx, line))
  }
}
