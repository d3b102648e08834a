import { Bar } from '@kvitt/office/frame/bar.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { useQuery } from '@tanstack/react-query'
import { Checklist, ChecklistBrief, hasBeenPaid } from '../onboarding/checklist.tsx'
import { onboardingQuery } from '../onboarding/onboarding-calls.ts'
import { useRight } from '../shell/me.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { deedOf } from '../tasks/task-groups.ts'
import { t } from '../text.ts'
import { Ageing } from './ageing.tsx'
import { currenciesOwed } from './compared.ts'
import { dashboardQuery, workNowQuery, type Dashboard } from './dashboard-calls.ts'
import css from './dashboard-page.module.css'
import { FilterBar } from './filter-bar.tsx'
import { filtersOf } from './filters.ts'
import { KeyFigures } from './key-figures.tsx'
import { MoneyIn } from './money-in.tsx'
import { Stages } from './stages.tsx'
import { Now } from './work-now.tsx'

/** What an operator looks at first: what came in, what is late, how far it went, and what waits; of all creditors or of one. */
export default function DashboardPage() {
  usePageName(t('view.dashboard'))
  const { query } = usePlace()
  const filters = filtersOf(query)
  const found = useQuery(dashboardQuery(filters))
  const now = useQuery(workNowQuery(filters.creditor))
  const { data } = found
  return (
    <>
      <Bar title={t('view.dashboard')} facts={data && formatDay(data.today, 'weekday')} />
      <FilterBar filters={filters} data={data} isFailed={found.isError} />
      <GetStarted />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={6} />}
      {data && <Figures data={data} isOld={found.isPlaceholderData} />}
      {now.isError && <BlockFailed error={now.error} onRetry={() => void now.refetch()} />}
      {now.isPending && <ListWaiting rows={4} />}
      {now.data && (
        <Now now={now.data} isOfOne={filters.creditor !== undefined} deedOf={(kind) => t(deedOf(kind))} />
      )}
    </>
  )
}

/** What a manager's provider still needs, until nothing is left of it; in a few words once an invoice has been paid. */
function GetStarted() {
  const may = useRight('provider')
  const { data } = useQuery({ ...onboardingQuery, enabled: may })
  if (!may || !data || data.isDone) return null
  return (
    <section className={css.started}>
      <h2>{t('view.onboarding')}</h2>
      {hasBeenPaid(data) ? (
        <ChecklistBrief onboarding={data} />
      ) : (
        <Checklist onboarding={data} heading="h3" />
      )}
      <p>
        <a href={hashOf({ view: 'onboarding' })}>{t('onboarding.whole')}</a>
      </p>
    </section>
  )
}

function Figures({ data, isOld }: { data: Dashboard; isOld: boolean }) {
  const { from, to } = data
  const days =
    from === to ? formatDay(from) : t('dashboard.days', { from: formatDay(from), to: formatDay(to) })
  const currencies = [
    ...new Set([...data.received, ...data.takenBack, ...data.refunded].map(({ currency }) => currency)),
  ]
  return (
    <div aria-busy={isOld} className={css.figures}>
      <p className={css.days}>{days}</p>
      <KeyFigures data={data} />
      {currencies.length === 0 && <p className={css.days}>{t('dashboard.empty')}</p>}
      {currencies.map((currency) => (
        <MoneyIn key={currency} data={data} currency={currency} />
      ))}
      <div className={css.parts}>
        {currenciesOwed(data).map((currency) => (
          <Ageing key={currency} data={data} currency={currency} />
        ))}
        <Stages data={data} />
      </div>
    </div>
  )
}
