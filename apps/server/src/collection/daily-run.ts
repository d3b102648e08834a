/**
 * The nightly run: what is due on a day is performed once, however often and by however many processes the run
 * is started. Interrupted anywhere, it goes on where it stopped: each batch is one transaction.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { CLAIM_STEPS, INVOICE_STEPS } from '@kvitt/domain/collection/schedule-table.ts'
import { askForFiles, readFilesOfRun, type Awaited } from '../creditors/creditors.ts'
import type { Instance } from '../instances/instances.ts'
import { performPlanRun } from '../part-payments/part-payments.ts'
import type { Database } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { withLease } from '../platform/lease.ts'
import { endOverBefore } from '../representatives/representatives.ts'
import { releaseHeldLetters } from '../unsent-letters/unsent-letters.ts'
import { recordRun } from '../runs/runs.ts'
import { endsUnmet, quarantine } from '../tasks/tasks.ts'
import { lockDueClaimSteps, readResumingClaims } from './claim-steps.queries.ts'
import {
  insertRunRow,
  planFirstSteps,
  readLastRun,
  type LastRun,
  readResuming,
} from './collection.queries.ts'
import { lockDueSteps } from './due-steps.queries.ts'
import { decideClaimStep, decideStep, isBehindLetter, WAIT } from './decide-step.ts'
import { handOverDue } from './hand-over.ts'
import { billLateInterest } from './interest-invoices.ts'
import { resumeInvoice } from './decisions/pause.ts'
import { resumeClaim } from './decisions/claim-pause.ts'
import { askBeforeNeeded } from './upcoming-figures.ts'
import { performInBatches, type DailyRun, type DailyRunContext } from './step-batches.ts'

type DailyRunInstance = Pick<Instance, 'id' | 'timeZone'>

/** Steps of one invoice at a time. COLLECTION is not among them: it hands over several together (hand-over.ts). */
const INVOICE_TYPES = INVOICE_STEPS.filter((type) => type !== 'COLLECTION')

/** How often it is asked whether another process is through with a daily run. */
const ASK_MS = 500

/**
 * Does every daily run of the instance that is still to be done, the oldest first, up to today. A daily run that another process is
 * in, or that somebody's locks keep from its end, is waited for `waitMs` and else left to the next call, with those after
 * it. Answers how many steps were performed here.
 */
export async function performDueRuns(
  context: DailyRunContext,
  instance: DailyRunInstance,
  waitMs = 0,
): Promise<number> {
  const today = context.clock.today(instance.timeZone)
  let performed = 0
  for (let waitedMs = 0; ; ) {
    const last = await readLastRun(context.db, instance.id)
    const day = await nextRun(context.db, instance.id, { last, today })
    if (!day) return performed
    // Of daily runs that are caught up with, only the first may write a letter: the next one waits for it to leave.
    const run = await performRun({ ...context, waitsForLetters: true }, instance, day)
    performed += run?.performed ?? 0
    if (run?.isEnded) continue
    if (waitedMs >= waitMs) return performed
    await sleep(ASK_MS)
    waitedMs += ASK_MS
  }
}

/**
 * The daily run that is next: the one after the last, or that of today once more when an account has been told of whose debts it left
 * waiting. Undefined when there is none.
 */
async function nextRun(
  db: Database,
  instanceId: string,
  { last, today }: { readonly last: LastRun | undefined; readonly today: CalendarDate },
): Promise<CalendarDate | undefined> {
  if (!last) return today
  const day = addDays(date(last.day), 1)
  if (day <= today) return day
  if (last.day !== today || last.awaited_accounts.length === 0) return undefined
  const { awaited } = await readFilesOfRun(db, instanceId, today)
  return last.awaited_accounts.some((id) => !awaited.accountIds.includes(id)) ? today : undefined
}

/**
 * One daily run: resumes, plans and performs what is due on `day`. Answers how many steps were performed: none when another
 * process is in it.
 */
export async function performDailyRun(
  context: DailyRunContext,
  instance: DailyRunInstance,
  day: CalendarDate,
): Promise<number> {
  return (await performRun(context, instance, day))?.performed ?? 0
}

/** Performs what is due today once more: what was set aside, and what has come up since. */
export async function performRunAgain(context: DailyRunContext, instance: DailyRunInstance): Promise<void> {
  await performDueRuns(context, instance)
  await performRun({ ...context, waitsForLetters: true }, instance, context.clock.today(instance.timeZone))
}

type Performed = {
  readonly performed: number
  readonly isEnded: boolean
  /** How many of each type. */
  readonly done: Readonly<Record<string, number>>
}

