/** The SQL of what staff see of a claim before an authority. */
import type { CourtDecision } from '@kvitt/domain/court/court.ts'
import { statement, type Connection } from '../../platform/database/database.ts'
import { tasksOf } from '../../tasks/tasks.ts'

type Key = { readonly instanceId: string; readonly claimId: string }

const decisions = statement(
  'court.decisionsOfClaim',
  `select d.application_id, d.kind, d.decided_on::text from court_decision d
   join court_application a on a.instance_id = d.instance_id and a.id = d.application_id
   where a.instance_id = $1 and a.claim_id = $2 order by d.decided_on, d.kind`,
)

export type DecisionRow = {
  readonly application_id: string
  readonly kind: CourtDecision
  readonly decided_on: string
}

export function readDecisions(db: Connection, { instanceId, claimId }: Key): Promise<DecisionRow[]> {
  return db.rows<DecisionRow>(decisions, [instanceId, claimId])
}

const unfiled = statement(
  'court.unfiled',
  `select s.performed_date::text as on, coalesce((select sum(p.amount_minor) from ledger_transaction t
       join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
       join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'costs'
       where t.instance_id = $1 and t.cause = 'step:' || s.id), 0)::bigint as minor
   from collection_step s
   where s.instance_id = $1 and s.debt_id = $2 and s.type = 'BAILIFF_PAYMENT_INJUCTION' and s.status = 'PERFORMED'
     and not exists (select from court_application a where a.instance_id = $1 and a.step_id = s.id)
   order by s.performed_date limit 1`,
)

/** What was charged for an application that nobody has recorded: the one that would be taken back. */
export async function readUnfiled(
  db: Connection,
  { instanceId, claimId }: Key,
): Promise<{ readonly on: string; readonly minor: number } | undefined> {
  return (await db.rows<{ on: string; minor: number }>(unfiled, [instanceId, claimId]))[0]
}

const asked = statement(
  'court.asked',
  `select k.kind, k.details ->> 'returnedOn' as on, k.details ->> 'returnedReason' as reason
   from ${tasksOf(['court_to_file', 'schedule_ended'])} k where k.instance_id = $1 and k.about = 'claim:' || $2::text`,
)

/** What somebody is asked to do about the claim now. */
export async function readAsked(
  db: Connection,
  { instanceId, claimId }: Key,
): Promise<{
  readonly isWanted: boolean
  readonly returned: { readonly on: string; readonly reason: string } | null
}> {
  const rows = await db.rows<{ kind: string; on: string | null; reason: string | null }>(asked, [
    instanceId,
    claimId,
  ])
  const back = rows.find(({ kind }) => kind === 'schedule_ended')
  return {
    isWanted: rows.some(({ kind }) => kind === 'court_to_file'),
    returned: back?.on && back.reason ? { on: back.on, reason: back.reason } : null,
  }
}
