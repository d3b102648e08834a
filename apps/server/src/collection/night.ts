/**
 * The nightly run: what is due on a day is performed once, however often and by however many processes the run
 * is started. Interrupted anywhere, it goes on where it stopped: each batch is one transaction.
 */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { bookCharge, type Bucket } from '@kvitt/domain/ledger/booking.ts'
import { money } from '@kvitt/domain/money.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import { postBookings, type Booking } from '../ledger/ledger.ts'
import { runPlanNight } from '../part-payments/part-payments.ts'
import type { Transaction } from '../platform/database.ts'
import { newId } from '../platform/identity.ts'
import {
  endStepRows,
  FIRST_PAGE,
  insertNightRow,
  insertPlannedRows,
  insertRateTasks,
  lockDueSteps,
  planFirstSteps,
  readLastNight,
  readResuming,
  setInterestDayRows,
  type DueStep,
} from './collection.queries.ts'
import { decideStep, type Decision } from './decide-step.ts'
import { billLateInterest } from './interest-invoices.ts'
import { resumeInvoice } from './pause.ts'

export type NightContext = Pick<Context, 'db' | 'clock' | 'log'>
type NightInstance = Pick<Instance, 'id' | 'timeZone'>

/** Steps that this engine performs. COLLECTION hands over to a claim and stays planned until claims exist. */
const PERFORMED = [
  'EXPIRED',
  'DELAYED_PENALTY_FEE',
  'EXPIRED_NOTIFICATION',
  'REMINDER',
  'COLLECTION_NOTIFICATION',
] as const

const BATCH_STEPS = 1_000

/** Runs every night of the instance that has not been run yet, the oldest first, up to today. */
export async function runDueNights(context: NightContext, instance: NightInstance): Promise<number> {
  const today = context.clock.today(instance.timeZone)
  const last = await readLastNight(context.db, instance.id)
  let performed = 0
  for (let day = last ? addDays(date(last), 1) : today; day <= today; day = addDays(day, 1)) {
    performed += await runNight(context, instance, day)
  }
  return performed
}

/** One night: resumes, plans and performs what is due on `day`. Answers how many steps were performed. */
export async function runNight(
  context: NightContext,
  instance: NightInstance,
  day: CalendarDate,
): Promise<number> {
  for (const invoiceId of await readResuming(context.db, instance.id, day)) {
    await resumeInvoice(context, { instanceId: instance.id, invoiceId }, day)
  }
  await billLateInterest(context, instance.id, day)
  let performed = await runPlanNight(context, { instanceId: instance.id, day })
  await planFirstSteps(context.db, instance.id, day)
  // A step may be followed by another that is due the same day: pass again until nothing happens.
  for (let pass = 1; pass > 0; ) {
    pass = await passOnce(context, instance.id, day)
    performed += pass
  }
  await insertNightRow(context.db, { instanceId: instance.id, day, performed })
  if (performed > 0) context.log.info({ instanceId: instance.id, day, performed }, 'night run')
  return performed
}

async function passOnce(context: NightContext, instanceId: string, day: CalendarDate): Promise<number> {
  let after: { date: string; id: string } = FIRST_PAGE
  let performed = 0
  for (;;) {
    const page = { instanceId, day, after, limit: BATCH_STEPS, types: PERFORMED }
    const batch = await context.db.transaction(async (tx) => {
      const rows = await lockDueSteps(tx, page)
      return { last: rows.at(-1), performed: await performSteps(context, tx, { instanceId, day, rows }) }
    })
    performed += batch.performed
    if (!batch.last) return performed
    after = { date: batch.last.planned_date, id: batch.last.step_id }
  }
}

type Batch = { readonly instanceId: string; readonly day: CalendarDate; readonly rows: readonly DueStep[] }

async function performSteps(context: NightContext, tx: Transaction, batch: Batch): Promise<number> {
  const { instanceId, day, rows } = batch
  if (rows.length === 0) return 0
  const wanted = rows.map((row) => ({ row, decision: decideStep(row, day) }))
  const toEnd = wanted.flatMap(({ row, decision }) =>
    decision.kind === 'wait'
      ? []
      : [
          {
            id: row.step_id,
            status: decision.kind === 'perform' ? ('PERFORMED' as const) : ('SKIPPED' as const),
            lastPayDate: decision.kind === 'perform' ? (decision.lastPayDate ?? null) : null,
          },
        ],
  )
  const ended = await endStepRows(tx, { instanceId, day }, toEnd)
  // Another run may have ended a step between our reading it and our lock on its invoice: that run did the rest.
  const decided = wanted.filter(({ row, decision }) => decision.kind === 'wait' || ended.has(row.step_id))
  await postBookings(
    tx,
    instanceId,
    decided.flatMap(({ row, decision }) => bookingsOf(context, row, decision, day)),
    context.clock,
  )
  const settled = decided.filter(({ decision }) => decision.kind === 'perform' && decision.settlesInterest)
  await setInterestDayRows(
    tx,
    { instanceId, day },
    settled.map(({ row }) => row.invoice_id),
  )
  await insertPlannedRows(
    tx,
    instanceId,
    decided.flatMap(({ row, decision }) => nextOf(context, row, decision)),
  )
  await insertRateTasks(
    tx,
    instanceId,
    tasksOf(
      context,
      decided.map(({ decision }) => decision),
    ),
  )
  return decided.filter(({ decision }) => decision.kind === 'perform').length
}

/** Financial events by step; a step that is not here bears no fee of its own kind. */
const FEE_EVENTS: Readonly<Record<string, string>> = {
  DELAYED_PENALTY_FEE: 'DELAYED_PENALTY_FEE',
  REMINDER: 'REMINDER',
  COLLECTION_NOTIFICATION: 'REMINDER',
}

function bookingsOf(context: NightContext, row: DueStep, decision: Decision, day: CalendarDate): Booking[] {
  if (decision.kind !== 'perform') return []
  const parties = { invoiceId: row.invoice_id, creditorId: row.creditor_id, debtorId: row.debtor_id }
  const charge = (kind: string, bucket: Bucket, [minor, cause]: readonly [number, string]): Booking[] =>
    minor === 0
      ? []
      : [
          {
            id: newId(context.clock.now()),
            kind,
            bookedOn: day,
            cause: `${cause}:${row.step_id}`,
            invoiceId: row.invoice_id,
            paymentId: null,
            lines: bookCharge(parties, bucket, money(minor, row.currency)),
          },
        ]
  return [
    ...charge('INTEREST', 'interest', [decision.interestMinor, 'interest']),
    ...charge(FEE_EVENTS[row.step_type] ?? 'REMINDER', 'costs', [decision.feeMinor, 'step']),
  ]
}

function nextOf(context: NightContext, row: DueStep, decision: Decision) {
  if (decision.kind !== 'perform' || !decision.next) return []
  const { type, number, plannedDate } = decision.next
  return [{ id: newId(context.clock.now()), invoiceId: row.invoice_id, type, number, plannedDate }]
}

function tasksOf(context: NightContext, decisions: readonly Decision[]) {
  const missing = decisions.flatMap((d) => (d.kind === 'wait' && d.missing ? [d.missing] : []))
  return [...new Set(missing)].map((about) => ({
    id: newId(context.clock.now()),
    about,
    details: { missing: about },
  }))
}
