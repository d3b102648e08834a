/**
 * The last day to pay is counted from the day on which the letter leaves: the debtor has the law's whole time (SE inkassolagen
 * 5 §, NO inkassoloven §§ 9 and 10, DK inkassoloven § 10, FI perintälaki 5 §), however long it waited here.
 */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { lastPayDateOf } from '@kvitt/domain/collection/schedule.ts'
import type { StepType } from '@kvitt/domain/collection/schedule-table.ts'
import { debtorKindOf, readClaimSchedule, readInvoiceSchedule, readNextStep } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { forgetDrawnRow } from '../mail/mail.ts'
import { lockStepOwner } from './step-owner.ts'
import { moveFollowing, readLeavingStep, setLastDay } from './unsent-letters.queries.ts'

type Leaving = { readonly instanceId: string; readonly stepId: string; readonly on: CalendarDate }

/**
 * Dates the letter of a step that leaves on `on`, and plans what follows it anew. Answers the last day to pay that it gives. What
 * was performed after it, or joined a claim, counts from the day that it gave: that stays. The same day again changes nothing.
 */
export function dateLetter(
  { db }: Pick<Context, 'db'>,
  { instanceId, stepId, on }: Leaving,
): Promise<string | null> {
  return db.transaction(async (tx) => {
    const { debt, invoice, claim } = await lockStepOwner(tx, { instanceId, stepId })
    const step = await readLeavingStep(tx, { instanceId, stepId })
    if (!step) return null
    const before = step.last_pay_date
    const hasJoined = 'invoiceId' in debt && claim !== undefined
    if (before === null || step.is_followed || hasJoined || (!invoice && !claim)) return before
    const key = { instanceId, ...debt }
    const schedule = 'claimId' in key ? await readClaimSchedule(tx, key) : await readInvoiceSchedule(tx, key)
    const terms = { country: schedule.country, debtorKind: debtorKindOf(schedule) }
    const lastDay = lastPayDateOf(terms, step.type as StepType, on)
    if (lastDay === undefined || lastDay <= date(before)) return before
    await setLastDay(tx, { instanceId, stepId, debt }, { lastDay, leftOn: on })
    await forgetDrawnRow(tx, instanceId, stepId)
    const next = await readNextStep(tx, key)
    if (next) await moveFollowing(tx, { instanceId, debt }, next)
    return lastDay
  })
}
