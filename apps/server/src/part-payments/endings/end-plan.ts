/** How a plan ends: paid off, or ended because an instalment was missed. */
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { resumeAfterDispute, resumeAfterPause } from '@kvitt/domain/collection/schedule.ts'
import { bookTransfer, debtId, type Debt, type Owed } from '@kvitt/domain/ledger/booking.ts'
import type { PlanSetting } from '@kvitt/domain/part-payments/offer.ts'
import {
  canMovePlan,
  DAYS_AFTER_DEFAULT,
  type PlanMove,
  type PlanStatus,
} from '@kvitt/domain/part-payments/part-payment.ts'
import type { Context } from '../../context.ts'
import { lockInvoiceRow, moveInvoice, setStopReason, type InvoiceRow } from '../../invoices/invoices.ts'
import { postBookings, type Booking } from '../../ledger/ledger.ts'
import { isResting } from '../../ledger/resting-debts.queries.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identity.ts'
import { negated, subjectOf } from '../bills/bill-instalment.ts'
import { hasPaymentUnderWay, readBilledIds, readSharers, unmark } from './endings.queries.ts'
import {
  closePaid,
  invoiceDebt,
  lockMembers,
  lockPlannedDebt,
  stopUnpaid,
  type PlannedDebt,
} from '../planned-debt.ts'
import { readLastRest, type LastRest } from './last-rest.queries.ts'
import { owedByItself, planAfter } from './release-debt.ts'
import {
  lockPlanRow,
  movePlanRow,
  readInstalments,
  removeUnbilledRows,
  type InstalmentRow,
  type PlanRow,
} from '../plans.queries.ts'
import { readSetting } from '../offers/settings.queries.ts'
import { tellDebtor, type TellContext } from '../tell-debtor.ts'

export type EndContext = Pick<Context, 'db'> & TellContext

type PlanKey = { readonly instanceId: string; readonly planId: string }

export async function movePlan(
  tx: Transaction,
  plan: PlanRow,
  to: { readonly move: PlanMove; readonly status: PlanStatus; readonly on: CalendarDate },
): Promise<void> {
  if (!canMovePlan(to.move, plan.status, to.status)) {
    throw new Error(`a plan cannot go from ${plan.status} to ${to.status} by ${to.move}`)
  }
  if (!(await movePlanRow(tx, plan, to))) throw new Error(`plan ${plan.id} moved under its own lock`)
}

/** Locks a plan with what it pays, for whoever will book something and then complete it. */
export async function lockPlan(tx: Transaction, { instanceId, planId }: PlanKey): Promise<void> {
  const plan = await lockPlanRow(tx, instanceId, planId)
  if (plan.status === 'ACTIVE') await lockMembers(tx, plan)
}

/**
 * Ends a plan that has nothing to bill and nothing to be paid: its invoices are paid, and closed. An instalment whose case
 * was stopped (M-24) is not billed again: what it took from an invoice will not be paid, and that invoice is stopped too.
 * Answers false when something is left. Locks the plan and its invoices; the instalments' ones may be locked already.
 */
export async function completePlan(
  tx: Transaction,
  { instanceId, planId }: PlanKey,
  on: CalendarDate,
): Promise<boolean> {
  const plan = await lockPlanRow(tx, instanceId, planId)
  if (plan.status !== 'ACTIVE') return false
  const rows = await readInstalments(tx, plan)
  const members = await lockMembers(tx, plan)
  const left = members.filter((m) => m.state !== 'stopped').reduce((sum, m) => sum + m.balanceMinor, 0)
  // One that was written off owes nothing, and will not be paid either.
  const unpaid = rows.filter((row) => (row.balance_minor ?? 0) > 0 || row.stop_reason !== null)
  if (left > 0 || unpaid.some((row) => row.stop_reason === null)) return false
  await removeUnbilledRows(tx, plan)
  const isStopped = unpaid.length > 0 || members.some((m) => m.state === 'stopped')
  await movePlan(
    tx,
    plan,
    isStopped ? { move: 'stop', status: 'STOPPED', on } : { move: 'complete', status: 'COMPLETED', on },
  )
  await unmark(tx, instanceId, { members: members.map((m) => m.id), billed: [] })
  const ids = unpaid.map(({ id }) => id)
  const lost = await readSharers(tx, plan, { instalments: ids, members: members.map((m) => m.id) })
  for (const member of members) {
    const row = unpaid.find(({ id }) => lost.get(member.id) === id)
    await (row ? stopUnpaid(tx, member, row.stop_reason ?? '') : closePaid(tx, member))
  }
  return true
}

/** Everything of a plan, locked in the one order: instalments' invoices, plan, plan's invoices. */
export type Locked = {
  readonly plan: PlanRow
  readonly setting: PlanSetting
  readonly billed: readonly InvoiceRow[]
  readonly members: readonly PlannedDebt[]
  readonly rows: readonly InstalmentRow[]
}

export async function lockWhole(tx: Transaction, { instanceId, planId }: PlanKey): Promise<Locked> {
  const billed: InvoiceRow[] = []
  for (const id of await readBilledIds(tx, { instance_id: instanceId, id: planId })) {
    billed.push(await lockInvoiceRow(tx, instanceId, id))
  }
  const plan = await lockPlanRow(tx, instanceId, planId)
  const setting = await readSetting(tx, instanceId, plan.setting_id)
  if (!setting) throw new Error(`plan ${planId} has no terms`)
  const members = await lockMembers(tx, plan)
  return { plan, setting, billed, members, rows: await readInstalments(tx, plan) }
}

