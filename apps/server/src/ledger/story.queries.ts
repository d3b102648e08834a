/** The SQL of a debt's whole story with its days, for whoever tells it again. */
import type { StoryEvent } from '@kvitt/domain/ledger/debt-story.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { statement, type Transaction } from '../platform/database/database.ts'
import { debtEventsOf } from './posted.queries.ts'

export type StoryRow = StoryEvent & { readonly id: string }

const storyOf = (subject: 'invoice_id' | 'claim_id'): string =>
  `select e.*, t.id, t.booked_on as "bookedOn", coalesce(t.value_on, t.booked_on) as "valueOn", t.periods, s.id as "stepId",
     s.type as "stepType"
   from (${debtEventsOf(subject)}) e
   join ledger_transaction t on t.instance_id = $1 and t.cause = e.cause
   left join collection_step s on s.instance_id = $1
     and s.id = case when e."isOfStep" then split_part(e.cause, ':', 2)::uuid end
   order by t.posted_at, t.id`

const ofInvoice = statement('ledger.storyOfInvoice', storyOf('invoice_id'))
const ofClaim = statement('ledger.storyOfClaim', storyOf('claim_id'))

/** What happened to a debt, in the order in which it was posted. */
export function readStory(tx: Transaction, instanceId: string, debt: Debt): Promise<StoryRow[]> {
  return 'claimId' in debt
    ? tx.rows<StoryRow>(ofClaim, [instanceId, debt.claimId])
    : tx.rows<StoryRow>(ofInvoice, [instanceId, debt.invoiceId])
}
