/** The debtor's right to change their mind (directive 2008/48/EC article 14). */
import { addDays, addMonths, date, daysBetween, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { bookCharge, debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { bookFeesBack } from '@kvitt/domain/ledger/correction.ts'
import { planFor } from '@kvitt/domain/part-payments/offer.ts'
import { interestOfDays } from '@kvitt/domain/part-payments/plan.ts'
import { money, zero } from '@kvitt/domain/money.ts'
import { DAYS_AFTER_WITHDRAWAL } from '@kvitt/domain/part-payments/part-payment.ts'
import { bookingsBack, postBookings, readWrittenOff, type Booking } from '../../ledger/ledger.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identity.ts'
import { leaveAccountRows, readAddition, type Addition } from '../additions.queries.ts'
import { subjectOf } from '../bills/bill-instalment.ts'
import { booking, lockWhole, movePlan, release, takeBack, type EndContext, type Locked } from './end-plan.ts'
import { invoiceDebt, type PlannedDebt } from '../planned-debt.ts'
import { insertInstalmentRows, removeUnbilledRows } from '../plans.queries.ts'
import { releaseMember } from './release-debt.ts'
import { scheduleRows } from '../schedule.ts'
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
    const fees = await feesBack(context, tx, locked, on)
    const bookings = [...fees, ...interestSoFar(context, locked, on)]
    await postBookings(tx, key.instanceId, bookings, context.clock)
    await takeBack(context, tx, locked, on)
    await release(tx, locked, addDays(on, DAYS_AFTER_WITHDRAWAL))
  })
}

/**
 * The debtor withdraws in time from what was added to an account: it leaves the account and is due in thirty days, with the
 * interest of the days that no instalment bills. The rest of the account goes on, with what its instalments have billed. Refused
 * as withdrawPlan does.
 */
export function withdrawAddition(
  context: EndContext,
  { instanceId, debt }: { readonly instanceId: string; readonly debt: Debt },
  on: CalendarDate,
): Promise<void> {
  return context.db.transaction(async (tx) => {
    const seen = await readAddition(tx, instanceId, debtId(debt))
    if (!seen) throw new Refusal('plan_not_available')
    const locked = await lockWhole(tx, { instanceId, planId: seen.part_payment_id })
    const own = await readAddition(tx, instanceId, debtId(debt))
    const { plan, members } = locked
    // The same call again: it has left the account.
    if (own?.part_payment_id !== plan.id || plan.status === 'WITHDRAWN') return
    if (plan.status !== 'ACTIVE' || own.withdraw_until === null) throw new Refusal('plan_not_available')
    if (on > own.withdraw_until) throw new Refusal('withdrawal_too_late')
    const member = members.find(({ id }) => id === debtId(debt))
    if (member?.state !== 'open') throw new Refusal('plan_not_available')
    await postBookings(
      tx,
      instanceId,
      interestOfAddition(context, locked, { own, member, on }),
      context.clock,
    )
    await leaveAccountRows(
      tx,
      { instanceId, debt },
      { planId: newId(context.clock.now()), number: member.number, on },
    )
    await releaseMember(tx, { instanceId, debt }, addDays(on, DAYS_AFTER_WITHDRAWAL))
    await planRest(context, tx, locked, { left: members.filter((m) => m !== member), on })
  })
}

/** The days since it was added, beyond those that are free and those that an instalment bills. */
function interestOfAddition(
  context: EndContext,
  { plan, setting, rows }: Locked,
  { own, member, on }: { readonly own: Addition; readonly member: PlannedDebt; readonly on: CalendarDate },
): Booking[] {
  const billedTo = rows.findLast((row) => row.invoice_id !== null)?.due_date
  const free = addDays(date(own.added_on), setting.interestFreeDays)
  const from = billedTo === undefined ? free : laterOf(free, date(billedTo))
  const days = Math.max(0, daysBetween(from, on))
  const interest = interestOfDays(money(member.balanceMinor, plan.currency), setting.percent, days)
  if (interest.minor === 0) return []
  const parties = { creditorId: plan.creditor_id, debtorId: plan.debtor_id, ...member.debt }
  const lines = bookCharge(parties, 'interest', interest)
  const cause = `withdrawal-interest:${debtId(member.debt)}`
  return [booking(context, { kind: 'INTEREST', bookedOn: on, cause, ...subjectOf(member.debt), lines })]
}

/** What is left of the account is billed as before, in a schedule written anew. */
async function planRest(
  context: EndContext,
  tx: Transaction,
  { plan, setting, rows }: Locked,
  { left, on }: { readonly left: readonly PlannedDebt[]; readonly on: CalendarDate },
): Promise<void> {
  await removeUnbilledRows(tx, plan)
  const minor = left.reduce(
    (sum, m) => sum + (m.state === 'open' || m.state === 'resting' ? m.balanceMinor : 0),
    0,
  )
  if (minor === 0) return
  const billed = rows.filter((row) => row.invoice_id !== null)
  const next = rows.find((row) => row.invoice_id === null)
  const terms = { ...setting, startFeeMinor: next?.start_fee_minor ?? 0 }
  const offer = { setting: terms, plan: planFor(terms, money(minor, plan.currency)) }
  // The next bill comes when it was to come.
  const from = next ? addMonths(date(next.due_date), -1) : on
  const days = { from, billed: billed.length, epochMs: context.clock.now() }
  await insertInstalmentRows(tx, plan, scheduleRows(offer, days))
}

/**
 * Fees and interest that the instalments billed go back: off what is owed, and as credit where they were paid and not written
 * off.
 */
export async function feesBack(
  context: Pick<EndContext, 'clock'>,
  tx: Transaction,
  { plan, billed, rows }: Locked,
  on: CalendarDate,
): Promise<Booking[]> {
  const { instance_id: instanceId, currency } = plan
  const owners = { creditorId: plan.creditor_id, debtorId: plan.debtor_id }
  const bookings: Booking[] = []
  for (const invoice of billed) {
    const row = rows.find((r) => r.invoice_id === invoice.id)
    const fees = (row?.fee_minor ?? 0) + (row?.start_fee_minor ?? 0)
    const back = money(fees + (row?.interest_minor ?? 0), currency)
    if (back.minor === 0) continue
    const debt = { invoiceId: invoice.id }
    const owed = { ...invoiceDebt(invoice).owed, principal: zero(currency) }
    const givenUp = money(await readWrittenOff(tx, instanceId, debt), currency)
    const given = bookFeesBack({ ...owners, ...debt }, back, owed, givenUp)
    bookings.push(
      ...bookingsBack(context.clock, { bookedOn: on, cause: `fees-back:${invoice.id}`, ...debt }, given),
    )
  }
  return bookings
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
