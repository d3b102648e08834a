/** What each posting of interest on a debt is made of, for whoever is shown it (inkassolagen section 5). */
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Connection } from '../platform/database.ts'
import {
  interestLines,
  periodsOf,
  withoutUnsent,
  type InterestLine,
  type InterestPeriod,
} from './interest-lines.ts'
import { owedDays, readPostedDays } from './late-days.queries.ts'
import {
  readBilledDays,
  readClaimTerms,
  readInvoiceTerms,
  type InterestTerms,
} from './posted-interest.queries.ts'
import {
  readBucketEvents,
  readBucketEventsOfMany,
  readClaimBucketEvents,
  type BucketEvent,
} from './posted.queries.ts'

/** By the transaction that posted them. */
export type PostedInterest = ReadonlyMap<string, readonly InterestPeriod[]>

type Posted = { readonly id: string; readonly kind: string; readonly amount_minor: number }

type LateDays = Awaited<ReturnType<typeof readPostedDays>>

function linesOf(terms: InterestTerms, events: readonly BucketEvent[], lateDays: LateDays): InterestLine[] {
  const from = addDays(date(terms.free_to), 1)
  return interestLines({
    ...terms,
    events: withoutUnsent(events),
    lateDays,
    from,
    freeMinor: terms.free_minor,
  })
}

/** The periods of the interest among `events`, which are all of the debt's. Nothing is read when there is none. */
export async function readPostedInterest(
  db: Connection,
  { instanceId, debt }: { readonly instanceId: string; readonly debt: Debt },
  events: readonly Posted[],
): Promise<PostedInterest> {
  if (!events.some(({ kind }) => kind === 'INTEREST')) return new Map()
  const [[terms], lateDays, bucketEvents] = await Promise.all([
    'claimId' in debt
      ? readClaimTerms(db, instanceId, debt.claimId)
      : readInvoiceTerms(db, instanceId, [debt.invoiceId]),
    readPostedDays(db, instanceId, [debtId(debt)]),
    'claimId' in debt
      ? readClaimBucketEvents(db, instanceId, debt.claimId)
      : readBucketEvents(db, { instanceId, invoiceId: debt.invoiceId }),
  ])
  const lines = terms ? linesOf(terms, bucketEvents, lateDays) : []
  return new Map(lines.map(({ id, segments }) => [id, segments]))
}

/** All interest that was posted on each of these invoices, by invoice. */
export async function readInterestOfInvoices(
  db: Connection,
  instanceId: string,
  invoiceIds: readonly string[],
): Promise<ReadonlyMap<string, readonly InterestPeriod[]>> {
  const events = await readBucketEventsOfMany(db, instanceId, invoiceIds)
  const bearing = invoiceIds.filter((id) =>
    events.some(({ kind, invoice_id: of }) => of === id && kind === 'INTEREST'),
  )
  if (bearing.length === 0) return new Map()
  const [terms, lateDays] = await Promise.all([
    readInvoiceTerms(db, instanceId, bearing),
    readPostedDays(db, instanceId, bearing),
  ])
  const periodsOfOne = (one: InterestTerms): InterestPeriod[] => {
    const mine = events.filter(({ invoice_id: of }) => of === one.id)
    return linesOf(one, mine, lateDays).flatMap(({ segments }) => segments)
  }
  return new Map(terms.map((one) => [one.id, periodsOfOne(one)]))
}

/** The same of an invoice for interest, whose first posting bills it. */
export async function readBilledInterest(
  db: Connection,
  { instanceId, invoiceId }: { readonly instanceId: string; readonly invoiceId: string },
  events: readonly Posted[],
): Promise<PostedInterest> {
  const first = events.find(({ kind }) => kind === 'INVOICE')
  const days = await readBilledDays(db, instanceId, invoiceId)
  const [terms] = days.length > 0 ? await readInvoiceTerms(db, instanceId, [invoiceId]) : []
  if (!first || !terms) return new Map()
  return new Map([[first.id, periodsOf(days.map(owedDays), terms, first.amount_minor)]])
}
