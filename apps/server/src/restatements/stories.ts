/** What happened to a debt, as whoever tells it again needs it. */
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { addDays, date, laterOf } from '@kvitt/domain/calendar.ts'
import type { Law } from '@kvitt/domain/collection/country-params.ts'
import { interestOn, type Bearing } from '@kvitt/domain/collection/interest-posting.ts'
import { interestPeriods } from '@kvitt/domain/collection/interest-periods.ts'
import type { InvoiceRow } from '../invoices/invoices.ts'
import { readStory, type StoryRow } from '../ledger/ledger.ts'
import type { Transaction } from '../platform/database/database.ts'
import type { PerformedRow } from './restatements.queries.ts'

/** By whose law and figures a debt bears interest. */
export type DebtLaw = Law & Pick<Bearing, 'country' | 'debtorKind' | 'fellDueOn'>

type Carried = {
  readonly invoice: InvoiceRow
  readonly story: readonly StoryRow[]
  readonly performed: readonly PerformedRow[]
  readonly law: DebtLaw
}

/**
 * Interest that was too little to post when the invoice went to collection: the claim carries it along, and no entry of the ledger tells of
 * it. A posting of nothing with the days that it counted, each on the whole invoice, as whoever tells the story knows what was owed on
 * each. None when the hand-over posted interest: the ledger tells of that.
 */
function carriedInterest({ invoice, story, performed, law }: Carried): StoryRow[] {
  const handOver = performed.find(
    ({ type, debt_id: of, rest_before: rest }) => type === 'COLLECTION' && of === invoice.id && rest !== null,
  )
  if (!handOver) return []
  const { id: stepId } = handOver
  const cause = `interest:${stepId}`
  if (story.some((event) => event.cause === cause)) return []
  const dueDate = date(invoice.expire_date)
  const before =
    handOver.interest_before === null ? dueDate : laterOf(date(handOver.interest_before), dueDate)
  const day = date(handOver.performed_date)
  const owed = [{ principalMinor: invoice.total_minor, from: addDays(before, 1), to: day }]
  const interest = interestOn({ ...law, owed })
  if (!interest) return []
  const nothing = { principalMinor: 0, costsMinor: 0, interestMinor: 0, creditedMinor: 0 }
  const standing = { takenBackMinor: 0, waivedMinor: 0, isOfStep: true, isCharge: true }
  return [
    {
      ...nothing,
      ...standing,
      id: stepId,
      kind: 'INTEREST',
      cause,
      invoiceId: invoice.id,
      bookedOn: day,
      valueOn: day,
      stepId,
      stepType: 'COLLECTION',
      periods: interestPeriods(interest),
    },
  ]
}

export type Told = { readonly debt: Debt; readonly alone: InvoiceRow | undefined }

type Telling = Told & { readonly performed: readonly PerformedRow[]; readonly law: DebtLaw }

/** The story of a debt; of a claim over one invoice with that invoice's own, as if it had never moved. */
export async function readStories(
  tx: Transaction,
  instanceId: string,
  telling: Telling,
): Promise<StoryRow[]> {
  const { debt, alone, performed, law } = telling
  const own = await readStory(tx, instanceId, debt)
  if (!alone) return own
  const before = await readStory(tx, instanceId, { invoiceId: alone.id })
  const ids = new Set(before.map(({ id }) => id))
  const carried = carriedInterest({ invoice: alone, story: before, performed, law })
  return [...before, ...carried, ...own.filter(({ id }) => !ids.has(id))].filter(
    ({ kind }) => kind !== 'TRANSFER_TO_CLAIM',
  )
}
