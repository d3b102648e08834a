/** The SQL of the steps of one debt, an invoice or a claim, in the collection schedule. */
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { isNotResting } from '../ledger/resting-debts.queries.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { sendTaskEnds } from '../tasks/tasks.ts'
import { keepBatchedReads, rowsOfEach } from '../platform/database/batched-reads.ts'
import { endingTasks } from '../tasks/tasks.ts'

type Key = { readonly instanceId: string; readonly invoiceId: string }
/** An invoice or a claim. */
export type DebtKey = { readonly instanceId: string } & Debt

export type StepRow = {
  id: string
  type: string
  planned_date: string | null
  performed_date: string | null
  status: string
}

const stepsOfDebts = statement(
  'steps.ofDebts',
  `select q.n::int, s.id, s.type, s.planned_date, s.performed_date, s.status
   from unnest((select $2::uuid[])) with ordinality q (debt_id, n)
   cross join lateral (
     select id, type, planned_date, performed_date,
       case when status = 'PLANNED' and not (${isNotResting('debt_id')}) then 'ON_HOLD' else status end as status
     from collection_step where instance_id = $1 and debt_id = q.debt_id and type <> 'SCHEDULE_END'
     union all
     select id, 'DISPUTE_' || status, null, decided_on, 'PERFORMED' from dispute
     where instance_id = $1 and debt_id = q.debt_id and status in ('REJECTED', 'UPHELD', 'UPHELD_PART')) s
   order by q.n, coalesce(s.performed_date, s.planned_date), s.id`,
)

const stepReads = keepBatchedReads<string, StepRow[]>()

/** All steps of an invoice or a claim that are anything to the debtor, and the answers to their disputes, in order of time; what is planned waits while all debts of the debtor rest (M-34). Who asks in one instance at the same moment is answered together. */
export function readSteps(db: Connection, instanceId: string, debt: string): Promise<StepRow[]> {
  return stepReads(db, instanceId, async (debts) =>
    rowsOfEach(await db.rows<StepRow & { n: number }>(stepsOfDebts, [instanceId, debts]), debts.length),
  )(debt)
}

const insertStep = statement(
  'steps.insert',
  `insert into collection_step (instance_id, id, invoice_id, type, planned_date, performed_date, status, number)
   values ($1, $2, $3, $4, $5, $6, $7, 1 + (select count(*) from collection_step s where s.instance_id = $1
     and s.invoice_id = $3 and s.type = $4 and s.status in ('PLANNED', 'PERFORMED', 'ON_HOLD')))`,
)

/** Under the lock of the invoice: the step is the next of its type. */
export async function insertStepRow(
  tx: Transaction,
  key: Key,
  step: {
    id: string
    type: string
    plannedDate: string | null
    performedDate: string | null
    status: string
  },
): Promise<void> {
  await tx.rows(insertStep, [
    key.instanceId,
    step.id,
    key.invoiceId,
    step.type,
    step.plannedDate,
    step.performedDate,
    step.status,
  ])
}

const markSent = statement(
  'steps.markSent',
  'update invoice set sent_date = $3 where instance_id = $1 and id = $2',
)

const performSending = statement(
  'steps.performSending',
  `update collection_step set status = 'PERFORMED', performed_date = $3
   where instance_id = $1 and invoice_id = $2 and type = 'INVOICE' and status = 'PLANNED'`,
)

/** The invoice left the house on `sentOn`: its date, and its planned INVOICE step performed. */
export async function markSentRow(tx: Transaction, key: Key, sentOn: string): Promise<void> {
  await tx.rows(markSent, [key.instanceId, key.invoiceId, sentOn])
  await tx.rows(performSending, [key.instanceId, key.invoiceId, sentOn])
}

const endPlanned = statement(
  'steps.endPlanned',
  `update collection_step set status = $3
   where instance_id = $1 and debt_id = $2 and status in ('PLANNED', 'ON_HOLD', 'ASKED')`,
)

