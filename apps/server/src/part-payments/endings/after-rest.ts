/** What waited to be sent while its debtor's debts rested (M-34) gives its whole time to pay, from the day on which it goes on. */
import { addDays, date, daysBetween, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { DAYS_AFTER_DEFAULT } from '@kvitt/domain/part-payments/part-payment.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { shiftUnbilledRows } from '../bills/instalments.queries.ts'
import { lockPlannedDebt } from '../planned-debt.ts'
import { tellDebtor, type TellContext } from '../tell-debtor.ts'
import { dropEndedNews, forgetDrawnBill, readWaitingBills } from './after-rest.queries.ts'
import { setDueDateRow } from './endings.queries.ts'
import { owedByItself } from './release-debt.ts'

type OfDebtor = { readonly instanceId: string; readonly debtorId: string }

/**
 * Bills of ours to the debtor that have not left are due as long after `today` as they were after their own day, and the plan's next ones
 * as much later; word that a plan has ended says a new last day. Under the locks of the debtor's debts.
 */
export async function giveTimeAfterRest(
  context: TellContext,
  tx: Transaction,
  of: OfDebtor,
  today: CalendarDate,
): Promise<void> {
  await moveBills(tx, of, today)
  await tellEndedAnew(context, tx, of, addDays(today, DAYS_AFTER_DEFAULT))
}

async function moveBills(tx: Transaction, of: OfDebtor, today: CalendarDate): Promise<void> {
  const { instanceId } = of
  const laterBy = new Map<string, number>()
  for (const { id, mailId, sentOn, due: before, planId } of await readWaitingBills(tx, of)) {
    const due = laterOf(date(before), addDays(today, daysBetween(date(sentOn), date(before))))
    await setDueDateRow(tx, { instanceId, debt: { invoiceId: id } }, due)
    await forgetDrawnBill(tx, instanceId, mailId)
    if (planId !== null)
      laterBy.set(planId, Math.max(laterBy.get(planId) ?? 0, daysBetween(date(before), due)))
  }
  await shiftUnbilledRows(
    tx,
    instanceId,
    [...laterBy].map(([planId, days]) => ({ planId, days })),
  )
}

async function tellEndedAnew(
  context: TellContext,
  tx: Transaction,
  of: OfDebtor,
  dueDate: CalendarDate,
): Promise<void> {
  const { instanceId } = of
  for (const { id, cause, invoiceId, claimId } of await dropEndedNews(tx, of)) {
    const debt: Debt = claimId === null ? { invoiceId: invoiceId ?? '' } : { claimId }
    const { state, balanceMinor, currency, isPartPayment, invoice } = await lockPlannedDebt(
      tx,
      instanceId,
      debt,
    )
    const isOwed = (state === 'open' || state === 'resting') && balanceMinor > 0
    // Paid, stopped, in a plan again, or part of a claim since.
    if (!isOwed || isPartPayment || (invoice?.claim_id ?? null) !== null) continue
    await owedByItself(tx, { instanceId, debt }, dueDate)
    const amount = { minor: balanceMinor, currency }
    const told = { kind: 'plan_ended', instanceId, debt, amount, days: { dueDate } } as const
    await tellDebtor(context, tx, { ...told, cause: `${cause}:again:${id}` })
  }
}
