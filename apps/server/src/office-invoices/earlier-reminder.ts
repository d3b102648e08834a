/** A reminder that the creditor had sent itself: what it may have cost is what ours may. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { mostForReminder } from '@kvitt/domain/collection/earlier-reminder.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { amountText, type Currency } from '@kvitt/domain/money.ts'
import { debtorKindOf } from '../claims/claims.ts'
import type { Transaction } from '../platform/database/database.ts'
import { readReminderTerms } from './drafts.queries.ts'

type Reminded = {
  readonly instanceId: string
  readonly creditorId: string
  readonly kind: 'PERSON' | 'COMPANY'
  readonly currency: Currency
  readonly totalMinor: number
  readonly issueDate: string
  readonly remindedOn: CalendarDate
}

/** In minor units. */
export async function mostOfReminder(
  tx: Transaction,
  { instanceId, creditorId, issueDate, totalMinor, ...reminded }: Reminded,
): Promise<{ readonly isAgreed: boolean; readonly minor: number }> {
  const {
    agreed_on: agreedOn,
    country,
    is_live: isLive,
  } = await readReminderTerms(tx, instanceId, creditorId)
  const isAgreed = agreedOn !== null && agreedOn <= issueDate
  const debtorKind = debtorKindOf(reminded)
  const asked = { ...reminded, country, debtorKind, isLive, principalMinor: totalMinor }
  return { isAgreed, minor: mostForReminder({ ...asked, isAgreed }) }
}

/** Refuses `reminder_fee_not_agreed` and `reminder_fee_too_large`. */
export async function refuseReminderFee(
  tx: Transaction,
  reminded: Reminded,
  feeMinor: number,
): Promise<void> {
  if (feeMinor === 0) return
  const { isAgreed, minor } = await mostOfReminder(tx, reminded)
  if (feeMinor <= minor) return
  const fields = ['alreadySent.reminderFee']
  if (!isAgreed && minor === 0) throw new Refusal('reminder_fee_not_agreed', {}, fields)
  throw new Refusal(
    'reminder_fee_too_large',
    { amount: amountText(minor), currency: reminded.currency },
    fields,
  )
}
