/** The schedule of an invoice or a claim: the rules of the domain read for what the database knows of it. */
import { date, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { DebtorKind } from '@kvitt/domain/collection/country-params.ts'
import {
  nextClaimStep,
  nextStep,
  type ClaimTerms,
  type InvoiceTerms,
  type PerformedStep,
  type PlannedStep,
} from '@kvitt/domain/collection/schedule.ts'
import type { StepType } from '@kvitt/domain/collection/schedule-table.ts'
import type { InvoiceKey } from '../invoices/invoices.ts'
import type { Transaction } from '../platform/database/database.ts'
import type { ClaimKey } from './move-claim.ts'
import {
  readClaimSchedule,
  readInvoiceSchedule,
  type ClaimSchedule,
  type InvoiceSchedule,
} from './schedule.queries.ts'

/** The step that follows what has been performed, on `notBefore` at the earliest; undefined when nothing does. */
export async function readNextStep(
  tx: Transaction,
  key: InvoiceKey | ClaimKey,
  notBefore?: CalendarDate,
): Promise<PlannedStep | undefined> {
  const earliest = notBefore ? { notBefore } : {}
  if ('claimId' in key) {
    const schedule = await readClaimSchedule(tx, key)
    return nextClaimStep({ ...claimTermsOf(schedule), ...earliest }, performedOf(schedule))
  }
  const schedule = await readInvoiceSchedule(tx, key)
  return nextStep({ ...termsOf(schedule), ...earliest }, performedOf(schedule))
}

export function debtorKindOf({ kind }: Pick<InvoiceSchedule, 'kind'>): DebtorKind {
  return kind === 'COMPANY' ? 'business' : 'consumer'
}

/** One reminder, and no day more than the law asks for. */
const HASTENED = { reminderAfterDays: 0, reminders: 1 } as const

/** What an invoice's schedule is read with. */
export function termsOf(row: InvoiceSchedule): InvoiceTerms {
  return {
    country: row.country,
    debtorKind: debtorKindOf(row),
    dueDate: date(row.expire_date),
    sentDate: date(row.sent_date),
    scheduleFrom: laterOf(date(row.expire_date), date(row.booked_on)),
    reminderFeeAgreed: row.reminder_fee_agreed,
    isForInterest: row.invoice_type === 'INTEREST_INVOICE',
    ...(row.is_hastened ? { policy: HASTENED } : {}),
  }
}

/** What a claim's schedule is read with. */
export function claimTermsOf(row: Omit<ClaimSchedule, 'performed'>): ClaimTerms {
  return { country: row.country, debtorKind: debtorKindOf(row), openedOn: date(row.opened_on) }
}

/** The steps that have been performed, as the schedule reads them. */
export function performedOf({ performed }: Pick<InvoiceSchedule, 'performed'>): PerformedStep[] {
  return performed.map((step) => ({
    type: step.type as StepType,
    number: step.number,
    performedDate: date(step.performedDate),
    ...(step.lastPayDate ? { lastPayDate: date(step.lastPayDate) } : {}),
  }))
}
