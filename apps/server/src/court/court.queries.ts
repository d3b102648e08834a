/** The SQL of claims before an authority. */
import type { ApplicationStatus, CourtDecision } from '@kvitt/domain/court/court.ts'
import { hasUnsentLetter } from '../mail/mail.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

/** Who recorded it, and why. */
export type By = { readonly actor: string; readonly reason: string }

export type ApplicationRow = {
  instance_id: string
  id: string
  claim_id: string
  step_id: string
  applied_on: string
  authority: string
  case_number: string
  case_key: string
  authority_key: string
  status: ApplicationStatus
}

const COLUMNS = `instance_id, id, claim_id, step_id, applied_on, authority, case_number, case_key, authority_key, status`

const demandTime = statement(
  'court.demandTime',
  `select case when ${hasUnsentLetter('$1', '$2')} then null else max(last_pay_date) end::text as day from collection_step
   where instance_id = $1 and debt_id = $2 and type = 'COLLECTION_CLAIM' and status = 'PERFORMED'`,
)

/** The last day to pay that the newest demand gave; null before it has left. */
export async function readDemandTime(
  db: Connection,
  { instanceId, claimId }: { instanceId: string; claimId: string },
): Promise<string | null> {
  return (await db.rows<{ day: string | null }>(demandTime, [instanceId, claimId]))[0]?.day ?? null
}

const applications = statement(
  'court.applications',
  `select ${COLUMNS} from court_application
   where instance_id = $1 and (claim_id = $2 or (authority_key = $3 and case_key = $4)) order by recorded_at, id`,
)

/** The applications of a claim, and whoever else's has the same authority and case number. */
export function readApplications(
  db: Connection,
  of: { instanceId: string; claimId: string; authorityKey?: string; caseKey?: string },
): Promise<ApplicationRow[]> {
  const values = [of.instanceId, of.claimId, of.authorityKey ?? null, of.caseKey ?? null]
  return db.rows<ApplicationRow>(applications, values)
}

const insertApplication = statement(
  'court.insertApplication',
  `insert into court_application (instance_id, id, claim_id, step_id, applied_on, authority, authority_key, case_number,
     case_key, recorded_by, reason)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)

export async function insertApplicationRow(
  tx: Transaction,
  row: Omit<ApplicationRow, 'status'>,
  { actor, reason }: By,
): Promise<void> {
  await tx.rows(insertApplication, [
    row.instance_id,
    row.id,
    row.claim_id,
    row.step_id,
    row.applied_on,
    row.authority,
    row.authority_key,
    row.case_number,
    row.case_key,
    actor,
    reason,
  ])
}

const unrecordedStep = statement(
  'court.unrecordedStep',
  `select s.id from collection_step s
   where s.instance_id = $1 and s.debt_id = $2 and s.type = 'BAILIFF_PAYMENT_INJUCTION' and s.status = 'PERFORMED'
     and not exists (select from court_application a where a.instance_id = $1 and a.step_id = s.id)
   order by s.performed_date limit 1`,
)

/** The application of a claim that was charged by schedule, before there were records of them. */
export async function readUnrecordedStep(
  tx: Transaction,
  { instanceId, claimId }: { instanceId: string; claimId: string },
): Promise<string | undefined> {
  return (await tx.rows<{ id: string }>(unrecordedStep, [instanceId, claimId]))[0]?.id
}

const decisionOf = statement(
  'court.decision',
  `select decided_on from court_decision where instance_id = $1 and application_id = $2 and kind = $3`,
)
const insertDecision = statement(
  'court.insertDecision',
  `insert into court_decision (instance_id, application_id, kind, decided_on, recorded_by, reason)
   values ($1, $2, $3, $4, $5, $6)`,
)
const moveApplication = statement(
  'court.moveApplication',
  `update court_application set status = $4 where instance_id = $1 and id = $2 and status = $3 returning id`,
)

/** The day of a decision that was recorded already. */
export async function readDecisionDay(
  tx: Transaction,
  application: ApplicationRow,
  kind: CourtDecision,
): Promise<string | undefined> {
  const values = [application.instance_id, application.id, kind]
  return (await tx.rows<{ decided_on: string }>(decisionOf, values))[0]?.decided_on
}

/** Keeps a decision, and what it makes of its application. */
export async function insertDecisionRow(
  tx: Transaction,
  application: ApplicationRow,
  decision: By & { readonly kind: CourtDecision; readonly on: string; readonly to: ApplicationStatus },
): Promise<void> {
  const { instance_id: instanceId, id, status } = application
  const { kind, on, actor, reason, to } = decision
  await tx.rows(insertDecision, [instanceId, id, kind, on, actor, reason])
  const moved = await tx.rows(moveApplication, [instanceId, id, status, to])
  if (moved.length === 0) throw new Error(`application ${id} was not ${status} under the lock of its claim`)
}

const ask = statement(
  'court.ask',
  `update collection_step set status = 'ASKED'
   where instance_id = $1 and debt_id = $2 and type = 'SCHEDULE_END' and status in ('PLANNED', 'ASKED') returning id`,
)

/** The question what comes after the schedule is put now. Answers whether the schedule has come so far. */
export async function askRow(
  tx: Transaction,
  { instanceId, claimId }: { instanceId: string; claimId: string },
): Promise<boolean> {
  return (await tx.rows(ask, [instanceId, claimId])).length > 0
}
