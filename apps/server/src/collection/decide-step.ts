/** What a due step does to its invoice or claim: the rules of the domain read for one row. Nothing here touches anything. */
import { addDays, date, daysBetween, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { COUNTRY_PARAMS, feeOn, type Figures } from '@kvitt/domain/collection/country-params.ts'
import { interestPeriods, type InterestPeriod } from '@kvitt/domain/collection/interest-periods.ts'
import {
  type InterestSum,
  interestToPost,
  type OwedDays,
  postsInterest,
} from '@kvitt/domain/collection/interest-posting.ts'
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
import type { DueStep } from './due-steps.queries.ts'
import { missingFee, missingRate, type Missing } from './missing-figures.ts'

export type Decision =
  /** Left as it is; asked again on another day. `missing` is a figure that a person has to enter. */
  | { readonly kind: 'wait'; readonly missing?: Missing }
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
      /** What the next step will need, where that is soon. */
      readonly missing?: Missing | undefined
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
  | 'fell_due_on'
  | 'is_live'
>

/** Fees and rates are in the country's own currency: an invoice in another one bears none. */
export function isInCountryCurrency(row: Pick<Row, 'country' | 'currency'>): boolean {
  return COUNTRY_PARAMS[row.country]?.currency === row.currency
}

/** A debt, and by which figures it is charged: those of its provider. */
type Charged<R> = { readonly row: R; readonly figures: Figures }

function isLittleLeft(row: Row, reminderFeeMinor: number): boolean {
  return row.has_paid && stopsFees(money(row.balance_minor, row.currency), reminderFeeMinor)
}

/** What the law allows for a reminder, by which a small rest is measured: agreed or not, and whatever was charged before. */
function reminderFeeOn({ row, figures }: Charged<Row>, day: CalendarDate): number {
  const { country, principal_minor: principalMinor } = row
  const debtorKind = debtorKindOf(row)
  const asked = {
    country,
    debtorKind,
    principalMinor,
    step: 'REMINDER',
    date: day,
    reminderFeeAgreed: true,
    figures,
  }
  // Measured by what was last known: a rest is as small without a new figure.
  return feeOn(asked)?.amountMinor ?? 0
}

/** A figure that the next step needs is asked for so many days before, or as soon as the step is planned. */
export const ASK_DAYS_BEFORE = 14

type Upcoming = {
  readonly row: Row
  readonly figures: Figures
  readonly isCharged: boolean
  readonly next: PlannedStep | undefined
  /** What the next step's interest will be counted on. */
  readonly owed: (to: CalendarDate) => readonly OwedDays[]
}

/** What the next step will lack, when it comes soon. What a court costs is no figure of a half-year. */
function missingSoon(
  day: CalendarDate,
  { row, figures, isCharged, next, owed }: Upcoming,
): Missing | undefined {
  if (!next || next.type === 'BAILIFF_PAYMENT_INJUCTION' || !isCharged) return undefined
  const { plannedDate, type: step, number } = next
  if (daysBetween(day, plannedDate) > ASK_DAYS_BEFORE) return undefined
  const fellDueOn = date(row.fell_due_on)
  const of = { country: row.country, debtorKind: debtorKindOf(row), isLive: row.is_live, figures, fellDueOn }
  const asked = { ...of, step, number, date: plannedDate, principalMinor: row.principal_minor }
  if (!feeOn({ ...asked, reminderFeeAgreed: true })) return missingFee(of, step, plannedDate)
  return postsInterest(step) ? missingRate(of, owed(plannedDate)) : undefined
}

/** Decides about one step that is due on `day`, by the figures of its provider. */
export function decideStep({ row, figures }: Charged<DueStep>, day: CalendarDate): Decision {
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
    fellDueOn: date(row.fell_due_on),
    isLive: row.is_live,
    figures,
  }
  const little = isLittleLeft(row, isCharged ? reminderFeeOn({ row, figures }, day) : 0)
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
  if (!fee) return { kind: 'wait', missing: missingFee(question, type, day) }
  const owed = (to: CalendarDate): OwedDays[] => owedOn(row, to)
  const interest = isCharged && postsInterest(type) ? interestSum({ row, figures }, owed(day)) : NO_INTEREST
  if (!interest) return waitForRate(question, owed(day))
  const lastPayDate = lastPayDateOf(terms, type, day)
  const performed: PerformedStep[] = [
    ...performedOf(row),
    { type, number: row.number, performedDate: day, ...(lastPayDate ? { lastPayDate } : {}) },
  ]
  // What is too little to post goes along to the claim; else the next posting counts the days again.
  const isSettled = interest.amountMinor > 0 || type === 'COLLECTION'
  const next = nextStep(terms, performed)
  return {
    kind: 'perform',
    feeMinor: fee.amountMinor,
    interestMinor: interest.amountMinor,
    periods: interestPeriods(interest),
    restParts: isSettled ? interest.restParts : undefined,
    lastPayDate,
    next,
    missing: missingSoon(day, { row, figures, isCharged, next, owed }),
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

export type Performing = Extract<Decision, { readonly kind: 'perform' }>

const NO_FEE = { amountMinor: 0 }
const NO_INTEREST: Interest = { amountMinor: 0, restParts: 0, segments: [] }
type Interest = Omit<InterestSum, 'assumed'>

function waitForRate(question: Parameters<typeof missingRate>[0], owed: readonly OwedDays[]): Decision {
  const missing = missingRate(question, owed)
  return { kind: 'wait', ...(missing ? { missing } : {}) }
}

/** What bears late interest: from the day after the due date, or after the last posting when that came later, to `day`. */
function owedOn(row: DueStep, day: CalendarDate): OwedDays[] {
  const dueDate = date(row.expire_date)
  const postedTo = row.interest_posted_to ? laterOf(date(row.interest_posted_to), dueDate) : dueDate
  return owedSince(row, postedTo, day)
}

/** With what was paid or taken back meanwhile, each for its days. */
function owedSince(row: Row, postedTo: CalendarDate, day: CalendarDate): OwedDays[] {
  const now = { principalMinor: row.principal_minor, from: addDays(postedTo, 1), to: day }
  return [now, ...row.late_days.map(owedDays)]
}

function interestSum({ row, figures }: Charged<Row>, owed: readonly OwedDays[]): Interest | undefined {
  return interestToPost({
    owed,
    restParts: row.interest_rest,
    country: row.country,
    debtorKind: debtorKindOf(row),
    fellDueOn: date(row.fell_due_on),
    isLive: row.is_live,
    figures,
  })
}

/** As decideStep, for a step of a claim. What it costs is read on `feeDay`. */
export function decideClaimStep(
  { row, figures }: Charged<DueClaimStep>,
  day: CalendarDate,
  feeDay = day,
): Decision {
  const type = row.step_type as StepType
  const terms = claimTermsOf(row)
  const isCharged = isInCountryCurrency(row)
  const question = {
    country: row.country,
    debtorKind: debtorKindOf(row),
    principalMinor: row.principal_minor,
    date: feeDay,
    chargedMinor: row.charged_minor,
    fellDueOn: date(row.fell_due_on),
    isLive: row.is_live,
    figures,
  }
  const verdict = canPerformOnClaim(type, {
    status: row.status,
    balanceMinor: row.balance_minor,
    hasAuthorizedPayment: row.has_authorized,
    isPartPayment: row.is_part_payment,
    stopsFees: isLittleLeft(row, isCharged ? reminderFeeOn({ row, figures }, day) : 0),
  })
  if (verdict !== 'perform') return { kind: verdict }
  // An application that was taken back cost nothing: each that stands costs what the first does.
  const number = type === 'BAILIFF_PAYMENT_INJUCTION' ? 1 : row.number
  const fee = isCharged ? feeOn({ ...question, step: type, number }) : NO_FEE
  if (!fee) return { kind: 'wait', missing: missingFee(question, type, feeDay) }
  const bearing = { ...row, principal_minor: Math.max(0, row.principal_minor - row.interest_free_minor) }
  const owed = (to: CalendarDate): OwedDays[] => owedSince(bearing, date(row.interest_posted_to), to)
  const interest = isCharged && postsInterest(type) ? interestSum({ row, figures }, owed(day)) : NO_INTEREST
  if (!interest) return waitForRate(question, owed(day))
  const lastPayDate = lastPayDateOf(terms, type, day)
  const performed: PerformedStep[] = [
    ...performedOf(row),
    { type, number: row.number, performedDate: day, ...(lastPayDate ? { lastPayDate } : {}) },
  ]
  const next = nextClaimStep(terms, performed)
  return {
    kind: 'perform',
    feeMinor: fee.amountMinor,
    interestMinor: interest.amountMinor,
    periods: interestPeriods(interest),
    restParts: interest.amountMinor > 0 ? interest.restParts : undefined,
    lastPayDate,
    next,
    missing: missingSoon(day, { row, figures, isCharged, next, owed }),
  }
}

/**
 * As decideClaimStep, for what somebody did on `happenedOn` and is written down on `day`: it has happened, whatever it may
 * cost. `missing` names a figure that a person has to enter; nothing is charged without it.
 */
export function decideRecordedStep(
  { row, figures }: Charged<DueClaimStep>,
  day: CalendarDate,
  happenedOn: CalendarDate,
): { readonly decision: Performing; readonly missing?: Missing } {
  const decided = decideClaimStep({ row: { ...row, has_authorized: false }, figures }, day, happenedOn)
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
