/** A settlement: what of a period's money is paid out to a creditor. */
import { addDays, addMonths, date, laterOf, type CalendarDate } from '../calendar.ts'

export const SETTLEMENT_STATUSES = [
  'COUNTING',
  'TO_APPROVE',
  'APPROVED',
  'SENT',
  'PAID',
  'REFUSED',
  'CARRIED',
] as const
export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number]

/** What was counted waits for two people, or is carried to the next; what the bank refuses is approved again before it leaves again. */
export const SETTLEMENT_MOVES: Readonly<Partial<Record<SettlementStatus, readonly SettlementStatus[]>>> = {
  COUNTING: ['TO_APPROVE', 'CARRIED'],
  TO_APPROVE: ['APPROVED'],
  APPROVED: ['SENT'],
  SENT: ['PAID', 'REFUSED'],
  PAID: ['REFUSED'],
  // SENT: the bank tells of a payout that was said to be not executed.
  REFUSED: ['APPROVED', 'SENT'],
}

export function canMoveSettlement(from: SettlementStatus, to: SettlementStatus): boolean {
  return SETTLEMENT_MOVES[from]?.includes(to) ?? false
}

/** Which of the four amounts of a settlement a line belongs to. */
export const LINE_PARTS = {
  COLLECTED: 'collected',
  COMMISSION: 'fees',
  COMMISSION_ON_DIRECT: 'fees',
  PAYMENT_PRICE: 'fees',
  CASE_PRICE: 'fees',
  DEBTOR_FEE: 'fees',
  VAT: 'vat',
  REVERSED: 'corrections',
  REFUNDED: 'corrections',
  CREDIT_USED: 'corrections',
  PAID_TO_CREDITOR: 'corrections',
  CORRECTED: 'corrections',
  COURT_OUTLAY: 'corrections',
  CARRIED_IN: 'corrections',
  CARRIED_OUT: 'corrections',
} as const
export type SettlementLineKind = keyof typeof LINE_PARTS
export type SettlementPart = (typeof LINE_PARTS)[SettlementLineKind]
export const SETTLEMENT_LINE_KINDS = Object.keys(LINE_PARTS) as [SettlementLineKind, ...SettlementLineKind[]]

export const SETTLEMENT_PERIODS = ['WEEK', 'MONTH'] as const
export type SettlementPeriod = (typeof SETTLEMENT_PERIODS)[number]

export type DaySpan = { readonly from: CalendarDate; readonly to: CalendarDate }

/** The week (Monday to Sunday) or the month that a day is in. */
export function periodOf(day: CalendarDate, period: SettlementPeriod): DaySpan {
  if (period === 'WEEK') {
    const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
    const from = addDays(day, -weekday)
    return { from, to: addDays(from, 6) }
  }
  const from = date(`${day.slice(0, 7)}-01`)
  return { from, to: addDays(addMonths(from, 1), -1) }
}

/**
 * The next period to settle: the one of the first day that is not settled, after the `last` one. Periods in which nothing was booked
 * are left out. Undefined while it has not ended.
 */
export function nextPeriod(
  {
    firstDay,
    lastTo,
    today,
  }: { firstDay: CalendarDate; lastTo: CalendarDate | undefined; today: CalendarDate },
  periodOn: (day: CalendarDate) => SettlementPeriod,
): DaySpan | undefined {
  const free = lastTo === undefined ? undefined : addDays(lastTo, 1)
  const day = free === undefined ? firstDay : laterOf(firstDay, free)
  const { from, to } = periodOf(day, periodOn(day))
  return to < today ? { from: free === undefined ? from : laterOf(from, free), to } : undefined
}
