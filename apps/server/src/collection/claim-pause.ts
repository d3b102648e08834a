/** What staff decide about one claim: respite, the end of it, an answer to an objection, and the end of a case. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { resumeAfterDispute, shiftAfterPause } from '@kvitt/domain/collection/schedule.ts'
import { bookWriteOff } from '@kvitt/domain/ledger/correction.ts'
import { money } from '@kvitt/domain/money.ts'
import {
  forgiveLateInterest,
  lockClaim,
  moveClaim,
  readClaimSchedule,
  setClaimPause,
  stopLockedClaim,
  type ClaimKey,
  type LockedClaim,
} from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { endOpenDispute, holdSteps, readHeldSteps, releaseStep } from '../invoices/invoices.ts'
import { postBookings } from '../ledger/ledger.ts'
import type { Transaction } from '../platform/database.ts'
import { newId } from '../platform/identity.ts'
import type { Pause } from './pause.ts'
import { planAnew } from './plan-anew.ts'

type DeskContext = Pick<Context, 'db' | 'clock'>

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
    await moveClaim(tx, claim, { move: 'resume', to: 'RESUME' })
  })
}

type Answer = { readonly on: CalendarDate; readonly answer: string }

/** The creditor stands by the debt and has told the debtor why: the schedule is built anew, ten days on. */
export function rejectClaimDispute(
  context: DeskContext,
  key: ClaimKey,
  { on, answer }: Answer,
): Promise<void> {
  return context.db.transaction(async (tx) =>
    rejectLockedDispute(context, tx, await lockClaim(tx, key), { on, answer }),
  )
}

/** As rejectClaimDispute, of a locked claim. */
export async function rejectLockedDispute(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  claim: LockedClaim,
  { on, answer }: Answer,
): Promise<void> {
  const key = { instanceId: claim.instance_id, claimId: claim.id }
  await endOpenDispute(tx, key, { status: 'REJECTED', on, decision: answer })
  await moveClaim(tx, claim, { move: 'rejectDispute', to: 'RESUME' })
  await planAnew(context, tx, key, resumeAfterDispute(on))
}

/**
 * The creditor gives in: principal is credited, fees and interest are taken back, also those that were billed by themselves,
 * and the case is over.
 */
export function upholdClaimDispute(
  context: DeskContext,
  key: ClaimKey,
  { on, answer }: Answer,
): Promise<void> {
  return context.db.transaction(async (tx) => {
    const claim = await lockClaim(tx, key)
    await takeBack(context, tx, claim, on)
    const except = claim.members.map(({ id }) => id)
    const debts = [...except.map((invoiceId) => ({ invoiceId })), { claimId: claim.id }]
    await forgiveLateInterest(context, tx, { instanceId: claim.instance_id, debts, on, except })
    await endOpenDispute(tx, key, { status: 'UPHELD', on, decision: answer })
    await moveClaim(tx, claim, { move: 'upholdDispute', to: 'CLOSED' })
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

async function takeBack(
  context: DeskContext,
  tx: Transaction,
  claim: LockedClaim,
  on: CalendarDate,
): Promise<void> {
  const { currency } = claim
  const none = money(0, currency)
  const parties = { claimId: claim.id, creditorId: claim.creditor_id, debtorId: claim.debtor_id }
  const parts = [
    ['CREDIT_INVOICE', { principal: money(claim.principal_minor, currency), costs: none, interest: none }],
    [
      'REVERSAL',
      {
        principal: none,
        costs: money(claim.costs_minor, currency),
        interest: money(claim.interest_minor, currency),
      },
    ],
  ] as const
  const bookings = parts.map(([kind, taken]) => {
    const id = newId(context.clock.now())
    const lines = bookWriteOff(parties, taken)
    return {
      id,
      kind,
      bookedOn: on,
      cause: `upheld:${id}`,
      invoiceId: null,
      claimId: claim.id,
      paymentId: null,
      lines,
    }
  })
  await postBookings(
    tx,
    claim.instance_id,
    bookings.filter(({ lines }) => lines.length > 0),
    context.clock,
  )
}
