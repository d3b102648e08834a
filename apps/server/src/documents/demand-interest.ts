/** The interest that a demand states, from the books of the claim and of its invoices. */
import type { Context } from '../context.ts'
import {
  interestLines,
  isLetOff,
  readBucketEvents,
  readClaimBucketEvents,
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
  { claim, demand, members }: Pick<Demand, 'claim' | 'demand' | 'members'>,
): Promise<InterestLine[]> {
  const isBefore = (event: BucketEvent): boolean => {
    const { booked_on: on, kind, posted_at: at } = event
    if (isLetOff(event)) return demand.left_at === null ? on < demand.sent_on : at < demand.left_at
    return on < demand.sent_on || (on === demand.sent_on && BEFORE_DEMAND.includes(kind))
  }
  const lines: InterestLine[] = []
  for (const { id: invoiceId } of members) {
    lines.push(...interestLines(withoutUnsent(await readBucketEvents(db, { instanceId, invoiceId }))))
  }
  const ofClaim = (await readClaimBucketEvents(db, instanceId, claim.id)).filter(isBefore)
  return [...lines, ...interestLines(withoutUnsent(ofClaim))]
}
