/** The SQL of a claim's demand. */
import { statement, type Connection } from '../platform/database/database.ts'
import { leftAt } from './left-at.queries.ts'
import { partiesOf, type LetterRow, type PaperFor } from './documents.queries.ts'

const demandParties = statement('documents.demandParties', partiesOf('claim'))

/** As readParties, for a claim. */
export async function readClaimParties(
  db: Connection,
  instanceId: string,
  claimId: string,
  paper: PaperFor = 'shown',
): Promise<LetterRow> {
  const row = (await db.rows<LetterRow>(demandParties, [instanceId, claimId, paper === 'sent']))[0]
  if (!row) throw new Error(`claim ${claimId} has no parties`)
  return row
}

/** A demand as it was on the day it was sent, whatever has happened since. */
export type DemandRow = {
  sent_on: string
  last_pay_date: string
  principal_minor: number
  costs_minor: number
  /** Of the costs, what the demands themselves cost. */
  fee_minor: number
  interest_minor: number
  /** What of the costs had been waived or written off by then: less than nothing. */
  let_off_minor: number
  /** As of a reminder (reminders.queries.ts). */
  left_at: string | null
}

/** A person has waived it or written it off. */
const LET_OFF = `(t.cause like 'waived:%' or t.cause like 'written-off:%')`

const demandOf = statement(
  'documents.demand',
  `select coalesce(s.left_on, s.performed_date) as sent_on, s.last_pay_date,
     coalesce(sum(p.amount_minor) filter (where a.kind = 'principal'), 0)::bigint as principal_minor,
     coalesce(sum(p.amount_minor) filter (where a.kind = 'costs'), 0)::bigint as costs_minor,
     coalesce(sum(p.amount_minor) filter (where a.kind = 'costs' and t.kind = 'COLLECTION'), 0)::bigint as fee_minor,
     coalesce(sum(p.amount_minor) filter (where a.kind = 'interest'), 0)::bigint as interest_minor,
     coalesce(sum(p.amount_minor) filter (where a.kind = 'costs' and ${LET_OFF}), 0)::bigint as let_off_minor,
     s.left_at::text as left_at
   from (
     select s.*, ${leftAt('s')} as left_at from collection_step s where instance_id = $1 and debt_id = $2 and type = 'COLLECTION_CLAIM'
       and status = 'PERFORMED' and ($3::uuid is null or id = $3) order by number desc limit 1
   ) s
   join ledger_transaction t on t.instance_id = s.instance_id and t.claim_id = s.claim_id
     and (not ${LET_OFF} and t.booked_on < coalesce(s.left_on, s.performed_date)
       or ${LET_OFF} and coalesce(t.posted_at < s.left_at, t.booked_on < s.performed_date)
       or t.booked_on = s.performed_date and t.kind in ('TRANSFER_TO_CLAIM', 'COLLECTION', 'INTEREST'))
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.claim_id = s.claim_id
   group by s.left_on, s.performed_date, s.last_pay_date, s.left_at`,
)

/** The demand of one step, else the newest that was made. */
export async function readDemand(
  db: Connection,
  instanceId: string,
  { claimId, stepId }: { readonly claimId: string; readonly stepId?: string | undefined },
): Promise<DemandRow | undefined> {
  return (await db.rows<DemandRow>(demandOf, [instanceId, claimId, stepId ?? null]))[0]
}
