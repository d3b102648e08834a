import type { Column } from '@kvitt/office/list/data-table.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { ListView } from '@kvitt/office/list/list-view.tsx'
import { useListState } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { balanceColumn, creditorColumns } from '../debts/columns.tsx'
import { todayQuery } from '../shell/today.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import {
  fetchReceivables,
  receivablesQuery,
  sumsQuery,
  tabOf,
  TABS,
  type OwedSum,
  type Receivable,
} from './receivables-calls.ts'
import css from './receivables.module.css'

const columns = (): readonly Column<Receivable>[] => [
  {
    id: 'number',
    head: t('receivables.debt'),
    orderBy: 'number',
    inRow: 'title',
    cell: ({ type, number }) =>
      t(type === 'invoices' ? 'receivables.invoice' : 'receivables.claim', { number }),
  },
  {
    id: 'debtor',
    head: t('invoice.debtor'),
    orderBy: 'debtor.name',
    inRow: 'below',
    cell: ({ debtor }) => debtor.name ?? '–',
  },
  ...creditorColumns<Receivable>(),
  {
    id: 'due',
    head: t('receivables.due'),
    orderBy: 'dueOn',
    inRow: 'below',
    cell: ({ dueOn }) => formatDay(dueOn),
  },
  {
    id: 'late',
    head: t('receivables.late'),
    align: 'end',
    look: 'quiet',
    cell: ({ daysLate }) => String(daysLate),
  },
  {
    id: 'costs',
    head: t('receivables.costs'),
    align: 'end',
    look: 'quiet',
    cell: ({ costs, currency }) => <Figure minor={minorOf(costs)} currency={currency} isBare />,
  },
  {
    id: 'interest',
    head: t('receivables.interest'),
    align: 'end',
    look: 'quiet',
    cell: ({ interest, currency }) => <Figure minor={minorOf(interest)} currency={currency} isBare />,
  },
  balanceColumn(({ total, currency }) => ({ balance: total, currency }), 'total'),
]

/** What debtors owed at the end of a day, by the books, and what it comes to. */
export default function ReceivablesPage() {
  usePageName(t('view.receivables'))
  const today = useQuery(todayQuery).data
  const { query } = usePlace()
  const [chosen, setChosen] = useState(query['day'])
  const day = chosen ?? today
  if (day === undefined) return <ListWaiting />
  return <OfDay day={day} today={today ?? day} onDay={setChosen} />
}

type OfDayProps = { day: string; today: string; onDay: (day: string) => void }

function OfDay({ day, today, onDay }: OfDayProps) {
  const state = useListState()
  const found = useQuery(receivablesQuery(state.query, day))
  return (
    <ListView
      title={t('view.receivables')}
      none={t('receivables.none')}
      placeholder={t('invoices.search')}
      tabs={TABS.map((id) => ({ id, text: t(id === 'all' ? 'receivables.all' : `dashboard.${id}`) }))}
      tab={tabOf(state.query.tab)}
      state={state}
      found={found}
      fetchList={fetchReceivables(state.query, day)}
      columns={columns()}
      idOf={({ id }) => id}
      hrefOf={({ type, id }) => hashOf({ view: type === 'invoices' ? 'invoices' : 'claims', id })}
      nameOf={({ number }) => number}
      actions={<ChosenDay day={day} today={today} onDay={onDay} />}
      lead={<Sums day={day} />}
    />
  )
}

function ChosenDay({ day, today, onDay }: OfDayProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <input
      className={css.day}
      type="date"
      aria-label={t('receivables.day')}
      max={today}
      value={typed ?? day}
      onChange={({ target: { value } }) => {
        setTyped(value)
        // A year that is being typed begins with noughts.
        if (value >= '2000') onDay(value)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}

function Sums({ day }: { day: string }) {
  const found = useQuery(sumsQuery(day))
  if (found.isError) return <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
  return (
    <section className={css.sums} aria-label={t('receivables.sums', { day: formatDay(day) })}>
      <p className={css.quiet}>{t('receivables.text')}</p>
      {found.data?.sums.map((sum) => (
        <Sum key={sum.currency} sum={sum} day={day} />
      ))}
    </section>
  )
}

function Sum({ sum, day }: { sum: OwedSum; day: string }) {
  const { currency, total, principal, costs, interest, ages, kept, agrees } = sum
  const money = (amount: number) => <Figure minor={minorOf(amount)} currency={currency} />
  return (
    <div className={css.sum}>
      <h2>
        {t('receivables.sums', { day: formatDay(day) })}: {money(total)}
      </h2>
      <dl className={css.parts}>
        <Part name={t('receivables.principal')} value={money(principal)} />
        <Part name={t('receivables.costs')} value={money(costs)} />
        <Part name={t('receivables.interest')} value={money(interest)} />
        {ages
          .filter(({ count }) => count > 0)
          .map(({ bucket, count, total: late }) => (
            <Part key={bucket} name={`${t(`dashboard.${bucket}`)} (${count})`} value={money(late)} />
          ))}
      </dl>
      {agrees ? (
        <p className={css.quiet}>{t('receivables.agrees')}</p>
      ) : (
        <p className={css.bad}>
          {t('receivables.differs')} {money(kept)}
        </p>
      )}
    </div>
  )
}

const Part = ({ name, value }: { name: string; value: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
