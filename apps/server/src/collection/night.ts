/**
 * The nightly run: what is due on a day is performed once, however often and by however many processes the run
 * is started. Interrupted anywhere, it goes on where it stopped: each batch is one transaction.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { CLAIM_STEPS, INVOICE_STEPS } from '@kvitt/domain/collection/schedule-table.ts'
import type { NameClaim } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { askForFiles, readFilesOfNight, type Awaited } from '../creditors/creditors.ts'
import type { Instance } from '../instances/instances.ts'
import { runPlanNight } from '../part-payments/part-payments.ts'
import type { Database } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { withLease } from '../platform/lease.ts'
import { releaseHeldLetters } from '../unsent-letters/unsent-letters.ts'
import { endsUnmet, setAside } from '../tasks/tasks.ts'
import { lockDueClaimSteps, readResumingClaims } from './claim-steps.queries.ts'
import {
  insertNightRow,
  planFirstSteps,
  readLastNight,
  type LastNight,
  readResuming,
} from './collection.queries.ts'
import { lockDueSteps } from './due-steps.queries.ts'
import { decideClaimStep, decideStep, isBehindLetter, WAIT } from './decide-step.ts'
import { handOverDue } from './hand-over.ts'
import { billLateInterest } from './interest-invoices.ts'
import { resumeInvoice } from './decisions/pause.ts'
import { resumeClaim } from './decisions/claim-pause.ts'
import { askBeforeNeeded } from './upcoming-figures.ts'
import { passOnce, type Night } from './passes.ts'

export type NightContext = Pick<Context, 'db' | 'clock' | 'log'> &
  Partial<Pick<Context, 'config'>> & {
    readonly nameClaim?: NameClaim
    /** Nothing follows a letter that has not left. Not asked of days whose letters are known to have left. */
    readonly waitsForLetters?: boolean
    /** Another name than this process's own, in tests of several. */
    readonly processName?: string
  }
type NightInstance = Pick<Instance, 'id' | 'timeZone'>

/** Steps of one invoice at a time. COLLECTION is not among them: it hands over several together (hand-over.ts). */
const INVOICE_TYPES = INVOICE_STEPS.filter((type) => type !== 'COLLECTION')

/** How often it is asked whether another process is through with a night. */
const ASK_MS = 500

/**
 * Runs every night of the instance that has not been run yet, the oldest first, up to today. A night that another process is
 * in, or that somebody's locks keep from its end, is waited for `waitMs` and else left to the next call, with those after
 * it. Answers how many steps were performed here.
 */
export async function runDueNights(
  context: NightContext,
  instance: NightInstance,
  waitMs = 0,
): Promise<number> {
  const today = context.clock.today(instance.timeZone)
  let performed = 0
  for (let waitedMs = 0; ; ) {
    const last = await readLastNight(context.db, instance.id)
    const day = await nextNight(context.db, instance.id, { last, today })
    if (!day) return performed
    // Of nights that are caught up with, only the first may write a letter: the next one waits for it to leave.
    const night = await performNight({ ...context, waitsForLetters: true }, instance, day)
    performed += night?.performed ?? 0
    if (night?.isEnded) continue
    if (waitedMs >= waitMs) return performed
    await sleep(ASK_MS)
    waitedMs += ASK_MS
  }
}

/**
 * The night to run: the one after the last, or that of today once more when an account has been told of whose debts it left
 * waiting. Undefined when there is none.
 */
async function nextNight(
  db: Database,
  instanceId: string,
  { last, today }: { readonly last: LastNight | undefined; readonly today: CalendarDate },
): Promise<CalendarDate | undefined> {
  if (!last) return today
  const day = addDays(date(last.day), 1)
  if (day <= today) return day
  if (last.day !== today || last.awaited_accounts.length === 0) return undefined
  const { awaited } = await readFilesOfNight(db, instanceId, today)
  return last.awaited_accounts.some((id) => !awaited.accountIds.includes(id)) ? today : undefined
}

/**
 * One night: resumes, plans and performs what is due on `day`. Answers how many steps were performed: none when another
 * process is in it.
 */
export async function runNight(
  context: NightContext,
  instance: NightInstance,
  day: CalendarDate,
): Promise<number> {
  return (await performNight(context, instance, day))?.performed ?? 0
}

