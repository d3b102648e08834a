import { Bar } from '@kvitt/office/frame/bar.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { Facts } from '../shell/facts.tsx'
import { Hero } from '../shell/hero.tsx'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { planQuery, type Plan } from './plan-calls.ts'
import { PlanChip } from './plan-chips.tsx'
import css from './plan-page.module.css'
import { Schedule } from './schedule.tsx'

/** One part payment: what is left, whose it is, what it pays, and each instalment. */
export default function PlanPage({ id }: { id: string }) {
  const found = useQuery(planQuery(id))
  const plan = found.data
  const title = plan ? `${t('plan.plan')} ${plan.number}` : t('plan.plan')
  usePageName(title)
  useKeys({ Escape: () => goTo(hashOf({ view: 'plans' })) })
  const crumb = { href: hashOf({ view: 'plans' }), text: t('view.plans') }
  if (!plan) {
    return (
      <>
        <Bar title={title} crumb={crumb} />
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting />
        )}
      </>
    )
  }
  const { left, currency, missed } = plan
  return (
    <>
      <Bar title={title} crumb={crumb} chip={<PlanChip status={plan.status} />} />
      <Hero
        label={t('plan.left_to_pay')}
        minor={minorOf(left)}
        currency={currency}
        note={missed > 0 && t('plan.missed_text', { count: missed })}
      >
        <PlanFacts plan={plan} />
      </Hero>
      <Schedule plan={plan} />
      <section className={css.part}>
        <h2>{t('plan.terms')}</h2>
        <Terms plan={plan} />
      </section>
    </>
  )
}

function PlanFacts({ plan }: { plan: Plan }) {
  const { debtor, debts, late, currency, instalments, nextDue, startedOn, endedOn } = plan
  const lateMinor = minorOf(late)
  return (
    <Facts
      rows={[
        {
          id: 'debtor',
          name: t('invoice.debtor'),
          value: <a href={hashOf({ view: 'debtors', id: debtor.id })}>{debtor.name}</a>,
        },
        { id: 'debts', name: t('plan.debts'), value: <Debts debts={debts} /> },
        {
          id: 'late',
          name: t('plan.late'),
          value: lateMinor > 0 ? <Figure minor={lateMinor} currency={currency} /> : null,
        },
        { id: 'next', name: t('plan.next_due'), value: nextDue && formatDay(nextDue) },
        {
          id: 'paid',
          name: t('plan.paid'),
          value: t('plan.paid_of', { paid: instalments.paid, count: plan.schedule.length }),
        },
        { id: 'started', name: t('plan.started_on'), value: formatDay(startedOn) },
        { id: 'ended', name: t('plan.ended_on'), value: endedOn && formatDay(endedOn) },
      ]}
    />
  )
}

function Debts({ debts }: Pick<Plan, 'debts'>) {
  return (
    <ul className={css.debts}>
      {debts.map(({ type, id, number }) => (
        <li key={id}>
          <a href={hashOf({ view: type === 'invoices' ? 'invoices' : 'claims', id })}>
            {t(type === 'invoices' ? 'dispute.of_invoice' : 'dispute.of_claim', { number })}
          </a>
        </li>
      ))}
    </ul>
  )
}

function Terms({ plan: { terms, credit, currency } }: { plan: Plan }) {
  const { months, percent, startFee, monthlyFee } = terms
  const money = (amount: number) => <Figure minor={minorOf(amount)} currency={currency} />
  return (
    <Facts
      rows={[
        { id: 'credit', name: t('plan.credit'), value: money(credit) },
        {
          id: 'months',
          name: t('plan.duration'),
          value: months === null ? t('plan.terms.account') : t('plan.terms.months', { count: months }),
        },
        {
          id: 'percent',
          name: t('plan.percent'),
          value: `${percent.toLocaleString(currentLanguage(), { minimumFractionDigits: 2 })} %`,
        },
        { id: 'start', name: t('plan.start_fee'), value: money(startFee) },
        { id: 'monthly', name: t('plan.monthly_fee'), value: money(monthlyFee) },
      ]}
    />
  )
}
