/** Performs a batch of decided steps: the schedule, the books, and what comes next, in the caller's transaction. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { bookCharge, type Bucket, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { money, type Currency } from '@kvitt/domain/money.ts'
import type { Context } from '../context.ts'
import { postBookings, postLateDays, type Booking } from '../ledger/ledger.ts'
import { queueStepMail, type PerformedStep } from '../mail/mail.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { reopenTasks } from '../tasks/tasks.ts'
import { readInstructed, setClaimDateRows } from './claim-steps.queries.ts'
import { endStepRows, insertPlannedRows, setInterestDayRows, type EndedStep } from './collection.queries.ts'
import type { Decision } from './decide-step.ts'
import { askForFigures, type Need } from './missing-figures.ts'

/** A due step of an invoice or a claim. */
export type Step = {
  readonly step_id: string
  readonly step_type: string
  readonly creditor_id: string
  readonly debtor_id: string
  readonly currency: Currency
  readonly interest_posted_to: string | null
  readonly interest_rest: number
  readonly late_days: readonly unknown[]
  readonly performed: readonly unknown[]
  /** One of them is there. */
  readonly invoice_number?: string
  readonly claim_number?: string
}

export type Decided<Row extends Step = Step> = {
  readonly row: Row
  readonly debt: Debt
  readonly decision: Decision
}

type DailyRun = {
  readonly clock: Context['clock']
  readonly instanceId: string
  readonly day: CalendarDate
}

/** Ends the steps that are to end, with the late days that they post. Answers those that did, and those that wait: what another run ended is its alone. */
export async function endDecided<D extends Decided>(
  tx: Transaction,
  run: DailyRun,
  wanted: readonly D[],
): Promise<D[]> {
  const toEnd = wanted.flatMap(({ row, decision }): EndedStep[] => {
    if (decision.kind === 'wait') return []
    const nothing = { lastPayDate: null, interestBefore: null, restBefore: null }
    const step = { ...nothing, id: row.step_id, performedBefore: row.performed.length }
    if (decision.kind === 'skip') return [{ ...step, status: 'SKIPPED' }]
    const before =
      decision.restParts === undefined
        ? {}
        : { interestBefore: row.interest_posted_to, restBefore: row.interest_rest }
    const lastPayDate = decision.lastPayDate ?? null
    // A question, which waits for its answer.
    const status = row.step_type === 'SCHEDULE_END' ? ('ASKED' as const) : ('PERFORMED' as const)
    return [{ ...step, ...before, status, lastPayDate }]
  })
  const ended = await endStepRows(tx, run, toEnd)
  const decided = wanted.filter(({ row, decision }) => decision.kind === 'wait' || ended.has(row.step_id))
  const counting = decided.filter(
    ({ row, decision }) =>
      row.late_days.length > 0 && decision.kind === 'perform' && decision.restParts !== undefined,
  )
  await postLateDays(
    tx,
    run,
    counting.map(({ row, debt }) => ({ debt, stepId: row.step_id })),
  )
  return decided
}

/** Performs what was decided under the locks of the debts. Answers of which type each step was that was performed. */
export async function performSteps(
  tx: Transaction,
  run: DailyRun,
  wanted: readonly Decided[],
): Promise<readonly string[]> {
  if (wanted.length === 0) return []
  const { clock, instanceId } = run
  const decided = await endDecided(tx, run, wanted)
  await postBookings(
    tx,
    instanceId,
    decided.flatMap((one) => bookingsOf(run, one)),
    clock,
  )
  await moveDates(tx, run, decided)
  await insertPlannedRows(
    tx,
    instanceId,
    decided.flatMap((one) => nextOf(run, one)),
  )
  await askAboutMissing(tx, run, decided)
  const performed = decided.filter(({ decision }) => decision.kind === 'perform')
  await queueStepMail(tx, instanceId, performed.map(toldOf))
  await askWhatNext(tx, run, performed)
  return performed.map(({ row }) => row.step_type)
}

function toldOf({ row, debt }: Decided): PerformedStep {
  return { stepId: row.step_id, type: row.step_type, debtorId: row.debtor_id, debt }
}

