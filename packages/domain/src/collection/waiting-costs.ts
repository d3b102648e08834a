/**
 * What an unpaid invoice comes to while nobody pays it: the steps of the country's schedule, each with its day, what it may cost
 * and the interest until then. The same functions that the nights charge by.
 */
import { addDays, type CalendarDate } from '../calendar.ts'
import type { Currency } from '../money.ts'
import {
  COUNTRY_PARAMS,
  type DebtorKind,
  feeOn,
  type Figures,
  rateOn,
  ratesBetween,
} from './country-params.ts'
import { type HalfYear, halfYearOf } from './half-years.ts'
import { interestToPost, postsInterest } from './interest-posting.ts'
import { lastPayDateOf, nextClaimStep, nextStep, type PerformedStep, type PlannedStep } from './schedule.ts'
import type { StepType } from './schedule-table.ts'

/** The countries whose fees and rates are known. */
export const COSTED_COUNTRIES = ['SE', 'NO', 'DK', 'FI'] as const
export type CostedCountry = (typeof COSTED_COUNTRIES)[number]

export type WaitingDebt = {
  readonly country: CostedCountry
  readonly debtorKind: DebtorKind
  readonly amountMinor: number
  readonly dueDate: CalendarDate
}

export type WaitingStep = {
  readonly type: StepType
  /** 1 for the first of its type. */
  readonly number: number
  readonly day: CalendarDate
  /** The last day to pay that it gives; undefined where it asks for nothing. */
  readonly lastPayDay: CalendarDate | undefined
  /** What it adds; undefined where a fee exists and its amount on that day is not known. */
  readonly feeMinor: number | undefined
  /** Interest that a letter of this day asks for: what is posted until then (D-28). Undefined where a rate is not known. */
  readonly interestMinor: number | undefined
  /** What a letter of this day asks for; undefined where a part of it is not known. */
  readonly totalMinor: number | undefined
  /** Its fee is the newest known one, and may have been set anew. */
  readonly isFeeAssumed: boolean
}

/** A yearly rate in percent, with its first and last day. */
export type RateDays = { readonly percent: string; readonly from: CalendarDate; readonly to: CalendarDate }

export type WaitingCosts = {
  readonly currency: Currency
  readonly steps: readonly WaitingStep[]
  /** The rates from the day after the due date to the last step; none where one is not known. */
  readonly rates: readonly RateDays[]
  /** The half-years on the way whose rate is not known: the newest one is taken to go on. */
  readonly openHalves: readonly HalfYear[]
}

/** Steps that change neither what is owed nor who asks for it. */
const SILENT: readonly StepType[] = ['EXPIRED', 'EXPIRED_NOTIFICATION', 'COLLECTION', 'SCHEDULE_END']
/** More than any schedule has before its end. */
const MOST_STEPS = 30
/** The invoice is taken to be sent so many days before its due date. */
const USUAL_TERM_DAYS = 30

/** A debt and the figures that it is charged by. */
type Asked = WaitingDebt & { readonly figures: Figures }

/**
 * The steps until a claim's schedule ends, and the application to an authority as the day on which it is possible. A reminder
 * fee is taken to be agreed, as most invoices say.
 * @param figures those of the provider whose letters are foretold; by default what the product knows
 */
export function waitingCosts(asked: WaitingDebt, figures: Figures = COUNTRY_PARAMS): WaitingCosts {
  const debt: Asked = { ...asked, figures }
  const steps: WaitingStep[] = []
  let chargedMinor = 0
  let posted: Posted | undefined = { minor: 0, restParts: 0, to: debt.dueDate }
  for (const planned of plannedSteps(debt)) {
    posted = posted && postedAfter(debt, planned, posted)
    if (SILENT.includes(planned.type)) continue
    const step = costedStep(debt, planned, { chargedMinor, posted })
    chargedMinor += step.feeMinor ?? 0
    if (planned.type === 'COLLECTION_NOTIFICATION' && step.feeMinor === 0) continue
    steps.push(step)
  }
  const end = steps.at(-1)?.day ?? debt.dueDate
  return {
    currency: COUNTRY_PARAMS[debt.country]?.currency as Currency,
    steps,
    rates: ratesUntil(debt, end),
    openHalves: openHalvesUntil(debt, end),
  }
}

