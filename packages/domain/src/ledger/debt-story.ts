/** A debt's entries as facts, in the order of the days from which they count. */
import type { CalendarDate } from '../calendar.ts'
import type { InterestPeriod } from '../collection/interest-periods.ts'
import type { StepType } from '../collection/schedule-table.ts'
import type { Bucket } from './booking.ts'
import { waivedChargeOf } from './let-off.ts'
import type { DebtEvent } from './charge-reversals.ts'

/** What one transaction did to a debt, with its days. */
export type StoryEvent = DebtEvent & {
  readonly bookedOn: CalendarDate
  /** Of money the day from which it counts; of everything else as bookedOn. */
  readonly valueOn: CalendarDate
  readonly stepId: string | null
  readonly stepType: StepType | null
  readonly periods: readonly InterestPeriod[] | null
}

/** Money that is about to be booked. */
export type ComingMoney = { readonly amountMinor: number; readonly valueOn: CalendarDate }

export type Charge = {
  readonly cause: string
  readonly standingMinor: number
  /** What of it was waived: it counts as charged, and is owed by nobody. */
  readonly waivedMinor: number
}
export type Fact =
  | { readonly kind: 'owed'; readonly day: CalendarDate; readonly parts: Readonly<Record<Bucket, number>> }
  | { readonly kind: 'credit' | 'written-off'; readonly day: CalendarDate; readonly minor: number }
  | {
      readonly kind: 'money'
      readonly day: CalendarDate
      readonly minor: number
      readonly cause: string
      readonly isLate: boolean
    }
  /** Money that was taken back on the day `until`: it pays nothing, and until then what it would have paid looked paid. */
  | {
      readonly kind: 'looked-paid'
      readonly day: CalendarDate
      readonly minor: number
      readonly cause: string
      readonly isLate: boolean
      readonly until: CalendarDate
    }
  | {
      readonly kind: 'step'
      readonly day: CalendarDate
      readonly stepId: string
      readonly type: StepType
      fee?: Charge
      interest?: Charge & { readonly periods: readonly InterestPeriod[] }
    }
export type StepFact = Extract<Fact, { kind: 'step' }>

/** What only takes back or settles what other facts tell of. */
const FOLLOWS =
  /^(refund|write-off|restated|holder|unsent|dispute-fees|credit-used|reversal:refund):|^credited:(step|interest):/
const OWED_KINDS = new Set([
  'INVOICE',
  'INTEREST',
  'START_FEE',
  'ADMIN_FEE',
  'DENIED_TAX_REDUCTION_NOTIFICATION',
  'TRANSFER_TO_CLAIM',
  'TRANSFER_TO_PLAN',
])

/** The facts as they were heard of; undefined when the story holds what cannot be told again: a person has to look. */
export function factsOf(events: readonly StoryEvent[]): Fact[] | undefined {
  const causes = new Set(events.map(({ cause }) => cause))
  const backOn = new Map(
    events.flatMap(({ cause, bookedOn }) =>
      cause.startsWith('reversal:') ? [[cause.slice('reversal:'.length), bookedOn] as const] : [],
    ),
  )
  const charged = new Set(events.flatMap(({ cause, isOfStep }) => (isOfStep ? [cause] : [])))
  const facts: Fact[] = []
  for (const event of events) {
    const { kind, cause, bookedOn: day, stepId, stepType } = event
    const until = backOn.get(cause)
    const isGone = until !== undefined || (event.isOfStep && !event.isCharge)
    const parts = { principal: event.principalMinor, costs: event.costsMinor, interest: event.interestMinor }
    if (kind === 'PAYMENT' && until !== undefined) facts.push(lookedPaid(event, until))
    if (FOLLOWS.test(cause) || isGone) continue
    if (cause.startsWith('reversal:')) {
      // What was paid before an invoice joined this claim was owed all the time.
      if (!causes.has(cause.slice('reversal:'.length))) facts.unshift({ kind: 'owed', day, parts })
      continue
    }
    const minor = -(parts.principal + parts.costs + parts.interest)
    if (stepId !== null && stepType !== null) {
      if (event.interestMinor > 0 && event.periods === null) return undefined
      addCharge(facts, event, { stepId, type: stepType })
    } else if (kind === 'PAYMENT') {
      facts.push({ kind: 'money', day: event.valueOn, minor, cause, isLate: event.valueOn < day })
    } else if (cause.startsWith('written-off:')) facts.push({ kind: 'written-off', day, minor })
    else if (cause.startsWith('waived:')) {
      // What a step of this story charged has it taken off already.
      if (!charged.has(waivedChargeOf(cause) ?? '')) facts.push({ kind: 'owed', day, parts })
    } else if (kind === 'CREDIT_INVOICE') facts.push({ kind: 'credit', day, minor: event.creditedMinor })
    else if (OWED_KINDS.has(kind)) facts.push({ kind: 'owed', day, parts })
    else return undefined
  }
  return withoutRecounted(facts)
}

/**
 * A posting that was taken back whole leaves its days to the next one. When that has counted them, they are told with it alone: counted
 * with both they would move what is left over by the rounding.
 */
function withoutRecounted(facts: Fact[]): Fact[] {
  const steps = facts.filter((fact): fact is StepFact => fact.kind === 'step')
  for (const [index, step] of steps.entries()) {
    const { interest } = step
    if (!interest || interest.standingMinor > 0 || interest.waivedMinor > 0) continue
    const later = steps.slice(index + 1).flatMap((one) => one.interest?.periods ?? [])
    const isRecounted = interest.periods.some(({ to }) => later.some(({ from }) => from <= to))
    if (isRecounted) delete step.interest
  }
  return facts
}

function lookedPaid(event: StoryEvent, until: CalendarDate): Fact {
  const { cause, valueOn: day, bookedOn } = event
  const minor = -(event.principalMinor + event.costsMinor + event.interestMinor)
  return { kind: 'looked-paid', day, minor, cause, isLate: day < bookedOn, until }
}

function addCharge(
  facts: Fact[],
  event: StoryEvent,
  { stepId, type }: { readonly stepId: string; readonly type: StepType },
): void {
  const found = facts.find((fact): fact is StepFact => fact.kind === 'step' && fact.stepId === stepId)
  const step: StepFact = found ?? { kind: 'step', day: event.bookedOn, stepId, type }
  if (!found) facts.push(step)
  const standingMinor = event.costsMinor + event.interestMinor - event.takenBackMinor
  const charge = { cause: event.cause, standingMinor, waivedMinor: event.waivedMinor }
  // Its days tell a posting of interest, also where they came to too little to post.
  if (event.periods !== null) step.interest = { ...charge, periods: event.periods }
  else step.fee = charge
}

/** The cause of money that is not in the books yet. */
export const COMING = 'coming'

/** The facts in the order of their days: money that was told of late comes before what happened on its day or later. */
export function inOrder(facts: readonly Fact[], coming: ComingMoney): Fact[] {
  const isTardy = (fact: Fact): boolean =>
    (fact.kind === 'money' || fact.kind === 'looked-paid') && fact.isLate
  const told = facts.filter((fact) => !isTardy(fact))
  const tardy: Fact[] = [
    ...facts.filter(isTardy),
    { kind: 'money', day: coming.valueOn, minor: coming.amountMinor, cause: COMING, isLate: true },
  ]
  for (const late of tardy.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))) {
    const at = told.findIndex(
      ({ kind, day }) => kind !== 'owed' && (day > late.day || (kind === 'step' && day === late.day)),
    )
    told.splice(at < 0 ? told.length : at, 0, late)
  }
  return told
}