/** Nobody is asked any more what comes after the schedule of a claim. */
function endQuestion(tx: Transaction, key: DebtKey): void {
  if (!('claimId' in key)) return
  const { instanceId, claimId } = key
  sendTaskEnds(tx, { instanceId, kinds: ['schedule_ended', 'court_to_file'], about: `claim:${claimId}` })
}

/** What was still to come does not come: CANCELLED when the case is over, SKIPPED when it was objected to. */
export async function endPlannedSteps(
  tx: Transaction,
  key: DebtKey,
  status: 'CANCELLED' | 'SKIPPED',
): Promise<void> {
  tx.send(endPlanned, [key.instanceId, debtId(key), status])
  endQuestion(tx, key)
}

const hold = statement(
  'steps.hold',
  `update collection_step set status = 'ON_HOLD'
   where instance_id = $1 and debt_id = $2 and status in ('PLANNED', 'ASKED')`,
)

export async function holdSteps(tx: Transaction, key: DebtKey): Promise<void> {
  await tx.rows(hold, [key.instanceId, debtId(key)])
  endQuestion(tx, key)
}

const heldSteps = statement(
  'steps.held',
  `select id, type, planned_date, performed_date, status from collection_step
   where instance_id = $1 and debt_id = $2 and status = 'ON_HOLD' order by planned_date, id`,
)

export function readHeldSteps(tx: Transaction, key: DebtKey): Promise<StepRow[]> {
  return tx.rows<StepRow>(heldSteps, [key.instanceId, debtId(key)])
}

const release = statement(
  'steps.release',
  `update collection_step set status = 'PLANNED', planned_date = $3
   where instance_id = $1 and id = $2 and status = 'ON_HOLD'`,
)

export async function releaseStep(
  tx: Transaction,
  key: { instanceId: string; stepId: string },
  plannedDate: string,
): Promise<void> {
  await tx.rows(release, [key.instanceId, key.stepId, plannedDate])
}

const pause = statement(
  'steps.pause',
  `update invoice set pause_reason = $3, paused_on = $4, resume_date = $5 where instance_id = $1 and id = $2`,
)

export async function setPause(
  tx: Transaction,
  key: Key,
  { reason, on, resumeDate }: { reason: string; on: string; resumeDate: string | null },
): Promise<void> {
  await tx.rows(pause, [key.instanceId, key.invoiceId, reason, on, resumeDate])
}

const resumed = statement(
  'steps.resumed',
  'update invoice set resume_date = $3 where instance_id = $1 and id = $2',
)

/** Keeps the day on which it went on, whatever day was foreseen. */
export async function setResumed(tx: Transaction, key: Key, on: string): Promise<void> {
  await tx.rows(resumed, [key.instanceId, key.invoiceId, on])
}

const stop = statement('steps.stop', 'update invoice set stop_reason = $3 where instance_id = $1 and id = $2')

export async function setStopReason(tx: Transaction, key: Key, reason: string): Promise<void> {
  await tx.rows(stop, [key.instanceId, key.invoiceId, reason])
}

const endDispute = statement(
  'steps.endDispute',
  `with ended as (
     update dispute set status = $3, decided_on = $4, decision = $5, decided_by = $6
     where instance_id = $1 and debt_id = $2 and status = 'OPEN' returning instance_id, id)
   ${endingTasks('dispute_to_answer', `select instance_id, 'dispute:' || id as about from ended`)}`,
)

/** Ends the open dispute of an invoice or a claim, if there is one: nobody has to answer it any more. */
export async function endOpenDispute(
  tx: Transaction,
  key: DebtKey,
  end: {
    status: 'REJECTED' | 'UPHELD' | 'UPHELD_PART' | 'PAID'
    on: string
    decision: string | null
    by?: string | undefined
  },
): Promise<void> {
  tx.send(endDispute, [key.instanceId, debtId(key), end.status, end.on, end.decision, end.by ?? null])
}
