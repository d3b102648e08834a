/** What a debtor asks of a creditor that is answered by a decision: more time, a plan, or that a payment is looked for. */
import { addDays, laterOf, type CalendarDate } from '../calendar.ts'
import type { ConversationKind } from './conversation.ts'

/** What can be decided about each kind. */
export const REQUEST_DECISIONS = {
  QUESTION: [],
  MORE_TIME: ['GRANT', 'DECLINE'],
  SAID_PAID: ['FOUND', 'TRACING', 'NOT_FOUND'],
  PLAN: ['ACCEPT', 'COUNTER', 'DECLINE'],
} as const satisfies Readonly<Record<ConversationKind, readonly string[]>>
export const DECISIONS = [
  ...REQUEST_DECISIONS.MORE_TIME,
  ...REQUEST_DECISIONS.SAID_PAID,
  'ACCEPT',
  'COUNTER',
] as const
export type RequestDecision = (typeof DECISIONS)[number]

/** How the debtor answers a plan of its own, or the creditor's other one. */
export const PLAN_ANSWERS = ['ACCEPT', 'DECLINE', 'WITHDRAW'] as const
export type PlanAnswerGiven = (typeof PLAN_ANSWERS)[number]

/** What has become of a request: what was decided, or how a plan that nobody agreed to has ended. */
export const OUTCOMES = [...DECISIONS, 'COUNTER_DECLINED', 'LAPSED', 'WITHDRAWN'] as const
export type RequestOutcome = (typeof OUTCOMES)[number]

/** Decisions that say nothing without words. */
export const NEED_ANSWER: readonly RequestDecision[] = ['DECLINE', 'TRACING', 'NOT_FOUND']

/** How a debtor says that it was paid. */
export const PAID_HOW = ['BANK', 'SWISH', 'CASH', 'OTHER'] as const
export type PaidHow = (typeof PAID_HOW)[number]

/**
 * How far a creditor's debtors get what they ask for without anybody being asked. `mostDays`: of more time; `planMonths`: instalments
 * of a plan of their own, where the creditor offers one as long itself; 0 for none.
 */
export type Bounds = { readonly mostDays: number; readonly planMonths: number }
/** Of a creditor that has said nothing. */
export const USUAL_BOUNDS: Bounds = { mostDays: 14, planMonths: 12 }
/** The most instalments that a creditor can have agreed to by rule. */
export const MOST_PLAN_MONTHS = 60
/** The most days ahead that can be asked for, and that a creditor can set. */
export const MOST_DAYS_ASKED = 90
/** A debt that has rested for a request does not rest for another of its kind within so many days. */
export const DAYS_BETWEEN_RESTS = 30

export type TimeAsked = {
  readonly today: CalendarDate
  /** The last day to pay as it is now. */
  readonly expireDate: CalendarDate
  readonly bounds: Pick<Bounds, 'mostDays'>
  /** It was granted by rule before, or a person has decided: from then on people do. */
  readonly wasDecided: boolean
  /** More time would let interest go that has run already: the creditor's to give, not a rule's. */
  readonly costsInterest: boolean
}

/** The days that can be asked for, both included; `atOnce` is the last that is granted by rule, null for none of them. */
export type TimeLimits = {
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly atOnce: CalendarDate | null
}

/** Undefined where every day that can be asked for is one that the debtor has already. */
export function timeLimits(asked: TimeAsked): TimeLimits | undefined {
  const { today, expireDate, bounds, wasDecided, costsInterest } = asked
  const now = laterOf(today, expireDate)
  const from = addDays(now, 1)
  const to = addDays(today, MOST_DAYS_ASKED)
  if (from > to) return undefined
  const granted = addDays(now, bounds.mostDays)
  const isByRule = bounds.mostDays > 0 && !wasDecided && !costsInterest
  return { from, to, atOnce: isByRule ? (granted < to ? granted : to) : null }
}