/** The half-years of days with interest whose rate is only taken to go on. */
function openHalvesUntil({ country, debtorKind, dueDate, figures }: Asked, to: CalendarDate): HalfYear[] {
  const found: HalfYear[] = []
  const first = addDays(dueDate, 1)
  for (let half = halfYearOf(first); half.from <= to; half = halfYearOf(addDays(half.to, 1))) {
    const day = half.from < first ? first : half.from
    if (rateOn(country, debtorKind, day, { figures, fellDueOn: dueDate })?.assumed) found.push(half)
  }
  return found
}

/** Interest in the books: how much, what the roundings left over, and the last day that is in it. */
type Posted = {
  readonly minor: number
  readonly restParts: number
  readonly to: CalendarDate
}

/** As the nights post it with a step. Undefined where a rate is not known: the engine waits for a person then. */
function postedAfter(debt: Asked, planned: PlannedStep, posted: Posted): Posted | undefined {
  if (!postsInterest(planned.type)) return posted
  const { country, debtorKind, amountMinor: principalMinor, figures } = debt
  const owed = [{ principalMinor, from: addDays(posted.to, 1), to: planned.plannedDate }]
  const sum = interestToPost({
    owed,
    restParts: posted.restParts,
    country,
    debtorKind,
    fellDueOn: debt.dueDate,
    figures,
  })
  if (!sum) return undefined
  return {
    minor: posted.minor + sum.amountMinor,
    restParts: sum.restParts,
    to: planned.plannedDate,
  }
}

function ratesUntil({ country, debtorKind, dueDate, figures }: Asked, to: CalendarDate): RateDays[] {
  const span = { from: addDays(dueDate, 1), to, fellDueOn: dueDate, figures }
  const rates = ratesBetween(country, debtorKind, span) ?? []
  // A half-year's row may repeat the rate of the one before.
  const changes = rates.filter(({ percent }, index) => percent !== rates[index - 1]?.percent)
  return changes.map(({ percent, from }, index) => {
    const next = changes[index + 1]
    return { percent, from, to: next ? addDays(next.from, -1) : to }
  })
}

/** All steps in their order, of the invoice and then of its claim. */
function plannedSteps({ country, debtorKind, dueDate }: WaitingDebt): PlannedStep[] {
  const terms = {
    country,
    debtorKind,
    dueDate,
    sentDate: addDays(dueDate, -USUAL_TERM_DAYS),
    scheduleFrom: dueDate,
    reminderFeeAgreed: true,
  }
  const found: PlannedStep[] = []
  const ofInvoice = walk((performed) => nextStep(terms, performed), 'COLLECTION')
  found.push(...ofInvoice)
  const openedOn = ofInvoice.at(-1)?.plannedDate
  if (ofInvoice.at(-1)?.type !== 'COLLECTION' || !openedOn) return found
  const ofClaim = walk(
    (performed) => nextClaimStep({ country, debtorKind, openedOn }, performed),
    'SCHEDULE_END',
  )
  const end = ofClaim.at(-1)
  found.push(...ofClaim)
  if (end?.type === 'SCHEDULE_END') {
    found.push({ type: 'BAILIFF_PAYMENT_INJUCTION', number: 1, plannedDate: end.plannedDate })
  }
  return found
}

function walk(
  next: (performed: readonly PerformedStep[]) => PlannedStep | undefined,
  last: StepType,
): PlannedStep[] {
  const found: PlannedStep[] = []
  while (found.length < MOST_STEPS) {
    const planned = next(
      found.map(({ type, number, plannedDate }) => ({ type, number, performedDate: plannedDate })),
    )
    if (!planned) break
    found.push(planned)
    if (planned.type === last) break
  }
  return found
}

function costedStep(
  debt: Asked,
  planned: PlannedStep,
  { chargedMinor, posted }: { readonly chargedMinor: number; readonly posted: Posted | undefined },
): WaitingStep {
  const { country, debtorKind, amountMinor } = debt
  const { type, number, plannedDate: day } = planned
  const fee = feeOn({
    country,
    step: type,
    debtorKind,
    principalMinor: amountMinor,
    date: day,
    fellDueOn: debt.dueDate,
    number,
    reminderFeeAgreed: true,
    chargedMinor,
    figures: debt.figures,
  })
  const parts = [amountMinor, chargedMinor, fee?.amountMinor, posted?.minor]
  return {
    type,
    number,
    day,
    lastPayDay: lastPayDateOf(debt, type, day),
    feeMinor: fee?.amountMinor,
    interestMinor: posted?.minor,
    totalMinor: parts.every((part) => part !== undefined)
      ? parts.reduce((sum, part) => sum + part, 0)
      : undefined,
    isFeeAssumed: fee?.assumed === true,
  }
}
