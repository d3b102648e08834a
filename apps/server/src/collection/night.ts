/**
 * The nightly run: what is due on a day is performed once, however often and by however many processes the run
 * is started. Interrupted anywhere, it goes on where it stopped: each batch is one transaction.
 */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { CLAIM_STEPS, INVOICE_STEPS } from '@kvitt/domain/collection/schedule-table.ts'
import type { NameClaim } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import { runPlanNight } from '../part-payments/part-payments.ts'
import { newId } from '../platform/identity.ts'
import { releaseHeldLetters } from '../unsent-letters/unsent-letters.ts'
import { setAside } from '../tasks/tasks.ts'
import { lockDueClaimSteps, readResumingClaims } from './claim-steps.queries.ts'
import {
  insertNightRow,
  lockDueSteps,
  planFirstSteps,
  readLastNight,
  readResuming,
} from './collection.queries.ts'
import { decideClaimStep, decideStep, isBehindLetter, WAIT } from './decide-step.ts'
import { handOverDue } from './hand-over.ts'
import { billLateInterest } from './interest-invoices.ts'
import { resumeInvoice } from './pause.ts'
import { resumeClaim } from './claim-pause.ts'
import { passOnce, type Night } from './passes.ts'

export type NightContext = Pick<Context, 'db' | 'clock' | 'log'> &
  Partial<Pick<Context, 'config'>> & {
    readonly nameClaim?: NameClaim
    /** Nothing follows a letter that has not left. Not asked of days whose letters are known to have left. */
    readonly waitsForLetters?: boolean
  }
type NightInstance = Pick<Instance, 'id' | 'timeZone'>

/** Steps of one invoice at a time. COLLECTION is not among them: it hands over several together (hand-over.ts). */
const INVOICE_TYPES = INVOICE_STEPS.filter((type) => type !== 'COLLECTION')

/** Runs every night of the instance that has not been run yet, the oldest first, up to today. */
export async function runDueNights(context: NightContext, instance: NightInstance): Promise<number> {
  const today = context.clock.today(instance.timeZone)
  const last = await readLastNight(context.db, instance.id)
  let performed = 0
  for (let day = last ? addDays(date(last), 1) : today; day <= today; day = addDays(day, 1)) {
    // Of nights that are caught up with, only the first may write a letter: the next one waits for it to leave.
    performed += await runNight({ ...context, waitsForLetters: true }, instance, day)
  }
  return performed
}

/** One night: resumes, plans and performs what is due on `day`. Answers how many steps were performed. */
export async function runNight(
  context: NightContext,
  instance: NightInstance,
  day: CalendarDate,
): Promise<number> {
  const now = { instanceId: instance.id, day }
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
  await part('letters to write again', () => releaseHeldLetters(context.db, now))
  await part('interest that was paid late', () => billLateInterest(context, instance.id, day))
  let performed = (await part('plans', () => runPlanNight(context, now))) ?? 0
  await part('first steps', () => planFirstSteps(context.db, { ...now, id: newId(context.clock.now()) }))
  // A step may be followed by another that is due the same day: pass again until nothing happens.
  for (let pass = 1; pass > 0; ) {
    const night = { ...context, instanceId: instance.id, day }
    pass = await passInvoices(night)
    pass += (await part('hand-overs', () => handOverDue(night))) ?? 0
    pass += await passClaims(night)
    performed += pass
  }
  await insertNightRow(context.db, { instanceId: instance.id, day, performed })
  if (performed > 0) context.log.info({ instanceId: instance.id, day, performed }, 'night run')
  return performed
}

function passInvoices(night: Night): Promise<number> {
  return passOnce(night, {
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
    types: CLAIM_STEPS,
    lock: lockDueClaimSteps,
    decide: (row) => ({
      row,
      debt: { claimId: row.claim_id },
      decision: isBehindLetter(night, row) ? WAIT : decideClaimStep(row, night.day),
    }),
  })
}
