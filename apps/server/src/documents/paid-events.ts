/** What a receipt tells of an invoice's books. */
import { date } from '@kvitt/domain/calendar.ts'
import type { BucketEvent } from '../ledger/ledger.ts'
import type { PaidEvent } from './receipt.ts'

/** What moved the invoice's balance. A payment says what it paid of each part; what was too much of it paid none. */
export function paidEvents(events: readonly BucketEvent[]): PaidEvent[] {
  return events.map((event) => {
    const { kind, principal_minor: principal, costs_minor: costs, interest_minor: interest } = event
    const surplus = events.find(({ cause }) => cause === `refund:${event.cause}`)?.principal_minor ?? 0
    const parts = { costs: -costs, interest: -interest, principal: -principal - surplus }
    const paidAnything = kind === 'PAYMENT' && Object.values(parts).some((minor) => minor !== 0)
    return {
      kind: event.cause.startsWith('restated:')
        ? 'CAME_EARLIER'
        : event.cause.startsWith('waived:')
          ? 'WAIVED'
          : kind,
      date: date(event.booked_on),
      amountMinor: principal + costs + interest,
      parts: paidAnything ? parts : undefined,
    }
  })
}
