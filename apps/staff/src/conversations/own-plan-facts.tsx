import { readNumber } from '@kvitt/domain/form/field-rules.ts'
import { failureText } from '@kvitt/office/calls.ts'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Facts } from '../shell/facts.tsx'
import { t } from '../text.ts'
import { ownPlanQuery } from './conversation-calls.ts'

/** How long nothing is typed before it is counted. */
const PAUSE_MS = 400

type FactsProps = {
  id: string
  /** The creditor's own amount a month and first day, as they are typed; left out for the debtor's. */
  changed?: Readonly<Record<string, string>>
}

/** What a plan comes to, counted as it would start today. */
export function OwnPlanFacts({ id, changed }: FactsProps) {
  const amount = changed ? (readNumber(changed['amount'] ?? '') ?? '') : undefined
  const day = changed?.['day']
  const typed = `${amount} ${day}`
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const sought = amount === undefined || day === undefined ? {} : { amount, day }
  const isWhole = amount === undefined || (amount !== '' && day !== '')
  const found = useQuery({ ...ownPlanQuery(id, sought), enabled: isWhole && settled === typed })
  if (!isWhole) return null
  if (found.isError) return <MessageBox tone="bad">{failureText(found.error)}</MessageBox>
  if (!found.data) return <ListWaiting rows={3} />
  const plan = found.data
  const money = (value: number) => <Figure minor={minorOf(value)} currency={plan.currency} />
  return (
    <div>
      <h3>{t('plan.own.figures')}</h3>
      <Facts
        rows={[
          { id: 'count', name: t('plan.own.count'), value: String(plan.instalmentCount) },
          { id: 'last', name: t('plan.own.last'), value: formatDay(plan.lastDueDate) },
          { id: 'last-amount', name: t('plan.own.last_amount'), value: money(plan.lastAmount) },
          {
            id: 'interest',
            name: t('plan.own.interest'),
            value: plan.totalInterest > 0 ? money(plan.totalInterest) : null,
          },
          { id: 'fees', name: t('plan.own.fees'), value: plan.totalFees > 0 ? money(plan.totalFees) : null },
          { id: 'total', name: t('plan.own.total'), value: money(plan.totalToPay) },
        ]}
      />
      {plan.totalCost === 0 && <p>{t('plan.own.free')}</p>}
    </div>
  )
}
