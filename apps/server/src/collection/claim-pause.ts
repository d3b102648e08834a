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
} from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { endOpenDispute, holdSteps, readHeldSteps, releaseStep } from '../invoices/invoices.ts'
import { setClaimResumed } from './claim-steps.queries.ts'
import type { Pause } from './pause.ts'

/** Everything planned is held: respite, investigation, or a debtor who asked for debt advice. */
export function pauseClaim(context: Pick<Context, 'db'>, key: ClaimKey, pause: Pause): Promise<void> {
  return context.db.transaction(async (tx) => {
    const claim = await lockClaim(tx, key)
    await setClaimPause(tx, key, pause)
    await moveClaim(tx, claim, { move: 'pause', to: 'PAUSED' })
    await holdSteps(tx, key)
  })
}

/** What was held goes on, later by the length of the pause and never sooner than in three bank days. */
export function resumeClaim(context: Pick<Context, 'db'>, key: ClaimKey, today: CalendarDate): Promise<void> {
  return context.db.transaction(async (tx) => {
    const claim = await lockClaim(tx, key)
    // Somebody else resumed it, or it was paid, while we waited for the lock.
    if (claim.status !== 'PAUSED') return
    const { country } = await readClaimSchedule(tx, key)
    const pausedOn = date(claim.paused_on ?? today)
    for (const step of await readHeldSteps(tx, key)) {
      const plannedDate = shiftAfterPause(date(step.planned_date ?? today), { country, pausedOn, today })
      await releaseStep(tx, { instanceId: key.instanceId, stepId: step.id }, plannedDate)
    }
    await setClaimResumed(tx, key, today)
    await moveClaim(tx, claim, { move: 'resume', to: 'RESUME' })
  })
}

/** The case ends without payment. What is left stays in the books, with the reason. */
export function stopClaim(
  context: Pick<Context, 'db'>,
  key: ClaimKey,
  { on, reason }: { readonly on: CalendarDate; readonly reason: string },
): Promise<void> {
  return context.db.transaction(async (tx) => {
    const claim = await lockClaim(tx, key)
    await endOpenDispute(tx, key, { status: 'UPHELD', on, decision: reason })
    await stopLockedClaim(tx, claim, reason)
  })
}
