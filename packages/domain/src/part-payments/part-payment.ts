/** A plan: its variants, its states and the moves between them, its days, and what happens when one is missed. */
import { addDays, addMonths, laterOf, type CalendarDate } from '../calendar.ts'
import type { InvoiceType } from '../invoices/invoice.ts'

export const PLAN_VARIANTS = ['PART_PAYMENT', 'ONGOING_PAYMENT', 'PART_PAYMENT_ACCOUNT'] as const
export type PlanVariant = (typeof PLAN_VARIANTS)[number]

/** What an instalment's own invoice is called (specification section 3). */
export const INSTALMENT_TYPES: Readonly<Record<PlanVariant, InvoiceType>> = {
  PART_PAYMENT: 'PART_INVOICE',
  ONGOING_PAYMENT: 'ONGOING_INVOICE',
  PART_PAYMENT_ACCOUNT: 'ACCOUNT_INVOICE',
}

export const PLAN_STATUSES = ['ACTIVE', 'COMPLETED', 'DEFAULTED', 'WITHDRAWN', 'STOPPED'] as const
export type PlanStatus = (typeof PLAN_STATUSES)[number]

/** What has become of an instalment: `DUE` and `LATE` are billed and not paid. */
export const INSTALMENT_STATES = ['TO_COME', 'DUE', 'LATE', 'PAID', 'STOPPED'] as const
export type InstalmentState = (typeof INSTALMENT_STATES)[number]

/** @param bill the invoice of the instalment, undefined before there is one */
export function instalmentState(
  dueDate: string,
  bill: { readonly status: string } | undefined,
  today: string,
): InstalmentState {
  if (bill === undefined) return 'TO_COME'
  if (bill.status === 'CLOSED') return 'PAID'
  if (bill.status === 'STOPPED' || bill.status === 'ARCHIVED') return 'STOPPED'
  return dueDate < today ? 'LATE' : 'DUE'
}

/** A plan ends once and never begins again; the database update names ACTIVE. */
export const PLAN_MOVES = {
  /** Nothing is left to bill, and every instalment is paid. */
  complete: [['ACTIVE', 'COMPLETED']],
  /** M-21: an instalment was missed and the notice did not help. */
  default: [['ACTIVE', 'DEFAULTED']],
  /** The debtor changed their mind in time. */
  withdraw: [['ACTIVE', 'WITHDRAWN']],
  /** The case itself ended without payment. */
  stop: [['ACTIVE', 'STOPPED']],
} as const satisfies Record<string, readonly (readonly [PlanStatus, PlanStatus])[]>
export type PlanMove = keyof typeof PLAN_MOVES

/** May `move` take a plan from `from` to `to`? */
export function canMovePlan(move: PlanMove, from: PlanStatus, to: PlanStatus): boolean {
  return PLAN_MOVES[move].some(([a, b]) => a === from && b === to)
}

/**
 * Days of a missed instalment. A notice soon after the due date; the whole plan is due at the earliest when an
 * instalment is more than a month late and four weeks have passed since the notice (konsumentkreditlagen
 * (2010:1846) 33 and 34 §§), also where the law would allow less.
 */
export const MISSED = { noticeAfterDays: 2, endsAfterNoticeDays: 28, endsAfterDueDays: 31 } as const

/** Days in which a debtor may withdraw (directive 2008/48/EC article 14), the day of the agreement not counted. */
export const WITHDRAWAL_DAYS = 14
/** Days that a debtor has to pay the balance back after a withdrawal. */
export const DAYS_AFTER_WITHDRAWAL = 30
/** Days that a debtor has to pay what is left when a plan ended because an instalment was missed. */
export const DAYS_AFTER_DEFAULT = 10

export function withdrawUntil(startedOn: CalendarDate): CalendarDate {
  return addDays(startedOn, WITHDRAWAL_DAYS)
}

/**
 * The due date of instalment `number`, counted from 1: that many months after the start, or month by month from the first
 * day that the debtor has chosen, `firstInDays` after the start.
 */
export function instalmentDueDate(
  startedOn: CalendarDate,
  number: number,
  firstInDays: number | null = null,
): CalendarDate {
  if (firstInDays === null) return addMonths(startedOn, number)
  return addMonths(addDays(startedOn, firstInDays), number - 1)
}

/**
 * Days between the bill of instalment `number` and its due date: of the first one fewer where the day that the debtor has chosen is
 * nearer. It is billed on the day after the start at the latest.
 */
export function termsOf(
  { termsDays, firstInDays }: { readonly termsDays: number; readonly firstInDays?: number | null },
  number: number,
): number {
  if (number > 1 || !firstInDays) return termsDays
  return Math.max(0, Math.min(termsDays, firstInDays - 1))
}

/** When an instalment is billed: its terms before the due date, and never before the plan began. */
export function instalmentSendDate(
  dueDate: CalendarDate,
  { termsDays, startedOn }: { readonly termsDays: number; readonly startedOn: CalendarDate },
): CalendarDate {
  return laterOf(addDays(dueDate, -termsDays), startedOn)
}

/** The first day on which a missed instalment may end its plan. */
export function endsPlanOn(missed: {
  readonly dueDate: CalendarDate
  readonly noticeOn: CalendarDate
}): CalendarDate {
  return laterOf(
    addDays(missed.dueDate, MISSED.endsAfterDueDays),
    addDays(missed.noticeOn, MISSED.endsAfterNoticeDays),
  )
}
