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
import type { Transaction } from '../platform/database.ts'
import { isDatabaseAway, setAside } from '../platform/set-aside.ts'
import { lockDueClaimSteps, readResumingClaims } from './claim-steps.queries.ts'
import {
  FIRST_PAGE,
  insertNightRow,
  lockDueSteps,
  planFirstSteps,
  readLastNight,
  readResuming,
  type DuePage,
} from './collection.queries.ts'
import { decideClaimStep, decideStep } from './decide-step.ts'
import { handOverDue } from './hand-over.ts'
import { billLateInterest } from './interest-invoices.ts'
import { resumeInvoice } from './pause.ts'
import { resumeClaim } from './claim-pause.ts'
import { performSteps, type Decided, type Step } from './perform-steps.ts'

export type NightContext = Pick<Context, 'db' | 'clock' | 'log'> &
  Partial<Pick<Context, 'config'>> & { readonly nameClaim?: NameClaim }
type NightInstance = Pick<Instance, 'id' | 'timeZone'>

/** Steps of one invoice at a time. COLLECTION is not among them: it hands over several together (hand-over.ts). */
const INVOICE_TYPES = INVOICE_STEPS.filter((type) => type !== 'COLLECTION')

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
    const key = { instanceId: instance.id, invoiceId }
    const matter = { instanceId: instance.id, about: `resume invoice ${invoiceId}` }
    await setAside(context, matter, () => resumeInvoice(context, key, day))
  }
  for (const claimId of await readResumingClaims(context.db, instance.id, day)) {
    const key = { instanceId: instance.id, claimId }
    const matter = { instanceId: instance.id, about: `resume claim ${claimId}` }
    await setAside(context, matter, () => resumeClaim(context, key, day))
  }
  await billLateInterest(context, instance.id, day)
  let performed = await runPlanNight(context, { instanceId: instance.id, day })
  await planFirstSteps(context.db, instance.id, day)
  // A step may be followed by another that is due the same day: pass again until nothing happens.
  for (let pass = 1; pass > 0; ) {
    const night = { ...context, instanceId: instance.id, day }
    pass = await passInvoices(night)
    pass += await handOverDue(night)
    pass += await passClaims(night)
    performed += pass
  }
  await insertNightRow(context.db, { instanceId: instance.id, day, performed })
  if (performed > 0) context.log.info({ instanceId: instance.id, day, performed }, 'night run')
  return performed
}

type Night = NightContext & { readonly instanceId: string; readonly day: CalendarDate }

function passInvoices(night: Night): Promise<number> {
  return passOnce(night, INVOICE_TYPES, {
    lock: lockDueSteps,
    decide: (row) => ({
      row,
      debt: { invoiceId: row.invoice_id },
      decision: decideStep(row, night.day),
    }),
  })
}

function passClaims(night: Night): Promise<number> {
  return passOnce(night, CLAIM_STEPS, {
    lock: lockDueClaimSteps,
    decide: (row) => ({
      row,
      debt: { claimId: row.claim_id },
      decision: decideClaimStep(row, night.day),
    }),
  })
}

type Dated = Step & { readonly planned_date: string }

type Pass<Row extends Dated> = {
  readonly lock: (tx: Transaction, page: DuePage) => Promise<Row[]>
  readonly decide: (row: Row) => Decided<Row>
}

type Place = { readonly date: string; readonly id: string }

/**
 * All due steps of some types once, a batch in each transaction. Answers how many were performed. A batch that fails
 * is gone through step by step, so that only the step at fault stays behind, with a task for an operator.
 */
async function passOnce<Row extends Dated>(
  night: Night,
  types: readonly string[],
  pass: Pass<Row>,
): Promise<number> {
  let after: Place = FIRST_PAGE
  let performed = 0
  let singly = 0
  for (;;) {
    const limit = singly > 0 ? 1 : BATCH_STEPS
    const page = { instanceId: night.instanceId, day: night.day, after, limit, types }
    const batch = await performPage(night, page, pass)
    if (batch === 'failed') {
      singly = BATCH_STEPS
      continue
    }
    performed += batch.performed
    if (!batch.last) return performed
    after = batch.last
    singly -= 1
  }
}

/** One page in one transaction; a page of one step that fails is set aside. */
async function performPage<Row extends Dated>(
  night: Night,
  page: DuePage,
  { lock, decide }: Pass<Row>,
): Promise<{ performed: number; last: Place | undefined } | 'failed'> {
  let last: Place | undefined
  const perform = (): Promise<number> =>
    night.db.transaction(async (tx) => {
      const rows = await lock(tx, page)
      const row = rows.at(-1)
      last = row && { date: row.planned_date, id: row.step_id }
      return performSteps(tx, night, rows.map(decide))
    })
  const about = (): string => (last ? `step ${last.id}` : `step after ${page.after.id}`)
  if (page.limit > 1) {
    try {
      return { performed: await perform(), last }
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      return 'failed'
    }
  }
  const performed = await setAside(night, { instanceId: page.instanceId, about }, perform)
  return { performed: performed ?? 0, last }
}
