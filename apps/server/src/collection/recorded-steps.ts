/** Steps of a claim that come of what somebody did: written into its schedule and the books when they are recorded. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { RECORDED_STEPS } from '@kvitt/domain/collection/schedule-table.ts'
import type { ClaimKey } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { holdFigures, readFigures } from '../country-figures/country-figures.ts'
import { endPlannedSteps } from '../invoices/invoices.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import {
  insertRecordedRow,
  lockDueClaimStep,
  readWouldBeStep,
  setPerformedDayRow,
} from './claim-steps.queries.ts'
import { decideClaimStep, decideRecordedStep } from './decide-step.ts'
import { askAboutMissing, performSteps } from './perform-steps.ts'

type Recorded = {
  readonly type: (typeof RECORDED_STEPS)[number]
  readonly happenedOn: CalendarDate
  /** When it enters the books, and up to when interest does. */
  readonly day: CalendarDate
}

/**
 * Performs the step, in the place of all that was planned, with what it costs. Under the lock of a running claim. Answers the
 * step's identifier.
 */
export async function performRecordedStep(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  key: ClaimKey,
  { type, happenedOn, day }: Recorded,
): Promise<string> {
  const { instanceId, claimId } = key
  const [night, id, debt] = [{ clock, instanceId, day }, newId(clock.now()), { claimId }]
  await endPlannedSteps(tx, key, 'CANCELLED')
  await insertRecordedRow(tx, { instanceId, id, claimId, type, on: happenedOn })
  const row = await lockDueClaimStep(tx, { instanceId, day, stepId: id })
  const figures = await holdFigures(tx, instanceId)
  const { decision, missing } = decideRecordedStep({ row, figures }, day, happenedOn)
  if (missing !== undefined)
    await askAboutMissing(tx, night, [{ row, debt, decision: { kind: 'wait', missing } }])
  const performed = await performSteps(tx, night, [{ row, debt, decision }])
  if (performed.length !== 1) throw new Error(`step ${id} was not performed under the lock of its claim`)
  await setPerformedDayRow(tx, { instanceId, id, on: happenedOn })
  return id
}

/** What a claim would cost more if the step were recorded on `day`, in minor units; null where the figure is not known. */
export async function costOfRecorded(
  db: Connection,
  key: ClaimKey,
  { type, day }: Pick<Recorded, 'type' | 'day'>,
): Promise<number | null> {
  const row = await readWouldBeStep(db, key, { type, day })
  if (!row) return null
  // As if nothing stood against it: what rests may go on.
  const free = { ...row, status: 'OPEN' as const, is_part_payment: false, has_authorized: false }
  const decision = decideClaimStep({ row: free, figures: await readFigures(db, key.instanceId) }, day)
  if (decision.kind === 'perform') return decision.feeMinor
  return decision.kind === 'wait' ? null : 0
}
