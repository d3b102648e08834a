/** What the sum of an invoice is made of, row by row. */
import type { FinancialEventAnswer, InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { Fact } from '@kvitt/ui/values/fact-list.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { t, type MessageId } from '../text.ts'
import { lookOf } from './events.ts'
import { interestFacts, sumOfPeriods } from './interest-facts.ts'

/** Postings that have another name as a cost than as a step of the schedule. */
const COST_NAMES: Readonly<Record<string, MessageId>> = {
  REMINDER: 'claim.reminder_fee',
  COLLECTION: 'claim.collection_fee',
}

const nameOf = (type: string): string => t(COST_NAMES[type] ?? lookOf(type)[0])

/** Each posting with its day; of interest that is the last day which it is counted for, unless its periods tell. */
function eventName({ type, date, interest }: FinancialEventAnswer): string {
  const day = formatDay(date, 'short')
  if (type === 'INVOICE') return nameOf(type)
  if (type !== 'INTEREST') return `${nameOf(type)}, ${day}`
  return interest.length === 1 ? nameOf(type) : t('calculation.interest_until', { day })
}

function eventFacts(event: FinancialEventAnswer, id: string, currency: string): Fact[] {
  const minor = minorOf(event.amounts.total)
  const earlier = minor - sumOfPeriods(event.interest)
  return interestFacts({
    id,
    name: eventName(event),
    minor,
    currency,
    periods: event.interest,
    rest: [[t('calculation.interest_earlier'), earlier]],
  })
}

type Balances = InvoiceAnswer['balances']

/**
 * The postings when they add up to the balance; otherwise the three parts of the balance, so that the figures on the
 * screen always add up.
 */
function partsOf(balances: Balances, events: readonly FinancialEventAnswer[], currency: string): Fact[] {
  const sum = events.reduce((all, { amounts }) => all + minorOf(amounts.total), 0)
  if (events.length > 0 && sum === minorOf(balances.total)) {
    return events.flatMap((event, index) => eventFacts(event, `${index}`, currency))
  }
  const parts: readonly (readonly [MessageId, number])[] = [
    ['claim.principal', minorOf(balances.principal)],
    ['calculation.costs', minorOf(balances.costs)],
    ['claim.late_interest', minorOf(balances.interest)],
  ]
  return parts
    .filter(([, minor], index) => index === 0 || minor !== 0)
    .map(([id, minor]) => ({ id, name: t(id), value: formatMoney(minor, currency, currentLanguage()) }))
}

/** The parts, and what they come to. */
export function sumFacts(
  balances: Balances,
  events: readonly FinancialEventAnswer[],
  currency: string,
  total: MessageId = 'invoice.total_due',
): Fact[] {
  const value = formatMoney(minorOf(balances.total), currency, currentLanguage())
  return [...partsOf(balances, events, currency), { id: 'total', name: t(total), value, isTotal: true }]
}
