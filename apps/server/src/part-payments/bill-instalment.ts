/** Bills one instalment: its invoice takes its part of the balance out of the plan's invoices, to the öre. */
import { addDays, date, daysBetween, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import {
  allocatePayment,
  bookCharge,
  bookTransfer,
  type Debt,
  type Owed,
} from '@kvitt/domain/ledger/booking.ts'
import { add, compare, money, negate, zero, type Money } from '@kvitt/domain/money.ts'
import type { PlanSetting } from '@kvitt/domain/part-payments/offer.ts'
import { INSTALMENT_TYPES } from '@kvitt/domain/part-payments/part-payment.ts'
import { monthlyInterest } from '@kvitt/domain/part-payments/plan.ts'
import { makeReference } from '@kvitt/domain/references.ts'
import type { Context } from '../context.ts'
import { postBookings, type Booking } from '../ledger/ledger.ts'
import { queueBill } from '../mail/mail.ts'
import type { Transaction } from '../platform/database.ts'
import { newId, newReferenceDigits } from '../platform/identity.ts'
import type { Language } from '../platform/texts.ts'
import {
  insertInstalmentInvoice,
  insertReferenceRow,
  markBilledRow,
  performStepRows,
  planStepRows,
  readCreditorCountry,
  shiftUnbilledRows,
} from './instalments.queries.ts'
import { addInstalment } from './extra-instalment.ts'
import { linesOf } from './instalment-lines.ts'
import { lockPlannedDebt, type PlannedDebt } from './planned-debt.ts'
import {
  lockPlanRow,
  readInstalments,
  readMembers,
  removeUnbilledRows,
  type InstalmentRow,
  type PlanRow,
} from './plans.queries.ts'
import { readSetting } from './settings.queries.ts'
import type { TellContext } from './tell-debtor.ts'

export type BillContext = Pick<Context, 'db' | 'log'> & TellContext

/** Number and reference of an instalment's invoice, when they are given and not made. */
export type Identity = { readonly invoiceNumber: string; readonly reference: string }

export type Bill = {
  readonly planId: string
  readonly day: CalendarDate
  /** In which the invoice's lines are written. */
  readonly language: Language
  /** Of an instalment by its number. */
  readonly identityOf?: (number: number) => Identity | undefined
}

/** One debt's share of an instalment, bucket by bucket. */
type Share = { readonly planned: PlannedDebt; readonly parts: Owed }

/** What the plan pays, locked, in the order in which it is paid off. */
export async function lockMembers(
  tx: Transaction,
  plan: Pick<PlanRow, 'instance_id' | 'id'>,
): Promise<PlannedDebt[]> {
  const members: PlannedDebt[] = []
  for (const debt of await readMembers(tx, plan)) {
    members.push(await lockPlannedDebt(tx, plan.instance_id, debt))
  }
  return members
}

/** Takes `amount` out of the debts, the first one first, costs before interest before principal. */
function sharesOf(debts: readonly PlannedDebt[], amount: Money): Share[] {
  const shares: Share[] = []
  let left = amount
  for (const planned of debts) {
    if (left.minor === 0) break
    const { parts, surplus } = allocatePayment(left, planned.owed)
    shares.push({ planned, parts })
    left = surplus
  }
  return shares
}

function together(shares: readonly Share[], currency: Money['currency']): Owed {
  const none = zero(currency)
  return shares.reduce<Owed>(
    (total, { parts }) => ({
      principal: add(total.principal, parts.principal),
      costs: add(total.costs, parts.costs),
      interest: add(total.interest, parts.interest),
    }),
    { principal: none, costs: none, interest: none },
  )
}

/** The debt that a booking names. */
export function subjectOf(debt: Debt): Pick<Booking, 'invoiceId' | 'claimId'> {
  return 'claimId' in debt
    ? { invoiceId: null, claimId: debt.claimId }
    : { invoiceId: debt.invoiceId, claimId: null }
}

export function negated(parts: Owed): Owed {
  return {
    principal: negate(parts.principal),
    costs: negate(parts.costs),
    interest: negate(parts.interest),
  }
}

/** `done`: an invoice was made. `wait`: one of the plan's invoices rests. `over`: nothing is left to bill. */
export type Billed = 'done' | 'wait' | 'over'

/**
 * Makes the invoice of the plan's next instalment, if one is due on `day`. Once: the instalment's row names its
 * invoice. A plan whose invoice is paused or disputed waits, and its later instalments come later by as much.
 */
export function billNextInstalment(context: BillContext, instanceId: string, bill: Bill): Promise<Billed> {
  return context.db.transaction((tx) => billWithin(context, tx, instanceId, bill))
}

/** As billNextInstalment, in the caller's transaction. */
export async function billWithin(
  context: BillContext,
  tx: Transaction,
  instanceId: string,
  bill: Bill,
): Promise<Billed> {
  const plan = await lockPlanRow(tx, instanceId, bill.planId)
  const setting = await readSetting(tx, instanceId, plan.setting_id)
  const all = await readInstalments(tx, plan)
  const rows = all.filter((row) => row.invoice_id === null)
  if (plan.status !== 'ACTIVE' || !setting) return 'over'
  const members = await lockMembers(tx, plan)
  const open = members.filter((m) => m.state === 'open')
  if (members.some((m) => m.state === 'resting')) return 'wait'
  const left = money(
    open.reduce((total, m) => total + m.balanceMinor, 0),
    plan.currency,
  )
  if (left.minor === 0) {
    await removeUnbilledRows(tx, plan)
    return 'over'
  }
  const next =
    rows[0] ??
    (await addInstalment(tx, {
      id: newId(context.clock.now()),
      plan,
      debt: open[0]?.debt,
      left,
      number: all.length + 1,
      day: bill.day,
    }))
  if (next.send_date > bill.day) return 'over'
  await writeInstalment(context, tx, { plan, setting, next, isLast: rows.length <= 1, open, left, bill })
  return 'done'
}

type Writing = {
  readonly plan: PlanRow
  readonly setting: PlanSetting
  readonly next: InstalmentRow
  readonly isLast: boolean
  readonly open: readonly PlannedDebt[]
  readonly left: Money
  readonly bill: Bill
}

/** Planned figures hold while nothing but instalments reduced the balance; else interest is on what is left. */
function figuresOf({ setting, next, isLast, left }: Writing): { principal: Money; interest: Money } {
  const planned = money(next.principal_minor, left.currency)
  const principal = isLast || compare(planned, left) > 0 ? left : planned
  const most = money(next.interest_minor, left.currency)
  const now = monthlyInterest(left, setting.percent)
  return { principal, interest: compare(now, most) < 0 ? now : most }
}

async function writeInstalment(context: BillContext, tx: Transaction, writing: Writing): Promise<void> {
  const { plan, setting, next, open, bill } = writing
  const { principal, interest } = figuresOf(writing)
  const dueDate = laterOf(date(next.due_date), addDays(bill.day, setting.termsDays))
  const invoiceId = newId(context.clock.now())
  const fees = next.fee_minor + next.start_fee_minor
  const shares = sharesOf(open, principal)
  const first = shares[0]?.planned
  const identity = bill.identityOf?.(next.number)
  if (!first) throw new Error(`plan ${plan.id} has nothing to bill`)
  await insertInstalmentInvoice(tx, plan.instance_id, {
    id: invoiceId,
    motherId: first.id,
    type: INSTALMENT_TYPES[setting.variant],
    variant: setting.variant,
    number: identity?.invoiceNumber ?? `${plan.number}-${next.number}`,
    reference: await claimReference(tx, plan, identity?.reference),
    sentOn: bill.day,
    dueDate,
    totalMinor: principal.minor + interest.minor + fees,
    lines: linesOf({ next, setting, language: bill.language }, { principal, interest, of: first.number }),
  })
  const isNew = await markBilledRow(
    tx,
    { instanceId: plan.instance_id, id: next.id },
    {
      invoiceId,
      dueDate,
      sentOn: bill.day,
      principalMinor: principal.minor,
      interestMinor: interest.minor,
    },
  )
  if (!isNew) throw new Error(`instalment ${next.id} was billed under its plan's lock`)
  const bookings = bookingsOf(context, writing, { invoiceId, shares, interest })
  await postBookings(tx, plan.instance_id, bookings, context.clock)
  await queueBill(tx, plan.instance_id, {
    kind: 'plan_instalment',
    invoiceId,
    debtorId: plan.debtor_id,
    cause: `instalment:${next.id}`,
  })
  await writeSteps(tx, writing, { invoiceId, shiftDays: daysBetween(date(next.due_date), dueDate) })
}

async function claimReference(tx: Transaction, plan: PlanRow, given: string | undefined): Promise<string> {
  if (given !== undefined && (await insertReferenceRow(tx, plan, given))) return given
  const country = await readCreditorCountry(tx, plan)
  for (let tries = 0; tries < 5; tries++) {
    const reference = makeReference(country, newReferenceDigits())
    if (await insertReferenceRow(tx, plan, reference)) return reference
  }
  throw new Error('no free payment reference was found')
}

/** Out of the plan's invoices, onto the instalment's, and what the instalment costs on top. */
function bookingsOf(
  context: BillContext,
  { plan, next, bill }: Writing,
  { invoiceId, shares, interest }: { invoiceId: string; shares: readonly Share[]; interest: Money },
): Booking[] {
  const owners = { creditorId: plan.creditor_id, debtorId: plan.debtor_id }
  const own = { ...owners, invoiceId }
  // Of one day and one transaction, and yet in this order: a millisecond apart by their identifiers.
  let at = context.clock.now()
  const booking = (
    kind: string,
    cause: string,
    of: Pick<Booking, 'invoiceId' | 'claimId' | 'lines'>,
  ): Booking => ({
    id: newId(at++),
    kind,
    bookedOn: bill.day,
    cause,
    paymentId: null,
    ...of,
  })
  const charge = (kind: string, amountMinor: number, bucket: 'costs' | 'interest'): Booking[] => {
    const lines = bookCharge(own, bucket, money(amountMinor, plan.currency))
    return amountMinor === 0 ? [] : [booking(kind, `${kind.toLowerCase()}:${next.id}`, { invoiceId, lines })]
  }
  return [
    ...shares.map(({ planned, parts }) =>
      booking('TRANSFER_TO_PLAN', `plan:${next.id}:${planned.id}`, {
        ...subjectOf(planned.debt),
        lines: bookTransfer({ ...owners, ...planned.debt }, negated(parts)),
      }),
    ),
    booking('INVOICE', `invoice:${invoiceId}`, {
      invoiceId,
      lines: bookTransfer(own, together(shares, plan.currency)),
    }),
    ...charge('START_FEE', next.start_fee_minor, 'costs'),
    ...charge('ADMIN_FEE', next.fee_minor, 'costs'),
    ...charge('INTEREST', interest.minor, 'interest'),
  ]
}

async function writeSteps(
  tx: Transaction,
  { plan, next, open, bill }: Writing,
  { invoiceId, shiftDays }: { invoiceId: string; shiftDays: number },
): Promise<void> {
  const instanceId = plan.instance_id
  const debts = open.map(({ debt }) => debt)
  const on = (type: string) => ({ type, number: next.number, day: bill.day })
  await performStepRows(tx, { instanceId, debts: [{ invoiceId }] }, { ...on('INVOICE'), number: 1 })
  await performStepRows(tx, { instanceId, debts }, on('PART_INVOICE'))
  await performStepRows(tx, { instanceId, debts }, on('PART_PAYMENT_NOTIFICATION'))
  await shiftUnbilledRows(tx, plan, shiftDays)
  const after = (await readInstalments(tx, plan)).find((row) => row.invoice_id === null)
  if (!after) return
  const step = { type: 'PART_INVOICE', number: after.number, day: after.send_date }
  await planStepRows(tx, { instanceId, debts }, step)
}