async function moveDates(tx: Transaction, run: DailyRun, decided: readonly Decided[]): Promise<void> {
  const { instanceId, day } = run
  const invoices = decided.flatMap(({ debt, decision }) =>
    'invoiceId' in debt && decision.kind === 'perform' && decision.restParts !== undefined
      ? [{ id: debt.invoiceId, restParts: decision.restParts }]
      : [],
  )
  await setInterestDayRows(tx, { instanceId, day }, invoices)
  const claims = decided.flatMap(({ debt, decision }) =>
    'claimId' in debt && decision.kind === 'perform'
      ? [
          {
            id: debt.claimId,
            dueDate: decision.lastPayDate ?? null,
            interestPostedTo: decision.restParts === undefined ? null : day,
            restParts: decision.restParts ?? null,
          },
        ]
      : [],
  )
  await setClaimDateRows(tx, instanceId, claims)
}

/** Financial events by step; a step that is not here bears no fee of its own kind. */
const FEE_EVENTS: Readonly<Record<string, string>> = {
  DELAYED_PENALTY_FEE: 'DELAYED_PENALTY_FEE',
  REMINDER: 'REMINDER',
  COLLECTION_NOTIFICATION: 'REMINDER',
  COLLECTION_CLAIM: 'COLLECTION',
  BAILIFF_PAYMENT_INJUCTION: 'COURT_FEE',
}

/** Interest and fee of a step, for the books. */
export function bookingsOf(run: DailyRun, { row, debt, decision }: Decided): Booking[] {
  if (decision.kind !== 'perform') return []
  const parties = { ...debt, creditorId: row.creditor_id, debtorId: row.debtor_id }
  const charge = (kind: string, bucket: Bucket, [minor, cause]: readonly [number, string]): Booking[] =>
    minor === 0
      ? []
      : [
          {
            id: newId(run.clock.now()),
            kind,
            bookedOn: run.day,
            cause: `${cause}:${row.step_id}`,
            invoiceId: 'invoiceId' in debt ? debt.invoiceId : null,
            claimId: 'claimId' in debt ? debt.claimId : null,
            paymentId: null,
            lines: bookCharge(parties, bucket, money(minor, row.currency)),
            ...(bucket === 'interest' ? { periods: decision.periods } : {}),
          },
        ]
  return [
    ...charge('INTEREST', 'interest', [decision.interestMinor, 'interest']),
    ...charge(FEE_EVENTS[row.step_type] ?? 'REMINDER', 'costs', [decision.feeMinor, 'step']),
  ]
}

function nextOf({ clock }: DailyRun, { debt, decision }: Decided) {
  if (decision.kind !== 'perform' || !decision.next) return []
  const { type, number, plannedDate } = decision.next
  return [{ id: newId(clock.now()), debt, type, number, plannedDate }]
}

/**
 * The schedule of these claims has ended and they are still owed: what comes next is a person's decision. A creditor who has
 * given a standing instruction has decided; the application is still to be made by somebody, and recorded.
 */
async function askWhatNext(tx: Transaction, run: DailyRun, performed: readonly Decided[]): Promise<void> {
  const { instanceId, day } = run
  const ended = performed.flatMap(({ row, debt }) =>
    row.step_type === 'SCHEDULE_END' && 'claimId' in debt ? [debt.claimId] : [],
  )
  if (ended.length === 0) return
  const instructed = await readInstructed(tx, { instanceId, day }, ended)
  const tasks = ended.map((claimId) => ({
    instanceId,
    kind: instructed.has(claimId) ? ('court_to_file' as const) : ('schedule_ended' as const),
    about: `claim:${claimId}`,
    details: { on: day },
  }))
  await reopenTasks(tx, tasks)
}

/** A fee or rate that nobody has entered is asked for once, never guessed: what waits for it, and what soon will need it. */
export async function askAboutMissing(
  tx: Transaction,
  { instanceId, day }: Pick<DailyRun, 'instanceId' | 'day'>,
  decided: readonly Decided[],
): Promise<void> {
  const needs = decided.flatMap(({ row, decision }): Need[] => {
    if (decision.kind === 'skip' || !decision.missing) return []
    const neededOn = decision.kind === 'perform' ? (decision.next?.plannedDate ?? day) : day
    return [{ ...decision.missing, number: row.claim_number ?? row.invoice_number ?? '', neededOn }]
  })
  await askForFigures(tx, instanceId, needs)
}
