/** Interest as letters and screens state it: each posting with what it was on, its rates and its days. */
import { addDays, date, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { interestOn, roundedSum, type OwedDays } from '@kvitt/domain/collection/interest-posting.ts'
import type { PostedDays } from './late-days.queries.ts'
import type { BucketEvent } from './posted.queries.ts'

/** Days with one rate and one base. */
export type InterestPeriod = {
  readonly principalMinor: number
  /** The yearly rate, such as `11.5`. */
  readonly percent: string
  readonly from: CalendarDate
  /** The last day that bears interest. */
  readonly to: CalendarDate
  readonly days: number
  readonly amountMinor: number
}

export type InterestLine = {
  /** The transaction that posted it. */
  readonly id: string
  readonly amountMinor: number
  /**
   * None for what was paid or taken back of it. They come to `amountMinor`, but for what a claim's invoices brought along
   * that had been too little to post.
   */
  readonly segments: readonly InterestPeriod[]
}

export type Told = {
  /** What stood in the books when the letter was written, oldest first. */
  readonly events: readonly BucketEvent[]
  /** By step, since when its interest was posted, and on what besides what was owed then. */
  readonly lateDays: ReadonlyMap<string, PostedDays>
  /** The first day that bears interest. */
  readonly from: CalendarDate
  readonly country: string
  readonly kind: 'PERSON' | 'COMPANY'
  /** Of the principal, what bears none. */
  readonly freeMinor?: number
}

/** Each posting of interest with its rates and days; what was paid or taken back of it has a line of its own. */
export function interestLines(told: Told): InterestLine[] {
  const { lateDays, country, kind, freeMinor = 0 } = told
  const lines: InterestLine[] = []
  let principalMinor = -freeMinor
  let { from } = told
  for (const event of inOrderOfPosting(told.events)) {
    const { id, interest_minor: amountMinor } = event
    if (event.kind === 'INTEREST') {
      const to = date(event.booked_on)
      const step = lateDays.get(event.cause.slice('interest:'.length))
      const now = { principalMinor, from: step?.before ? startAfter(step.before, to, told) : from, to }
      const owed = isLateInterest(event) ? [now, ...(step?.days ?? [])] : []
      lines.push({ id, amountMinor, segments: periodsOf(owed, { country, kind }, amountMinor) })
      if (isLateInterest(event) && !isTakenBack(event, told.events)) from = laterOf(from, addDays(to, 1))
    } else if (amountMinor !== 0 && event.kind !== 'TRANSFER_TO_CLAIM') {
      lines.push({ id, amountMinor, segments: [] })
    }
    principalMinor += event.principal_minor
  }
  return lines
}

/** A plan moves the last day without interest: a posting before it knew of another. */
function startAfter(before: string, to: CalendarDate, { from }: Told): CalendarDate {
  const next = addDays(date(before), 1)
  return to < from ? next : laterOf(next, from)
}

/** A payment may be booked on a day before a posting that did not know of it. */
function inOrderOfPosting(events: readonly BucketEvent[]): BucketEvent[] {
  return events.toSorted((a, b) => (a.posted_at === b.posted_at ? 0 : a.posted_at < b.posted_at ? -1 : 1))
}

/** What a plan costs until it is withdrawn from is no interest for being late. */
const isLateInterest = ({ cause }: BucketEvent): boolean => cause.startsWith('interest:')

/** Days that a letter had counted are counted again when it was never sent. */
function isTakenBack({ cause }: BucketEvent, events: readonly BucketEvent[]): boolean {
  const unsent = `unsent:${cause.slice('interest:'.length)}`
  return events.some((event) => event.cause === unsent)
}

/**
 * The days with their shares of `amountMinor`. A share is the difference of two rounded sums, so that together they are
 * rounded once; the last also bears the minor unit that earlier postings may have left over.
 */
export function periodsOf(
  owed: readonly OwedDays[],
  { country, kind }: Pick<Told, 'country' | 'kind'>,
  amountMinor: number,
): InterestPeriod[] {
  const debtorKind = kind === 'COMPANY' ? 'business' : 'consumer'
  const segments = interestOn({ owed, country, debtorKind })?.segments ?? []
  const over = amountMinor - roundedSum(segments)
  const periods: InterestPeriod[] = []
  for (const [index, segment] of segments.entries()) {
    const { principalMinor, percent, from, to, days } = segment
    const share = roundedSum(segments.slice(0, index + 1)) - roundedSum(segments.slice(0, index))
    const isLast = index === segments.length - 1
    const period = {
      principalMinor,
      percent,
      from,
      to,
      days,
      amountMinor: isLast && Math.abs(over) === 1 ? share + over : share,
    }
    const before = periods.at(-1)
    if (before && goesOn(before, period)) periods[periods.length - 1] = joined(before, period)
    else periods.push(period)
  }
  return periods
}

/** A rate is set anew each half-year, often as it was. */
function goesOn(before: InterestPeriod, { percent, principalMinor, from }: InterestPeriod): boolean {
  return (
    before.percent === percent && before.principalMinor === principalMinor && addDays(before.to, 1) === from
  )
}

function joined(before: InterestPeriod, { to, days, amountMinor }: InterestPeriod): InterestPeriod {
  return { ...before, to, days: before.days + days, amountMinor: before.amountMinor + amountMinor }
}

/** Without what another letter charged and gave back before it was sent: it never was. */
export function withoutUnsent(events: readonly BucketEvent[]): BucketEvent[] {
  const gone = new Set<BucketEvent>()
  for (const back of events.filter(({ cause }) => cause.startsWith('unsent:'))) {
    const stepId = back.cause.slice('unsent:'.length)
    const charged = events.filter(({ cause }) => cause === `step:${stepId}` || cause === `interest:${stepId}`)
    const sum = (bucket: 'costs_minor' | 'interest_minor'): number =>
      [...charged, back].reduce((total, event) => total + event[bucket], 0)
    // Part of it was paid meanwhile: then the letter tells the whole story.
    if (sum('costs_minor') !== 0 || sum('interest_minor') !== 0) continue
    for (const event of [...charged, back]) gone.add(event)
  }
  return events.filter((event) => !gone.has(event))
}
