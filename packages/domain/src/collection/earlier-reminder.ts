/** What a reminder may have cost that the creditor had sent before we had the invoice: the law holds for it as for ours. */
import { addDays, type CalendarDate } from '../calendar.ts'
import type { Currency } from '../money.ts'
import { COUNTRY_PARAMS, feeOn, type DebtorKind, type Figures } from './country-params.ts'
import { scheduleOf } from './schedule-table.ts'

export type EarlierReminder = {
  /** Of the creditor. */
  readonly country: string
  readonly currency: Currency
  readonly debtorKind: DebtorKind
  readonly principalMinor: number
  readonly dueDate: CalendarDate
  readonly remindedOn: CalendarDate
  /** Agreed before the debt arose. */
  readonly isAgreed: boolean
  readonly isLive: boolean
  readonly figures: Figures
}

/**
 * The first day on which somebody reminds of what was due on `dueDate`: the law's minimum for our own first reminder. What was
 * sent before that day reminds of nothing, costs nothing and leads to no later step.
 */
export function earliestReminder(
  country: string,
  debtorKind: DebtorKind,
  dueDate: CalendarDate,
): CalendarDate {
  const first = scheduleOf(country, debtorKind).invoice.find(({ type }) => type === 'REMINDER')
  return addDays(dueDate, Math.max(1, ...(first?.after ?? []).map(({ minDays }) => minDays ?? 0)))
}

/**
 * The most that it may have cost, in minor units; nothing before its time, and where nobody knows, as nothing is charged there
 * either.
 */
export function mostForReminder({
  country,
  currency,
  debtorKind,
  principalMinor,
  dueDate,
  remindedOn,
  isAgreed,
  isLive,
  figures,
}: EarlierReminder): number {
  const found = Object.hasOwn(COUNTRY_PARAMS, country) ? COUNTRY_PARAMS[country] : undefined
  if (found?.currency !== currency || remindedOn < earliestReminder(country, debtorKind, dueDate)) return 0
  const asked = { country, step: 'REMINDER', debtorKind, principalMinor, date: remindedOn, isLive, figures }
  return feeOn({ ...asked, reminderFeeAgreed: isAgreed })?.amountMinor ?? 0
}
