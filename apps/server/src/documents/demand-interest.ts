/** The interest that a demand states, from the books of the claim and of its invoices. */
import { addDays, date } from '@kvitt/domain/calendar.ts'
import type { Context } from '../context.ts'
import {
  interestLines,
  readBucketEvents,
  readClaimBucketEvents,
  readPostedDays,
  withoutUnsent,
  type BucketEvent,
  type InterestLine,
} from '../ledger/ledger.ts'
import type { Demand } from './demand.ts'

/** What happens on the day of a demand, before it. */
const BEFORE_DEMAND = ['TRANSFER_TO_CLAIM', 'COLLECTION', 'INTEREST']

/** Each posting of interest as of the day of the demand. In all it is what the claim owes of it then. */
export async function demandInterest(
  { db }: Pick<Context, 'db'>,
  instanceId: string,
  { claim, demand, members, parties }: Pick<Demand, 'claim' | 'demand' | 'members' | 'parties'>,
): Promise<InterestLine[]> {
  const owners = { country: parties.creditor_country, kind: demand.debtor_kind }
  const lateDays = await readPostedDays(db, instanceId, [claim.id, ...members.map(({ id }) => id)])
  const isBefore = ({ booked_on: on, kind }: BucketEvent): boolean =>
    on < demand.sent_on || (on === demand.sent_on && BEFORE_DEMAND.includes(kind))
  const lines: InterestLine[] = []
  for (const { id, expire_date: due } of members) {
    const events = withoutUnsent(await readBucketEvents(db, { instanceId, invoiceId: id }))
    lines.push(...interestLines({ ...owners, events, lateDays, from: addDays(date(due), 1) }))
  }
  const events = withoutUnsent((await readClaimBucketEvents(db, instanceId, claim.id)).filter(isBefore))
  const from = addDays(date(claim.opened_on), 1)
  return [
    ...lines,
    ...interestLines({ ...owners, events, lateDays, from, freeMinor: claim.interest_free_minor }),
  ]
}
