import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { Disclosure } from '@kvitt/ui/components/disclosure.tsx'
import { FactList, type Fact } from '@kvitt/ui/components/fact-list.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney, minorOf } from '@kvitt/ui/money-text.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { financialEventsQuery, type FinancialEvent } from '../calls.ts'
import type { InvoiceKey } from '../session.ts'
import { t, type MessageId } from '../text.ts'
import css from './calculation.module.css'
import { EVENT_NAMES } from '../shell/event-names.ts'

/** Postings that have another name as a cost than as a step of the schedule. */
const COST_NAMES: Readonly<Record<string, MessageId>> = {
  REMINDER: 'claim.reminder_fee',
  COLLECTION: 'claim.collection_fee',
}

type CalculationProps = { invoiceKey: InvoiceKey; invoice: InvoiceAnswer }

/**
 * The rows of the sum. Each posting with its day when they add up to the balance; otherwise the three parts of
 * the balance, so that the figures on the screen always add up.
 */
export function calculationFacts(
  invoice: Pick<InvoiceAnswer, 'balances'>,
  events: readonly FinancialEvent[],
): readonly { name: string; day: string | undefined; minor: number }[] {
  const total = minorOf(invoice.balances.total)
  const rows = events.map((event) => ({
    name: t(COST_NAMES[event.type] ?? EVENT_NAMES[event.type] ?? 'event.other'),
    day: event.type === 'INVOICE' ? undefined : event.date,
    minor: minorOf(event.amounts.total),
  }))
  if (rows.length > 0 && rows.reduce((sum, row) => sum + row.minor, 0) === total) return rows
  const { principal, costs, interest } = invoice.balances
  return [
    { name: t('claim.principal'), day: undefined, minor: minorOf(principal) },
    { name: t('calculation.costs'), day: undefined, minor: minorOf(costs) },
    { name: t('claim.late_interest'), day: undefined, minor: minorOf(interest) },
  ].filter((row, index) => index === 0 || row.minor !== 0)
}

function Calculation({ invoiceKey, invoice }: CalculationProps) {
  const events = useQuery(financialEventsQuery(invoiceKey))
  const language = currentLanguage()
  const currency = invoice.currency.invoiceCurrency
  const facts: Fact[] = calculationFacts(invoice, events.data ?? []).map(({ name, day, minor }, index) => ({
    id: `${index}`,
    name: day ? `${name}, ${formatDay(day, language, 'dayMonth')}` : name,
    value: formatMoney(minor, currency, language),
  }))
  facts.push({
    id: 'total',
    name: t('invoice.total_due'),
    value: formatMoney(minorOf(invoice.balances.total), currency, language),
    isTotal: true,
  })
  return <FactList facts={facts} />
}

/** On wide screens: a text action in the hero. */
export function CalculationAction(props: CalculationProps) {
  const [wasOpened, setOpened] = useState(false)
  return (
    <div className={css.action}>
      <Disclosure look="text" title={t('calculation.title')} onOpen={() => setOpened(true)}>
        <div className={css.panel}>{wasOpened && <Calculation {...props} />}</div>
      </Disclosure>
    </div>
  )
}

/** On narrow screens: a row of the grouped card. */
export function CalculationRow(props: CalculationProps) {
  const [wasOpened, setOpened] = useState(false)
  return (
    <Disclosure icon="receipt" title={t('calculation.title')} onOpen={() => setOpened(true)}>
      {wasOpened && <Calculation {...props} />}
    </Disclosure>
  )
}
