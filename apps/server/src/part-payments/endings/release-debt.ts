/** A debt that a plan has paid is an ordinary one again. */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { nextClaimStep, nextStep, type PerformedStep } from '@kvitt/domain/collection/schedule.ts'
import type { StepType } from '@kvitt/domain/collection/schedule-table.ts'
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { endPlannedSteps } from '../../invoices/invoices.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { readTerms, setDueDateRow, unmark } from './endings.queries.ts'
import { planStepRows } from '../bills/instalments.queries.ts'
import { closePaid, lockPlannedDebt } from '../planned-debt.ts'

/** One of the debts that a plan pays leaves it, due on `dueDate`; the plan goes on with the others. */
export async function releaseMember(
  tx: Transaction,
  key: { readonly instanceId: string; readonly debt: Debt },
  dueDate: CalendarDate,
): Promise<void> {
  await unmark(tx, key.instanceId, { members: [debtId(key.debt)], billed: [] })
  await owedByItself(tx, key, dueDate)
}

/** Due on `dueDate`: no late interest before it, and the next step of its schedule comes after it. Paid, it is closed. */
export async function owedByItself(
  tx: Transaction,
  { instanceId, debt }: { readonly instanceId: string; readonly debt: Debt },
  dueDate: CalendarDate,
): Promise<void> {
  const member = await lockPlannedDebt(tx, instanceId, debt)
  if (member.state !== 'open' && member.state !== 'resting') return
  if (member.balanceMinor > 0) await setDueDateRow(tx, { instanceId, debt }, dueDate)
  if (member.state !== 'open') return
  if (member.balanceMinor === 0) return closePaid(tx, member)
  await endPlannedSteps(tx, { instanceId, ...debt }, 'CANCELLED')
  await planAfter(tx, { instanceId, debt }, addDays(dueDate, 1))
}

/** Plans what follows in its schedule, on `notBefore` at the earliest. */
export async function planAfter(
  tx: Transaction,
  { instanceId, debt }: { instanceId: string; debt: Debt },
  notBefore: CalendarDate,
): Promise<void> {
  const next = await stepAfterPlan(tx, { instanceId, debt }, notBefore)
  if (next) await planStepRows(tx, instanceId, [{ debt, ...next }])
}

async function stepAfterPlan(
  tx: Transaction,
  { instanceId, debt }: { instanceId: string; debt: Debt },
  notBefore: CalendarDate,
): Promise<{ type: string; number: number; day: string } | undefined> {
  const row = await readTerms(tx, instanceId, debt)
  const performed: PerformedStep[] = row.performed.map((step) => ({
    type: step.type as StepType,
    number: step.number,
    performedDate: date(step.performedDate),
    ...(step.lastPayDate ? { lastPayDate: date(step.lastPayDate) } : {}),
  }))
  const due = date(row.expire_date)
  const booked = date(row.booked_on)
  const terms = {
    country: row.country,
    debtorKind: row.kind === 'COMPANY' ? ('business' as const) : ('consumer' as const),
    notBefore,
  }
  // The claim was demanded for its old last day; what follows counts from the new one.
  const demandedAnew = (step: PerformedStep): PerformedStep =>
    step.type === 'COLLECTION_CLAIM' ? { ...step, lastPayDate: due } : step
  const next =
    'claimId' in debt
      ? nextClaimStep({ ...terms, openedOn: booked }, performed.map(demandedAnew))
      : nextStep(
          {
            ...terms,
            dueDate: due,
            sentDate: date(row.sent_date),
            scheduleFrom: due > booked ? due : booked,
            reminderFeeAgreed: row.reminder_fee_agreed,
          },
          performed,
        )
  return next && { type: next.type, number: next.number, day: next.plannedDate }
}