/** Undefined when another process is in this daily run. */
function performRun(
  context: DailyRunContext,
  instance: DailyRunInstance,
  day: CalendarDate,
): Promise<Performed | undefined> {
  const work = { instanceId: instance.id, work: 'night', day }
  const run = (db: Database): Promise<Performed> =>
    recordRun(
      { ...context, db },
      { instanceId: instance.id, work: 'DAILY_RUN', day },
      () => endsUnmet(db, instance.id, () => performAll({ ...context, db }, instance, day)),
      (performed) => performed,
    )
  return withLease(context.db, work, run, context.processName)
}

async function performAll(
  context: DailyRunContext,
  instance: DailyRunInstance,
  day: CalendarDate,
): Promise<Performed> {
  // Whose guardian's last day has been is not dunned tonight (M-37), in a night that is caught up with neither.
  const { config } = context
  if (config) await endOverBefore({ ...context, config }, instance.id, day)
  const files = await readFilesOfRun(context.db, instance.id, day)
  const { awaited } = files
  const now = { instanceId: instance.id, day, awaited }
  for (const invoiceId of await readResuming(context.db, instance.id, day)) {
    const key = { instanceId: instance.id, invoiceId }
    const matter = { instanceId: instance.id, about: `resume invoice ${invoiceId}` }
    await quarantine(context, matter, () => resumeInvoice(context, key, day))
  }
  for (const claimId of await readResumingClaims(context.db, instance.id, day)) {
    const key = { instanceId: instance.id, claimId }
    const matter = { instanceId: instance.id, about: `resume claim ${claimId}` }
    await quarantine(context, matter, () => resumeClaim(context, key, day))
  }
  const part = <Result>(about: string, work: () => Promise<Result>): Promise<Result | undefined> =>
    quarantine(context, { instanceId: instance.id, about }, work)
  await part('files of accounts', () => askForFiles(context.db, instance.id, files))
  await part('letters to write again', () => releaseHeldLetters(context.db, now))
  await part('interest that was paid late', () => billLateInterest(context, now))
  await part('figures to come', () => askBeforeNeeded(context, instance.id, day))
  const plans = (await part('plans', () => performPlanRun(context, now))) ?? 0
  await part('first steps', () => planFirstSteps(context.db, { ...now, id: newId(context.clock.now()) }))
  const passed = await passUntilNothingHappens(context, now)
  const performed = plans + passed.performed
  const run = { instanceId: instance.id, day, performed, awaited: awaited.accountIds }
  if (passed.isEnded) await insertRunRow(context.db, run)
  else context.log.warn({ instanceId: instance.id, day }, 'night not ended: somebody holds what is due')
  if (performed > 0) context.log.info({ instanceId: instance.id, day, performed }, 'night run')
  return { performed, isEnded: passed.isEnded, done: { PLANS: plans, ...passed.done } }
}

/** What somebody else holds for a moment is tried again so often, before the daily run is left open for later. */
const MOST_TRIES = 3
const TRY_AGAIN_MS = 200

/** A step may be followed by another that is due the same day. */
async function passUntilNothingHappens(
  context: DailyRunContext,
  now: { readonly instanceId: string; readonly day: CalendarDate; readonly awaited: Awaited },
): Promise<Performed> {
  const { instanceId } = now
  let performed = 0
  const done: Record<string, number> = { HAND_OVERS: 0 }
  const count = (type: string, n: number): void => void (done[type] = (done[type] ?? 0) + n)
  for (let tries = 1; ; ) {
    let skipped = 0
    const run: DailyRun = {
      ...context,
      ...now,
      skipped: (steps) => (skipped += steps),
      performed: (types) => types.forEach((type) => count(type, 1)),
    }
    let pass = await passInvoices(run)
    const handed =
      (await quarantine(context, { instanceId, about: 'hand-overs' }, () => handOverDue(run))) ?? 0
    count('HAND_OVERS', handed)
    pass += handed + (await passClaims(run))
    performed += pass
    if (pass > 0) continue
    if (skipped === 0 || tries === MOST_TRIES) return { performed, isEnded: skipped === 0, done }
    tries++
    await sleep(TRY_AGAIN_MS)
  }
}

function passInvoices(run: DailyRun): Promise<number> {
  return performInBatches(run, {
    subject: 'invoice',
    types: INVOICE_TYPES,
    lock: lockDueSteps,
    decide: ({ row, figures }) => ({
      row,
      debt: { invoiceId: row.invoice_id },
      decision: isBehindLetter(run, row) ? WAIT : decideStep({ row, figures }, run.day),
    }),
  })
}

function passClaims(run: DailyRun): Promise<number> {
  return performInBatches(run, {
    subject: 'claim',
    types: CLAIM_STEPS,
    lock: lockDueClaimSteps,
    decide: ({ row, figures }) => ({
      row,
      debt: { claimId: row.claim_id },
      decision: isBehindLetter(run, row) ? WAIT : decideClaimStep({ row, figures }, run.day),
    }),
  })
}
