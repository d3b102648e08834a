/** What a due step does to its invoice or claim: the rules of the domain read for one row. Nothing here touches anything. */
import { addDays, date, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { COUNTRY_PARAMS, feeOn } from '@kvitt/domain/collection/country-params.ts'
import { interestPeriods, type InterestPeriod } from '@kvitt/domain/collection/interest-periods.ts'
import { type InterestSum, interestToPost, postsInterest } from '@kvitt/domain/collection/interest-posting.ts'
import {
  lastPayDateOf,
  nextClaimStep,
  nextStep,
  type PerformedStep,
  type PlannedStep,
} from '@kvitt/domain/collection/schedule.ts'
import { canPerform, canPerformOnClaim } from '@kvitt/domain/collection/step-guards.ts'
import type { StepType } from '@kvitt/domain/collection/schedule-table.ts'
import { stopsFees } from '@kvitt/domain/invoices/small-remainder.ts'
import { money } from '@kvitt/domain/money.ts'
import { claimTermsOf, debtorKindOf, performedOf, termsOf } from '../claims/claims.ts'
import type { DueClaimStep } from './claim-steps.queries.ts'
import { owedDays } from '../ledger/ledger.ts'
import type { DueStep } from './collection.queries.ts'

export type Decision =
  /** Left as it is; asked again another night. `missing` names a figure that a person has to enter. */
  | { readonly kind: 'wait'; readonly missing?: string }
  | { readonly kind: 'skip' }
  | {
      readonly kind: 'perform'
      readonly feeMinor: number
      readonly interestMinor: number
      /** What it is counted on. */
      readonly periods: readonly InterestPeriod[]
      /** What the postings have left over, when interest is in the books up to the day with this step. */
      readonly restParts: number | undefined
      readonly lastPayDate: CalendarDate | undefined
      readonly next: PlannedStep | undefined
    }

/** What decides about an invoice's step and a claim's alike. */
type Row = Pick<
  DueStep,
  | 'kind'
  | 'country'
  | 'currency'
  | 'balance_minor'
  | 'has_paid'
  | 'principal_minor'
  | 'interest_rest'
  | 'late_days'
>

/** Fees and rates are in the country's own currency: an invoice in another one bears none. */
function isInCountryCurrency(row: Row): boolean {
  return COUNTRY_PARAMS[row.country]?.currency === row.currency
}

function isLittleLeft(row: Row, reminderFeeMinor: number): boolean {
  return row.has_paid && stopsFees(money(row.balance_minor, row.currency), reminderFeeMinor)
}

/** What the law allows for a reminder, by which a small rest is measured: agreed or not, and whatever was charged before. */
function reminderFeeOn(row: Row, day: CalendarDate): number {
  const { country, principal_minor: principalMinor } = row
  const debtorKind = debtorKindOf(row)
  const asked = { country, debtorKind, principalMinor, step: 'REMINDER', date: day, reminderFeeAgreed: true }
  return feeOn(asked)?.amountMinor ?? 0
}

/** Figures are set for half-years: a missing one is asked for once in each, and not night after night. */
function waitFor(row: Pick<DueStep, 'country' | 'kind'>, what: string, day: CalendarDate): Decision {
  const half = day.slice(5, 7) < '07' ? 'H1' : 'H2'
  return { kind: 'wait', missing: `${row.country} ${debtorKindOf(row)} ${what} ${day.slice(0, 4)} ${half}` }
}

/** Decides about one step that is due on `day`. */
export function decideStep(row: DueStep, day: CalendarDate): Decision {
  const type = row.step_type as StepType
  const terms = termsOf(row)
  // An invoice of interest bears neither fees nor interest.
  const isCharged = isInCountryCurrency(row) && !terms.isForInterest
  const question = {
    country: row.country,
    debtorKind: debtorKindOf(row),
    principalMinor: row.principal_minor,
    date: day,
    reminderFeeAgreed: row.reminder_fee_agreed,
    chargedMinor: row.charged_minor,
  }
  const little = isLittleLeft(row, isCharged ? reminderFeeOn(row, day) : 0)
  const verdict = canPerform(type, {
    status: row.status,
    balanceMinor: row.balance_minor,
    hasAuthorizedPayment: row.has_authorized,
    isPartPayment: row.is_part_payment,
    inClaim: row.claim_id !== null,
    stopsFees: little,
  })
  if (verdict !== 'perform') return { kind: verdict }
  const fee = isCharged ? feeOn({ ...question, step: type, number: row.number, stopsFees: little }) : NO_FEE
  if (!fee) return waitFor(row, type, day)
  const interest = isCharged && postsInterest(type) ? interestOf(row, day) : NO_INTEREST
  if (!interest) return waitFor(row, 'late interest', day)
  const lastPayDate = lastPayDateOf(terms, type, day)
  const performed: PerformedStep[] = [
    ...performedOf(row),
    { type, number: row.number, performedDate: day, ...(lastPayDate ? { lastPayDate } : {}) },
  ]
  // What is too little to post goes along to the claim; else the next posting counts the days again.
  const isSettled = interest.amountMinor > 0 || type === 'COLLECTION'
  return {
    kind: 'perform',
    feeMinor: fee.amountMinor,
    interestMinor: interest.amountMinor,
    periods: interestPeriods(interest),
    restParts: isSettled ? interest.restParts : undefined,
    lastPayDate,
    next: nextStep(terms, performed),
  }
}

export const WAIT = { kind: 'wait' } as const

/**
 * Does the step come after a letter that has not left? It waits, or it would fall into the time to pay that the letter will
 * give. Compensation is owed beside the letters.
 */
export function isBehindLetter(
  night: { readonly waitsForLetters?: boolean | undefined },
  row: Pick<DueStep, 'has_unsent_letter' | 'step_type'>,
): boolean {
  return night.waitsForLetters === true && row.has_unsent_letter && row.step_type !== 'DELAYED_PENALTY_FEE'
}

type Performing = Extract<Decision, { readonly kind: 'perform' }>

const NO_FEE = { amountMinor: 0 }
const NO_INTEREST: Interest = { amountMinor: 0, restParts: 0, segments: [] }
type Interest = Omit<InterestSum, 'assumed'>

/** Late interest from the day after the due date, or after the last posting when that came later, to `day`. */
function interestOf(row: DueStep, day: CalendarDate): Interest | undefined {
  const dueDate = date(row.expire_date)
  const postedTo = row.interest_posted_to ? laterOf(date(row.interest_posted_to), dueDate) : dueDate
  return interestSince(row, postedTo, day)
}

/** With what was paid or taken back meanwhile, each for its days. */
function interestSince(row: Row, postedTo: CalendarDate, day: CalendarDate): Interest | undefined {
  const now = { principalMinor: row.principal_minor, from: addDays(postedTo, 1), to: day }
  return interestToPost({
    owed: [now, ...row.late_days.map(owedDays)],
    restParts: row.interest_rest,
    country: row.country,
    debtorKind: debtorKindOf(row),
  })
}

/** As decideStep, for a step of a claim. What it costs is read on `feeDay`. */
export function decideClaimStep(row: DueClaimStep, day: CalendarDate, feeDay = day): Decision {
  const type = row.step_type as StepType
  const terms = claimTermsOf(row)
  const isCharged = isInCountryCurrency(row)
  const question = {
    country: row.country,
    debtorKind: debtorKindOf(row),
    principalMinor: row.principal_minor,
    date: feeDay,
    chargedMinor: row.charged_minor,
  }
  const verdict = canPerformOnClaim(type, {
    status: row.status,
    balanceMinor: row.balance_minor,
    hasAuthorizedPayment: row.has_authorized,
    isPartPayment: row.is_part_payment,
    stopsFees: isLittleLeft(row, isCharged ? reminderFeeOn(row, day) : 0),
  })
  if (verdict !== 'perform') return { kind: verdict }
  // An application that was taken back cost nothing: each that stands costs what the first does.
  const number = type === 'BAILIFF_PAYMENT_INJUCTION' ? 1 : row.number
  const fee = isCharged ? feeOn({ ...question, step: type, number }) : NO_FEE
  if (!fee) return waitFor(row, type, day)
  const isInterestPosted = isCharged && postsInterest(type)
  const bearing = { ...row, principal_minor: Math.max(0, row.principal_minor - row.interest_free_minor) }
  const interest = isInterestPosted ? interestSince(bearing, date(row.interest_posted_to), day) : NO_INTEREST
  if (!interest) return waitFor(row, 'late interest', day)
  const lastPayDate = lastPayDateOf(terms, type, day)
  const performed: PerformedStep[] = [
    ...performedOf(row),
    { type, number: row.number, performedDate: day, ...(lastPayDate ? { lastPayDate } : {}) },
  ]
  return {
    kind: 'perform',
    feeMinor: fee.amountMinor,
    interestMinor: interest.amountMinor,
    periods: interestPeriods(interest),
    restParts: interest.amountMinor > 0 ? interest.restParts : undefined,
    lastPayDate,
    next: nextClaimStep(terms, performed),
  }
}

/**
 * As decideClaimStep, for what somebody did on `happenedOn` and is written down on `day`: it has happened, whatever it may
 * cost. `missing` names a figure that a person has to enter; nothing is charged without it.
 */
export function decideRecordedStep(
  row: DueClaimStep,
  day: CalendarDate,
  happenedOn: CalendarDate,
): { readonly decision: Performing; readonly missing?: string } {
  const decided = decideClaimStep({ ...row, has_authorized: false }, day, happenedOn)
  if (decided.kind === 'perform') return { decision: decided }
  const type = row.step_type as StepType
  const performed = [...performedOf(row), { type, number: row.number, performedDate: day }]
  const decision: Performing = {
    kind: 'perform',
    feeMinor: 0,
    interestMinor: 0,
    periods: [],
    restParts: undefined,
    lastPayDate: undefined,
    next: nextClaimStep(claimTermsOf(row), performed),
  }
  return decided.kind === 'wait' && decided.missing ? { decision, missing: decided.missing } : { decision }
}
