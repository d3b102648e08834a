/** What one instalment's invoice is: its part of the balance, taken out of the plan's debts to the öre, and its costs. */
import { addDays, date, daysBetween, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import {
  allocateToBuckets,
  bookCharge,
  bookTransfer,
  type Debt,
  type Owed,
} from '@kvitt/domain/ledger/booking.ts'
import { add, money, negate, zero, type Money } from '@kvitt/domain/money.ts'
import type { PlanSetting } from '@kvitt/domain/part-payments/offer.ts'
import { INSTALMENT_TYPES, termsOf } from '@kvitt/domain/part-payments/part-payment.ts'
import { figuresOfNext } from '@kvitt/domain/part-payments/to-bill.ts'
import type { Context } from '../../context.ts'
import type { Booking } from '../../ledger/ledger.ts'
import { newId } from '../../platform/identity.ts'
import type { Language } from '../../platform/texts.ts'
import { linesOf } from './instalment-lines.ts'
import type { DebtStep, InstalmentInvoice } from './instalments.queries.ts'
import type { PlannedDebt } from '../planned-debt.ts'
import type { InstalmentRow, PlanRow } from '../plans.queries.ts'
import type { TellContext } from '../tell-debtor.ts'

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

/** An instalment that is due, and everything of its plan that decides about its invoice. */
export type Due = {
  readonly plan: PlanRow
  readonly setting: PlanSetting
  readonly next: InstalmentRow
  /** The one after it, as it stands. */
  readonly after: InstalmentRow | undefined
  /** What can be billed, in the order in which it is paid off. */
  readonly open: readonly PlannedDebt[]
  readonly left: Money
  readonly bill: Bill
}

/** One debt's share of an instalment, bucket by bucket. */
type Share = { readonly planned: PlannedDebt; readonly parts: Owed }

/** What is written for an instalment. */
export type InstalmentBill = {
  readonly invoice: InstalmentInvoice
  readonly debtorId: string
  readonly bookings: readonly Booking[]
  /** What is written in the story of the plan's debts and of the new invoice, and what they wait for. */
  readonly performed: readonly DebtStep[]
  readonly planned: readonly DebtStep[]
  /** The instalments to come are later by so many days. */
  readonly laterBy: number
}

/** Takes `amount` out of the debts, the first one first, each in the order in which a payment would settle it. */
function sharesOf(debts: readonly PlannedDebt[], amount: Money): Share[] {
  const shares: Share[] = []
  let left = amount
  for (const planned of debts) {
    if (left.minor === 0) break
    const { parts, surplus } = allocateToBuckets(left, planned.owed, planned.order)
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

/** Bills what is due under the reference that its invoice gets. */
export function billOf(context: Pick<Context, 'clock'>, due: Due, reference: string): InstalmentBill {
  const { plan, setting, next, open, bill } = due
  const { principal, interest } = figuresOfNext(next, {
    left: due.left,
    percent: setting.percent,
    isLast: !due.after,
  })
  const dueDate = laterOf(date(next.due_date), addDays(bill.day, termsOf(setting, next.number)))
  const id = newId(context.clock.now())
  const shares = sharesOf(open, principal)
  const first = shares[0]?.planned
  if (!first) throw new Error(`plan ${plan.id} has nothing to bill`)
  const laterBy = daysBetween(date(next.due_date), dueDate)
  return {
    invoice: {
      id,
      instalmentId: next.id,
      motherId: first.id,
      type: INSTALMENT_TYPES[setting.variant],
      variant: setting.variant,
      number: bill.identityOf?.(next.number)?.invoiceNumber ?? `${plan.number}-${next.number}`,
      reference,
      sentOn: bill.day,
      dueDate,
      totalMinor: principal.minor + interest.minor + next.fee_minor + next.start_fee_minor,
      principalMinor: principal.minor,
      interestMinor: interest.minor,
      lines: linesOf({ next, setting, language: bill.language }, { principal, interest, of: first.number }),
    },
    debtorId: plan.debtor_id,
    bookings: bookingsOf(context, due, { invoiceId: id, shares, interest }),
    ...stepsOf(due, id, laterBy),
    laterBy,
  }
}

/** Out of the plan's invoices, onto the instalment's, and what the instalment costs on top. */
function bookingsOf(
  context: Pick<Context, 'clock'>,
  { plan, next, bill }: Due,
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

function stepsOf(
  { next, after, open, bill }: Due,
  invoiceId: string,
  laterBy: number,
): Pick<InstalmentBill, 'performed' | 'planned'> {
  const ofDebts = (type: string, number: number, day: CalendarDate): DebtStep[] =>
    open.map(({ debt }) => ({ debt, type, number, day }))
  return {
    performed: [
      { debt: { invoiceId }, type: 'INVOICE', number: 1, day: bill.day },
      ...ofDebts('PART_INVOICE', next.number, bill.day),
      ...ofDebts('PART_PAYMENT_NOTIFICATION', next.number, bill.day),
    ],
    planned: after
      ? ofDebts('PART_INVOICE', after.number, addDays(date(after.send_date), Math.max(0, laterBy)))
      : [],
  }
}
