/** What a reminder may have cost that the creditor had sent before we had the invoice: the law holds for it as for ours. */
import type { CalendarDate } from '../calendar.ts'
import type { Currency } from '../money.ts'
import { COUNTRY_PARAMS, feeOn, type DebtorKind } from './country-params.ts'

export type EarlierReminder = {
  /** Of the creditor. */
  readonly country: string
  readonly currency: Currency
  readonly debtorKind: DebtorKind
  readonly principalMinor: number
  readonly remindedOn: CalendarDate
  /** Agreed before the debt arose. */
  readonly isAgreed: boolean
  readonly isLive: boolean
}

/** The most that it may have cost, in minor units; nothing where nobody knows, as nothing is charged there either. */
export function mostForReminder({
  country,
  currency,
  debtorKind,
  principalMinor,
  remindedOn,
  isAgreed,
  isLive,
}: EarlierReminder): number {
  const found = Object.hasOwn(COUNTRY_PARAMS, country) ? COUNTRY_PARAMS[country] : undefined
  if (found?.currency !== currency) return 0
  const asked = { country, step: 'REMINDER', debtorKind, principalMinor, date: remindedOn, isLive }
  return feeOn({ ...asked, reminderFeeAgreed: isAgreed })?.amountMinor ?? 0
}
