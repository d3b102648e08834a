/** A reminder that the creditor had sent itself: it is one from the day on which ours would be, and may have cost what ours may. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Figures } from '@kvitt/domain/collection/country-params.ts'
import { earliestReminder, mostForReminder } from '@kvitt/domain/collection/earlier-reminder.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { amountText, type Currency } from '@kvitt/domain/money.ts'
import { holdFigures, readFigures } from '../country-figures/country-figures.ts'
import { debtorKindOf } from '../claims/claims.ts'
import type { Transaction } from '../platform/database/database.ts'
import { readReminderTermsOf, type ReminderRow } from './drafts.queries.ts'

/** Of a creditor, with the figures of its provider. */
export type ReminderTerms = ReminderRow & { readonly figures: Figures }

/** Of an invoice and its debtor. */
export type Reminded = {
  readonly kind: 'PERSON' | 'COMPANY'
  readonly currency: Currency
  readonly totalMinor: number
  readonly issueDate: string
  readonly dueDate: CalendarDate
}

type OfCreditor = { readonly instanceId: string; readonly creditorId: string }

/** By what a creditor's reminders may cost something, for what is charged: no figure is entered before the transaction has ended. */
export async function readReminderTerms(
  tx: Transaction,
  { instanceId, creditorId }: OfCreditor,
): Promise<ReminderTerms> {
  const row = await readReminderTermsOf(tx, instanceId, creditorId)
  return { ...row, figures: await holdFigures(tx, instanceId) }
}

/** The same for what is only judged: whoever charges it reads them anew. */
export async function judgeByReminderTerms(
  tx: Transaction,
  { instanceId, creditorId }: OfCreditor,
): Promise<ReminderTerms> {
  const row = await readReminderTermsOf(tx, instanceId, creditorId)
  return { ...row, figures: await readFigures(tx, instanceId) }
}

/** The first day on which it is a reminder. */
export function firstReminderDay(
  { country }: ReminderTerms,
  reminded: Pick<Reminded, 'kind' | 'dueDate'>,
): CalendarDate {
  return earliestReminder(country, debtorKindOf(reminded), reminded.dueDate)
}

/** In minor units. */
export function mostOfReminder(
  { agreed_on: agreedOn, country, is_live: isLive, figures }: ReminderTerms,
  { issueDate, totalMinor, ...reminded }: Reminded,
  remindedOn: CalendarDate,
): { readonly isAgreed: boolean; readonly minor: number } {
  const isAgreed = agreedOn !== null && agreedOn <= issueDate
  const debtorKind = debtorKindOf(reminded)
  const asked = { ...reminded, remindedOn, country, debtorKind, isLive, figures, principalMinor: totalMinor }
  return { isAgreed, minor: mostForReminder({ ...asked, isAgreed }) }
}

/** Refuses `reminder_too_soon`, `reminder_fee_not_agreed` and `reminder_fee_too_large`. */
export function refuseReminder(
  terms: ReminderTerms,
  reminded: Reminded,
  { remindedOn, feeMinor }: { readonly remindedOn: CalendarDate; readonly feeMinor: number },
): void {
  const earliest = firstReminderDay(terms, reminded)
  if (remindedOn < earliest) throw new Refusal('reminder_too_soon', { earliest }, ['alreadySent.remindedOn'])
  const { isAgreed, minor } = mostOfReminder(terms, reminded, remindedOn)
  if (feeMinor <= minor) return
  const fields = ['alreadySent.reminderFee']
  if (!isAgreed && minor === 0) throw new Refusal('reminder_fee_not_agreed', {}, fields)
  throw new Refusal(
    'reminder_fee_too_large',
    { amount: amountText(minor), currency: reminded.currency },
    fields,
  )
}
