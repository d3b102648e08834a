/** What a due step does to its invoice: the rules of the domain read for one row. Nothing here touches anything. */
import { addDays, date, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { COUNTRY_PARAMS, feeOn, type DebtorKind } from '@kvitt/domain/collection/country-params.ts'
import { interestToPost, postsInterest } from '@kvitt/domain/collection/interest-posting.ts'
import {
  lastPayDateOf,
  nextStep,
  type InvoiceTerms,
  type PerformedStep,
  type PlannedStep,
} from '@kvitt/domain/collection/schedule.ts'
import { canPerform } from '@kvitt/domain/collection/step-guards.ts'
import type { StepType } from '@kvitt/domain/collection/schedule-table.ts'
import { stopsFees } from '@kvitt/domain/invoices/small-remainder.ts'
import { money } from '@kvitt/domain/money.ts'
import type { DueStep } from './collection.queries.ts'

export type Decision =
  /** Left as it is; asked again another night. `missing` names a figure that a person has to enter. */
  | { readonly kind: 'wait'; readonly missing?: string }
  | { readonly kind: 'skip' }
  | {
      readonly kind: 'perform'
      readonly feeMinor: number
      readonly interestMinor: number
      /** Interest is in the books up to the day, also when it was too little to post. */
      readonly settlesInterest: boolean
      readonly lastPayDate: CalendarDate | undefined
      readonly next: PlannedStep | undefined
    }

function kindOf(row: Pick<DueStep, 'kind'>): DebtorKind {
  return row.kind === 'COMPANY' ? 'business' : 'consumer'
}

/** What of an invoice its schedule depends on. */
export type ScheduleFacts = Pick<
  DueStep,
  'kind' | 'country' | 'expire_date' | 'sent_date' | 'booked_on' | 'reminder_fee_agreed' | 'performed'
>

export function termsOf(row: ScheduleFacts): InvoiceTerms {
  return {
    country: row.country,
    debtorKind: kindOf(row),
    dueDate: date(row.expire_date),
    sentDate: date(row.sent_date),
    scheduleFrom: laterOf(date(row.expire_date), date(row.booked_on)),
    reminderFeeAgreed: row.reminder_fee_agreed,
  }
}

/** Fees and rates are in the country's own currency: an invoice in another one bears none. */
function isInCountryCurrency(row: DueStep): boolean {
  return COUNTRY_PARAMS[row.country]?.currency === row.currency
}

function isLittleLeft(row: DueStep, reminderFeeMinor: number): boolean {
  return row.has_paid && stopsFees(money(row.balance_minor, row.currency), reminderFeeMinor)
}

/** Decides about one step that is due on `day`. */
export function decideStep(row: DueStep, day: CalendarDate): Decision {
  const type = row.step_type as StepType
  const terms = termsOf(row)
  const isCharged = isInCountryCurrency(row)
  const question = {
    country: row.country,
    debtorKind: kindOf(row),
    principalMinor: row.principal_minor,
    date: day,
    reminderFeeAgreed: row.reminder_fee_agreed,
    costsMinor: row.costs_minor,
  }
  const reminder = isCharged ? feeOn({ ...question, step: 'REMINDER' }) : undefined
  const little = isLittleLeft(row, reminder?.amountMinor ?? 0)
  const verdict = canPerform(type, {
    status: row.status,
    balanceMinor: row.balance_minor,
    hasAuthorizedPayment: row.has_authorized,
    isPartPayment: row.is_part_payment,
    inClaim: false,
    stopsFees: little,
  })
  if (verdict !== 'perform') return { kind: verdict }
  const fee = isCharged ? feeOn({ ...question, step: type, number: row.number, stopsFees: little }) : NO_FEE
  if (!fee) return { kind: 'wait', missing: `${row.country} ${kindOf(row)} ${type} ${day}` }
  const interest = isCharged && postsInterest(type) ? interestOf(row, day) : NO_INTEREST
  if (!interest) return { kind: 'wait', missing: `${row.country} ${kindOf(row)} late interest ${day}` }
  const lastPayDate = lastPayDateOf(terms, type, day)
  const performed: PerformedStep[] = [
    ...performedOf(row),
    { type, performedDate: day, ...(lastPayDate ? { lastPayDate } : {}) },
  ]
  return {
    kind: 'perform',
    feeMinor: fee.amountMinor,
    interestMinor: interest.amountMinor,
    settlesInterest: interest.amountMinor > 0,
    lastPayDate,
    next: nextStep(terms, performed),
  }
}

/** The steps that have been performed, as the schedule reads them. */
export function performedOf({ performed }: ScheduleFacts): PerformedStep[] {
  return performed.map((step) => ({
    type: step.type as StepType,
    performedDate: date(step.performedDate),
    ...(step.lastPayDate ? { lastPayDate: date(step.lastPayDate) } : {}),
  }))
}

const NO_FEE = { amountMinor: 0 }
const NO_INTEREST = { amountMinor: 0 }

/**
 * Late interest from the day after the due date, or after the last posting when that came later, to `day`. None on
 * an invoice that is for interest itself.
 */
function interestOf(row: DueStep, day: CalendarDate): { amountMinor: number } | undefined {
  if (row.invoice_type === 'INTEREST_INVOICE') return NO_INTEREST
  const dueDate = date(row.expire_date)
  const from = addDays(row.interest_posted_to ? laterOf(date(row.interest_posted_to), dueDate) : dueDate, 1)
  return interestToPost({
    principalMinor: row.principal_minor,
    from,
    to: day,
    country: row.country,
    debtorKind: kindOf(row),
  })
}
