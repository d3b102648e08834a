/** What staff decide about one claim: respite, the end of it, and the end of a case. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { shiftAfterPause } from '@kvitt/domain/collection/schedule.ts'
import {
  lockClaim,
  moveClaim,
  readClaimSchedule,
  setClaimPause,
  stopLockedClaim,
  type ClaimKey,
  type LockedClaim,
} from '../../claims/claims.ts'
import type { Context } from '../../context.ts'
import { endOpenDispute, holdSteps, readHeldSteps, releaseStep } from '../../invoices/invoices.ts'
import { setClaimResumed } from '../claim-steps.queries.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Pause, Stop } from './pause.ts'

/** Everything planned is held: respite, investigation, or a debtor who asked for debt advice. */
export function pauseClaim(context: Pick<Context, 'db'>, key: ClaimKey, pause: Pause): Promise<void> {
  return context.db.transaction(async (tx) => pauseLockedClaim(tx, await lockClaim(tx, key), pause))
}

/** As pauseClaim, of a claim that is locked. */
export async function pauseLockedClaim(tx: Transaction, claim: LockedClaim, pause: Pause): Promise<void> {
  const key = keyOf(claim)
  await setClaimPause(tx, key, pause)
  await moveClaim(tx, claim, { move: 'pause', to: 'PAUSED' })
  await holdSteps(tx, key)
}

/** What was held goes on, later by the length of the pause and never sooner than in three bank days. */
export function resumeClaim(context: Pick<Context, 'db'>, key: ClaimKey, today: CalendarDate): Promise<void> {
  return context.db.transaction(async (tx) => {
    const claim = await lockClaim(tx, key)
    // Somebody else resumed it, or it was paid, while we waited for the lock.
    if (claim.status === 'PAUSED') await resumeLockedClaim(tx, claim, today)
  })
}

/** As resumeClaim, of one that is locked and paused. */
export async function resumeLockedClaim(
  tx: Transaction,
  claim: LockedClaim,
  today: CalendarDate,
): Promise<void> {
  const key = keyOf(claim)
  const { country } = await readClaimSchedule(tx, key)
  const pausedOn = date(claim.paused_on ?? today)
  for (const step of await readHeldSteps(tx, key)) {
    const plannedDate = shiftAfterPause(date(step.planned_date ?? today), { country, pausedOn, today })
    await releaseStep(tx, { instanceId: key.instanceId, stepId: step.id }, plannedDate)
  }
  await setClaimResumed(tx, key, today)
  await moveClaim(tx, claim, { move: 'resume', to: 'RESUME' })
}

/** The case ends without payment. What is left stays in the books, with the reason. */
export function stopClaim(context: Pick<Context, 'db'>, key: ClaimKey, stop: Stop): Promise<void> {
  return context.db.transaction(async (tx) => stopWithDispute(tx, await lockClaim(tx, key), stop))
}

/** As stopClaim, of a claim that is locked. */
export async function stopWithDispute(
  tx: Transaction,
  claim: LockedClaim,
  { on, reason }: Stop,
): Promise<void> {
  await endOpenDispute(tx, keyOf(claim), { status: 'UPHELD', on, decision: reason })
  await stopLockedClaim(tx, claim, reason)
}

const keyOf = ({ instance_id: instanceId, id: claimId }: LockedClaim): ClaimKey => ({ instanceId, claimId })
