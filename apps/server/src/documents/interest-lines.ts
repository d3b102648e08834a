/** Interest as letters state it: each posting with what it was on, its rates and its days. */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { interestOn, type OwedDays } from '@kvitt/domain/collection/interest-posting.ts'
import type { BucketEvent } from '../ledger/ledger.ts'

export type InterestLine = {
  readonly amountMinor: number
  /** None for what was paid or taken back of it. */
  readonly segments: readonly {
    readonly principalMinor: number
    readonly percent: string
    readonly from: CalendarDate
    readonly to: CalendarDate
  }[]
}

export type Told = {
  /** What stood in the books when the letter was written, oldest first. */
  readonly events: readonly BucketEvent[]
  /** By step, what its interest was posted on besides what was owed then. */
  readonly lateDays: ReadonlyMap<string, readonly OwedDays[]>
  /** The first day that bears interest. */
  readonly from: CalendarDate
  readonly country: string
  readonly kind: 'PERSON' | 'COMPANY'
  /** Of the principal, what bears none. */
  readonly freeMinor?: number
}

/** Each posting of interest with its rates and days; what was paid or taken back of it has a line of its own. */
export function interestLines({
  events,
  lateDays,
  from: first,
  country,
  kind,
  freeMinor = 0,
}: Told): InterestLine[] {
  const lines: InterestLine[] = []
  const debtorKind = kind === 'COMPANY' ? 'business' : 'consumer'
  let principalMinor = -freeMinor
  let from = first
  for (const event of events) {
    if (event.kind === 'INTEREST') {
      const to = date(event.booked_on)
      const late = lateDays.get(event.cause.slice('interest:'.length)) ?? []
      const owed = [{ principalMinor, from, to }, ...late]
      const segments = (interestOn({ owed, country, debtorKind })?.segments ?? []).map(
        ({ principalMinor: base, percent, from: start, to: end }) => ({
          principalMinor: base,
          percent,
          from: start,
          to: end,
        }),
      )
      lines.push({ amountMinor: event.interest_minor, segments })
      from = addDays(to, 1)
    } else if (event.interest_minor !== 0 && event.kind !== 'TRANSFER_TO_CLAIM') {
      lines.push({ amountMinor: event.interest_minor, segments: [] })
    }
    principalMinor += event.principal_minor
  }
  return lines
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
