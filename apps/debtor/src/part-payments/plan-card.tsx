import type { PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { ButtonLink } from '@kvitt/ui/components/button-link.tsx'
import { Button } from '@kvitt/ui/components/button.tsx'
import { FactList, type Fact } from '@kvitt/ui/values/fact-list.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { Tag } from '@kvitt/ui/components/tag.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { rememberOwn, type DebtKey } from '../session.ts'
import { planQuery } from '../debts/part-calls.ts'
import { DueTag } from '../debts/due-tag.tsx'
import { t, type MessageId } from '../text.ts'
import { invoiceHash } from '../views.ts'
import { EndPlan } from './end-plan.tsx'
import css from './plan-card.module.css'

type Instalment = PlanAnswer['instalments'][number]

type PlanCardProps = { debtKey: DebtKey; title: MessageId; today: string }

/** In the place of the payment methods: what is paid in parts, when each is due, and the way to those that are here. */
export default function PlanCard({ debtKey, title, today }: PlanCardProps) {
  const plan = useQuery(planQuery(debtKey))
  const { zip } = debtKey
  const instalments = plan.data?.instalments ?? []
  useEffect(() => {
    rememberOwn(
      instalments.flatMap((i) => (i.paymentReference ? [{ reference: i.paymentReference, zip }] : [])),
    )
  })
  return (
    <div className={css.card}>
      <h2 id="payment-heading" tabIndex={-1}>
        {t(title)}
      </h2>
      <p className={css.text}>
        {t('plan.part_invoices')}{' '}
        {plan.data && isYetToBegin(plan.data, today) && t('plan.first_part_invoice')}
      </p>
      {plan.data && <PayLate plan={plan.data} zip={zip} today={today} />}
      {plan.isPending && <Skeleton height={30} />}
      {plan.error && !plan.data && (
        <div role="alert">
          <p>{t('plan.load_failed')}</p>
          <Button look="text" onClick={() => void plan.refetch()}>
            {t('login.retry')}
          </Button>
        </div>
      )}
      {plan.data && (
        <ol className={css.list}>
          {instalments.map((instalment) => (
            <li key={instalment.number} className={css.row}>
              <span className={css.day}>{formatDay(instalment.dueDate)}</span>
              <span className={css.amount}>
                {formatMoney(minorOf(instalment.amount), plan.data.currency, currentLanguage())}
              </span>
              <span className={css.state}>
                <State instalment={instalment} zip={zip} />
              </span>
              {isLate(instalment, today) && (
                <span className={css.late}>
                  <DueTag expireDate={instalment.dueDate} today={today} />
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
      {plan.data && <ToCome plan={plan.data} />}
      {plan.data && <EndPlan debtKey={debtKey} plan={plan.data} />}
    </div>
  )
}

/** What is to be done first: the oldest part that is late is paid on its own invoice. */
function PayLate({ plan, zip, today }: { plan: PlanAnswer; zip: string; today: string }) {
  const late = plan.instalments.find((instalment) => isLate(instalment, today))
  if (!late?.paymentReference || !late.invoiceNumber) return null
  const { paymentReference: reference, invoiceNumber, balance } = late
  const amount = formatMoney(minorOf(balance ?? 0), plan.currency, currentLanguage())
  return (
    <ButtonLink wide href={invoiceHash({ reference, zip, invoiceNumber })}>
      {t('payment.pay_amount', { amount })}
    </ButtonLink>
  )
}

/** What the amount of the debt, which is what no part invoice has asked for yet, has to do with the instalments to come. */
function ToCome({ plan }: { plan: PlanAnswer }) {
  const left = plan.instalments.filter(({ invoiceNumber }) => invoiceNumber === null)
  if (left.length === 0) return null
  const sumOf = (part: 'amount' | 'principal' | 'interest' | 'fees') =>
    left.reduce((sum, instalment) => sum + minorOf(instalment[part]), 0)
  const fact = (id: MessageId, minor: number, sign = ''): Fact => ({
    id,
    name: t(id),
    value: sign + formatMoney(minor, plan.currency, currentLanguage()),
  })
  const added = [
    fact('plan.interest', sumOf('interest'), '+\u00a0'),
    fact('calculation.costs', sumOf('fees'), '+\u00a0'),
  ]
  return (
    <FactList
      facts={[
        fact('plan.not_billed', sumOf('principal')),
        ...added.filter(({ id }) => sumOf(id === 'plan.interest' ? 'interest' : 'fees') > 0),
        { ...fact('plan.to_come', sumOf('amount')), isTotal: true },
      ]}
    />
  )
}

/** Nothing has been asked for, and the day of the first part is still to come: while its debt rests it may have passed. */
const isYetToBegin = ({ status, instalments: [first] }: PlanAnswer, today: string): boolean =>
  status === 'ACTIVE' && first !== undefined && first.invoiceNumber === null && first.dueDate > today

/** Has it been asked for, and not been paid in time? */
const isLate = ({ balance, dueDate }: Instalment, today: string): boolean =>
  (balance ?? 0) > 0 && dueDate < today

function State({ instalment, zip }: { instalment: Instalment; zip: string }) {
  const { invoiceNumber, paymentReference, balance } = instalment
  if (!invoiceNumber || !paymentReference) return t('plan.not_sent')
  if (balance === 0) {
    return (
      <Tag tone="ok" icon="tick">
        {t('tag.paid')}
      </Tag>
    )
  }
  return (
    <a className={css.link} href={invoiceHash({ reference: paymentReference, zip, invoiceNumber })}>
      {t('dashboard.to_invoice')}
      <span className="spoken"> {invoiceNumber}</span>
    </a>
  )
}
