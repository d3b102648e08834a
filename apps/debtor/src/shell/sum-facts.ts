/** What a sum is made of, row by row, on an invoice and on a claim. */
import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { Fact } from '@kvitt/ui/components/fact-list.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney, minorOf } from '@kvitt/ui/money-text.ts'
import type { FinancialEvent } from '../calls.ts'
import { t, type MessageId } from '../text.ts'
import { EVENT_NAMES } from './event-names.ts'

/** Postings that have another name as a cost than as a step of the schedule. */
const COST_NAMES: Readonly<Record<string, MessageId>> = {
  REMINDER: 'claim.reminder_fee',
  COLLECTION: 'claim.collection_fee',
}

const nameOf = (type: string): string => t(COST_NAMES[type] ?? EVENT_NAMES[type] ?? 'event.other')

/** Each posting with its day; of interest that is the last day which it is counted for. */
function eventName({ type, date }: FinancialEvent): string {
  const day = formatDay(date, currentLanguage(), 'short')
  if (type === 'INVOICE') return nameOf(type)
  return type === 'INTEREST' ? t('calculation.interest_until', { day }) : `${nameOf(type)}, ${day}`
}

type Balances = InvoiceAnswer['balances']

/**
 * The postings when they add up to the balance; otherwise the three parts of the balance, so that the figures on the
 * screen always add up.
 */
function partsOf(balances: Balances, events: readonly FinancialEvent[]): readonly [string, number][] {
  const rows = events.map((event): [string, number] => [eventName(event), minorOf(event.amounts.total)])
  const sum = rows.reduce((all, [, minor]) => all + minor, 0)
  if (rows.length > 0 && sum === minorOf(balances.total)) return rows
  const parts: [string, number][] = [
    [t('claim.principal'), minorOf(balances.principal)],
    [t('calculation.costs'), minorOf(balances.costs)],
    [t('claim.late_interest'), minorOf(balances.interest)],
  ]
  return parts.filter(([, minor], index) => index === 0 || minor !== 0)
}

/** The parts, and what they come to. */
export function sumFacts(
  balances: Balances,
  events: readonly FinancialEvent[],
  currency: string,
  total: MessageId = 'invoice.total_due',
): Fact[] {
  const money = (minor: number): string => formatMoney(minor, currency, currentLanguage())
  return [
    ...partsOf(balances, events).map(([name, minor], index) => ({
      id: `${index}`,
      name,
      value: money(minor),
    })),
    { id: 'total', name: t(total), value: money(minorOf(balances.total)), isTotal: true },
  ]
}