/** Unpaid instalments that can be taken back into the plan's invoices. */
function unpaid({ billed }: Locked): InvoiceRow[] {
  return billed.filter((i) => (i.status === 'ACTIVATED' || i.status === 'PAUSED') && i.balance_minor > 0)
}

/** What rested has as long to be paid as outside a plan, before the plan ends (M-10, M-12). */
function notBefore(
  { answered_on: answered, resumed_on: resumed, country }: LastRest,
  on: CalendarDate,
): CalendarDate {
  const afterAnswer = answered === null ? on : resumeAfterDispute(answered)
  const afterPause = resumed === null ? on : resumeAfterPause(country, resumed)
  return afterAnswer < afterPause ? afterPause : afterAnswer
}

/**
 * M-21: the plan ends, what is left is due in ten days, and the ordinary schedule goes on after them. Not while somebody is
 * paying an instalment, nor while one of the plan's invoices rests or has just ceased to. Answers whether it ended.
 */
export function defaultPlan(context: EndContext, key: PlanKey, on: CalendarDate): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    const locked = await lockWhole(tx, key)
    const { plan, members } = locked
    const late = unpaid(locked)
    const rests =
      members.some((m) => m.state === 'resting') || (await isResting(tx, key.instanceId, plan.debtor_id))
    if (plan.status !== 'ACTIVE' || rests || !late.some((i) => i.expire_date < on)) return false
    if (on < notBefore(await readLastRest(tx, plan, on), on)) return false
    const ids = locked.billed.map((i) => i.id)
    if (await hasPaymentUnderWay(tx, key.instanceId, ids)) return false
    await movePlan(tx, plan, { move: 'default', status: 'DEFAULTED', on })
    await takeBack(context, tx, locked, on)
    const dueDate = addDays(on, DAYS_AFTER_DEFAULT)
    await release(tx, locked, dueDate)
    for (const { debt } of members) await tellEnded(context, tx, { key, debt, dueDate })
    return true
  })
}

async function tellEnded(
  context: EndContext,
  tx: Transaction,
  { key, debt, dueDate }: { key: PlanKey; debt: Debt; dueDate: CalendarDate },
): Promise<void> {
  const { instanceId, planId } = key
  const { balanceMinor, currency } = await lockPlannedDebt(tx, instanceId, debt)
  if (balanceMinor === 0) return
  const cause = `plan-end:${planId}:${debtId(debt)}`
  const amount = { minor: balanceMinor, currency }
  await tellDebtor(context, tx, { kind: 'plan_ended', instanceId, debt, cause, amount, days: { dueDate } })
}

export function booking(
  context: Pick<EndContext, 'clock'>,
  of: Pick<Booking, 'kind' | 'bookedOn' | 'cause' | 'invoiceId' | 'claimId' | 'lines'>,
): Booking {
  return { id: newId(context.clock.now()), paymentId: null, ...of }
}

/** What unpaid instalments owe goes back to the first open debt of the plan; they are stopped, with nothing left. */
export async function takeBack(
  context: Pick<EndContext, 'clock'>,
  tx: Transaction,
  { plan, members, billed }: Locked,
  on: CalendarDate,
): Promise<void> {
  const mother = members.find((m) => m.state === 'open' || m.state === 'resting')
  if (!mother) return
  const owners = { creditorId: plan.creditor_id, debtorId: plan.debtor_id }
  for (const seen of billed) {
    // Read anew: fees may have been taken off it a moment ago.
    const invoice = await lockInvoiceRow(tx, plan.instance_id, seen.id)
    if (invoice.status !== 'ACTIVATED' && invoice.status !== 'PAUSED') continue
    const parts = invoiceDebt(invoice).owed
    const transfer = (debt: Debt, cause: string, moved: Owed): Booking =>
      booking(context, {
        kind: 'TRANSFER_TO_PLAN',
        bookedOn: on,
        cause,
        ...subjectOf(debt),
        lines: bookTransfer({ ...owners, ...debt }, moved),
      })
    if (invoice.balance_minor > 0) {
      await postBookings(
        tx,
        plan.instance_id,
        [
          transfer({ invoiceId: invoice.id }, `plan-end:${invoice.id}`, negated(parts)),
          transfer(mother.debt, `plan-end-to:${invoice.id}`, parts),
        ],
        context.clock,
      )
    }
    await setStopReason(tx, { instanceId: plan.instance_id, invoiceId: invoice.id }, 'plan_ended')
    await moveInvoice(tx, invoice, { move: 'stop', to: 'STOPPED' })
  }
}

/**
 * What the plan paid is an ordinary debt again, due on `dueDate`: no late interest before it, and the next step of
 * its schedule comes after it.
 */
export async function release(
  tx: Transaction,
  { plan, members, billed }: Locked,
  dueDate: CalendarDate,
): Promise<void> {
  const instanceId = plan.instance_id
  await removeUnbilledRows(tx, plan)
  await unmark(tx, instanceId, { members: members.map((m) => m.id), billed: billed.map((i) => i.id) })
  for (const { debt } of members) await owedByItself(tx, { instanceId, debt }, dueDate)
  // Instalments that nobody could take back are owed by themselves.
  for (const { id } of billed) {
    const invoice = await lockInvoiceRow(tx, instanceId, id)
    if (invoice.status !== 'ACTIVATED' || invoice.balance_minor === 0) continue
    await planAfter(tx, { instanceId, debt: { invoiceId: id } }, addDays(dueDate, 1))
  }
}
