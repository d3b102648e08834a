/** Interest as letters and screens state it: each posting with what it was counted on. */
import type { InterestPeriod } from '@kvitt/domain/collection/interest-periods.ts'
import type { BucketEvent } from './posted.queries.ts'

/** A person has waived it or written it off. */
export const isLetOff = ({ cause }: Pick<BucketEvent, 'cause'>): boolean =>
  /^(waived|written-off):/.test(cause)

export type InterestLine = {
  readonly amountMinor: number
  /** None for what a plan costs, and for what was paid or taken back. */
  readonly periods: readonly InterestPeriod[]
}

/** Each posting of interest with its rates and days; what was paid or taken back of it has a line of its own. */
export function interestLines(events: readonly BucketEvent[]): InterestLine[] {
  return events
    .filter(({ kind, interest_minor: minor }) => minor !== 0 && kind !== 'TRANSFER_TO_CLAIM')
    .map(({ interest_minor: amountMinor, periods }) => ({ amountMinor, periods: periods ?? [] }))
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
