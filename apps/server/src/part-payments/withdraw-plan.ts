/** The debtor's right to change their mind (directive 2008/48/EC article 14). */
import { addDays, date, daysBetween, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { bookCharge } from '@kvitt/domain/ledger/booking.ts'
import { bookFeesBack } from '@kvitt/domain/ledger/correction.ts'
import { interestOfDays } from '@kvitt/domain/part-payments/plan.ts'
import { money, zero } from '@kvitt/domain/money.ts'
import { DAYS_AFTER_WITHDRAWAL } from '@kvitt/domain/part-payments/part-payment.ts'
import { bookingsBack, postBookings, type Booking } from '../ledger/ledger.ts'
import { subjectOf } from './bill-instalment.ts'
import { booking, lockWhole, movePlan, release, takeBack, type EndContext, type Locked } from './end-plan.ts'
import { invoiceDebt } from './planned-debt.ts'
import { hasPaymentUnderWay } from './endings.queries.ts'

/**
 * The debtor withdraws in time: fees and billed interest are taken back, the balance is due in thirty days with
 * the interest of the days that have passed, and nothing else. Refused afterwards (`withdrawal_too_late`), when no
 * plan runs or the debtor is a company (`plan_not_available`), and while an instalment is being paid (`payment_in_progress`).
 */
export function withdrawPlan(
  context: EndContext,
  key: { readonly instanceId: string; readonly planId: string },
  on: CalendarDate,
): Promise<void> {
  return context.db.transaction(async (tx) => {
    const locked = await lockWhole(tx, key)
    const { plan, members } = locked
    // The same call again.
    if (plan.status === 'WITHDRAWN') return
    if (plan.status !== 'ACTIVE') throw new Refusal('plan_not_available')
    if (plan.withdraw_until === null) throw new Refusal('plan_not_available')
    if (on > plan.withdraw_until) throw new Refusal('withdrawal_too_late')
    const ids = locked.billed.map((i) => i.id)
    if (await hasPaymentUnderWay(tx, key.instanceId, ids)) throw new Refusal('payment_in_progress')
    if (!members.some((m) => m.state === 'open')) throw new Refusal('plan_not_available')
    await movePlan(tx, plan, { move: 'withdraw', status: 'WITHDRAWN', on })
    const bookings = [...feesBack(context, locked, on), ...interestSoFar(context, locked, on)]
    await postBookings(tx, key.instanceId, bookings, context.clock)
    await takeBack(context, tx, locked, on)
    await release(tx, locked, addDays(on, DAYS_AFTER_WITHDRAWAL))
  })
}

/** Fees and interest that the instalments billed go back: off what is owed, and as credit where they were paid. */
export function feesBack(
  context: Pick<EndContext, 'clock'>,
  { plan, billed, rows }: Locked,
  on: CalendarDate,
): Booking[] {
  const owners = { creditorId: plan.creditor_id, debtorId: plan.debtor_id }
  return billed.flatMap((invoice): Booking[] => {
    const row = rows.find((r) => r.invoice_id === invoice.id)
    const fees = (row?.fee_minor ?? 0) + (row?.start_fee_minor ?? 0)
    const back = money(fees + (row?.interest_minor ?? 0), plan.currency)
    if (back.minor === 0) return []
    const owed = { ...invoiceDebt(invoice).owed, principal: zero(plan.currency) }
    const given = bookFeesBack({ ...owners, invoiceId: invoice.id }, back, owed)
    const of = { bookedOn: on, cause: `fees-back:${invoice.id}`, invoiceId: invoice.id }
    return bookingsBack(context.clock, of, given)
  })
}

/** The days since the start bear interest, beyond those that are free. */
function interestSoFar(context: EndContext, locked: Locked, on: CalendarDate): Booking[] {
  const { plan, setting, members } = locked
  const mother = members.find((m) => m.state === 'open')
  const days = Math.max(0, daysBetween(date(plan.started_on), on) - setting.interestFreeDays)
  const interest = interestOfDays(money(plan.amount_minor, plan.currency), setting.percent, days)
  if (!mother || interest.minor === 0) return []
  const parties = { creditorId: plan.creditor_id, debtorId: plan.debtor_id, ...mother.debt }
  const lines = bookCharge(parties, 'interest', interest)
  const cause = `withdrawal-interest:${plan.id}`
  return [booking(context, { kind: 'INTEREST', bookedOn: on, cause, ...subjectOf(mother.debt), lines })]
}