type Performed = { readonly performed: number; readonly isEnded: boolean }

/** Undefined when another process is in this night. */
function performNight(
  context: NightContext,
  instance: NightInstance,
  day: CalendarDate,
): Promise<Performed | undefined> {
  const work = { instanceId: instance.id, work: 'night', day }
  const run = (db: Database): Promise<Performed> =>
    endsUnmet(db, instance.id, () => performAll({ ...context, db }, instance, day))
  return withLease(context.db, work, run, context.processName)
}

async function performAll(
  context: NightContext,
  instance: NightInstance,
  day: CalendarDate,
): Promise<Performed> {
  const files = await readFilesOfNight(context.db, instance.id, day)
  const { awaited } = files
  const now = { instanceId: instance.id, day, awaited }
  for (const invoiceId of await readResuming(context.db, instance.id, day)) {
    const key = { instanceId: instance.id, invoiceId }
    const matter = { instanceId: instance.id, about: `resume invoice ${invoiceId}` }
    await setAside(context, matter, () => resumeInvoice(context, key, day))
  }
  for (const claimId of await readResumingClaims(context.db, instance.id, day)) {
    const key = { instanceId: instance.id, claimId }
    const matter = { instanceId: instance.id, about: `resume claim ${claimId}` }
    await setAside(context, matter, () => resumeClaim(context, key, day))
  }
  const part = <Result>(about: string, work: () => Promise<Result>): Promise<Result | undefined> =>
    setAside(context, { instanceId: instance.id, about }, work)
  await part('files of accounts', () => askForFiles(context.db, instance.id, files))
  await part('letters to write again', () => releaseHeldLetters(context.db, now))
  await part('interest that was paid late', () => billLateInterest(context, now))
  await part('figures to come', () => askBeforeNeeded(context, instance.id, day))
  let performed = (await part('plans', () => runPlanNight(context, now))) ?? 0
  await part('first steps', () => planFirstSteps(context.db, { ...now, id: newId(context.clock.now()) }))
  const passed = await passUntilNothingHappens(context, now)
  performed += passed.performed
  const night = { instanceId: instance.id, day, performed, awaited: awaited.accountIds }
  if (passed.isEnded) await insertNightRow(context.db, night)
  else context.log.warn({ instanceId: instance.id, day }, 'night not ended: somebody holds what is due')
  if (performed > 0) context.log.info({ instanceId: instance.id, day, performed }, 'night run')
  return { performed, isEnded: passed.isEnded }
}

/** What somebody else holds for a moment is tried again so often, before the night is left open for later. */
const MOST_TRIES = 3
const TRY_AGAIN_MS = 200

/** A step may be followed by another that is due the same day. */
async function passUntilNothingHappens(
  context: NightContext,
  now: { readonly instanceId: string; readonly day: CalendarDate; readonly awaited: Awaited },
): Promise<Performed> {
  const { instanceId } = now
  let performed = 0
  for (let tries = 1; ; ) {
    let skipped = 0
    const night: Night = { ...context, ...now, skipped: (steps) => (skipped += steps) }
    let pass = await passInvoices(night)
    pass += (await setAside(context, { instanceId, about: 'hand-overs' }, () => handOverDue(night))) ?? 0
    pass += await passClaims(night)
    performed += pass
    if (pass > 0) continue
    if (skipped === 0 || tries === MOST_TRIES) return { performed, isEnded: skipped === 0 }
    tries++
    await sleep(TRY_AGAIN_MS)
  }
}

function passInvoices(night: Night): Promise<number> {
  return passOnce(night, {
    subject: 'invoice',
    types: INVOICE_TYPES,
    lock: lockDueSteps,
    decide: (row) => ({
      row,
      debt: { invoiceId: row.invoice_id },
      decision: isBehindLetter(night, row) ? WAIT : decideStep(row, night.day),
    }),
  })
}

function passClaims(night: Night): Promise<number> {
  return passOnce(night, {
    subject: 'claim',
    types: CLAIM_STEPS,
    lock: lockDueClaimSteps,
    decide: (row) => ({
      row,
      debt: { claimId: row.claim_id },
      decision: isBehindLetter(night, row) ? WAIT : decideClaimStep(row, night.day),
    }),
  })
}
