import { Bar } from '@kvitt/office/frame/bar.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { Shown } from '../figures/shown.tsx'
import { Checklist } from '../onboarding/checklist.tsx'
import { onboardingQuery } from '../onboarding/onboarding-calls.ts'
import { useRight } from '../shell/me.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { deedOf } from '../tasks/task-groups.ts'
import { t } from '../text.ts'
import { dashboardQuery, type Dashboard } from './dashboard-calls.ts'
import css from './dashboard-page.module.css'

/** What an operator looks at first: what waits, what came in, what is late; of all creditors or of one. */
export default function DashboardPage() {
  usePageName(t('view.dashboard'))
  const { query } = usePlace()
  const creditor = query['creditor'] ?? ''
  const found = useQuery(dashboardQuery(creditor))
  const { data } = found
  return (
    <>
      <Bar
        title={t('view.dashboard')}
        facts={data && formatDay(data.today, 'weekday')}
        actions={
          data &&
          data.creditors.length > 1 && <CreditorChoice creditors={data.creditors} current={creditor} />
        }
      />
      <GetStarted />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={6} />}
      {data && data.invoices.length === 0 && (
        <>
          <NothingLeft title={t('figures.none')} />
          <Work dashboard={data} />
        </>
      )}
      {data && data.invoices.length > 0 && <Shown figures={data} beside={<Work dashboard={data} />} />}
    </>
  )
}

/** What a manager's provider still needs, until nothing is left of it. */
function GetStarted() {
  const may = useRight('provider')
  const { data } = useQuery({ ...onboardingQuery, enabled: may })
  if (!may || !data || data.isDone) return null
  return (
    <section className={css.started}>
      <h2>{t('view.onboarding')}</h2>
      <Checklist onboarding={data} />
      <p>
        <a href={hashOf({ view: 'onboarding' })}>{t('onboarding.whole')}</a>
      </p>
    </section>
  )
}

type ChoiceProps = { creditors: Dashboard['creditors']; current: string }

function CreditorChoice({ creditors, current }: ChoiceProps) {
  return (
    <select
      className={css.choice}
      aria-label={t('column.creditor')}
      value={current}
      onChange={({ target }) =>
        goTo(hashOf({ view: 'dashboard' }, { creditor: target.value || undefined }), { replace: true })
      }
    >
      <option value="">{t('dashboard.all_creditors')}</option>
      {creditors.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

function Work({ dashboard }: { dashboard: Dashboard }) {
  const { tasks, suspense, ageing, days } = dashboard
  const currencies = [...new Set([...days, ...ageing].map(({ currency }) => currency))]
  return (
    <div className={css.parts}>
      <section className={css.part}>
        <h2>{t('dashboard.waiting')}</h2>
        {tasks.length === 0 && <p>{t('dashboard.waiting_none')}</p>}
        <ul className={css.tasks}>
          {tasks.map(({ kind, count }) => (
            <li key={kind}>
              <a href={hashOf({ view: 'tasks' }, { tab: kind })}>{t(deedOf(kind))}</a>
              <span>{formatCount(count)}</span>
            </li>
          ))}
        </ul>
        {suspense.map(({ currency, count, amount }) => (
          <p key={currency}>
            {t('dashboard.suspense')}: {formatCount(count)} ·{' '}
            <Figure minor={minorOf(amount)} currency={currency} />
          </p>
        ))}
      </section>
      {currencies.map((currency) => (
        <Ways key={`ways ${currency}`} days={days} currency={currency} />
      ))}
      {currencies.map((currency) => (
        <Ageing key={`ageing ${currency}`} ageing={ageing} currency={currency} />
      ))}
    </div>
  )
}

const WAYS = ['GATEWAY', 'BANK', 'DIRECT'] as const

/** What came in by each way. */
function Ways({ days, currency }: { days: Dashboard['days']; currency: string }) {
  const rows = WAYS.flatMap((way) => {
    const own = days.filter((one) => one.currency === currency && one.way === way)
    if (own.length === 0) return []
    const minor = own.reduce((all, { amount }) => all + minorOf(amount), 0)
    return [{ way, minor, count: own.reduce((all, { count }) => all + count, 0) }]
  })
  const sum = rows.reduce((all, { minor }) => all + minor, 0)
  if (rows.length === 0) return null
  return (
    <section className={css.part}>
      <h2>{t('dashboard.ways', { currency })}</h2>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t('payment.way')}</th>
            <th scope="col">{t('dashboard.payments')}</th>
            <th scope="col">{t('act.amount')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ way, count, minor }) => (
            <tr key={way}>
              <th scope="row">{t(`payment.way.${way}`)}</th>
              <td>{formatCount(count)}</td>
              <td>
                <Figure minor={minor} currency={currency} isBare />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('figures.sum')}</th>
            <td>{formatCount(rows.reduce((all, { count }) => all + count, 0))}</td>
            <td>
              <Figure minor={sum} currency={currency} isBare />
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

/** Open balances by how late they are. The bar says nothing that the figure beside it does not. */
function Ageing({ ageing, currency }: { ageing: Dashboard['ageing']; currency: string }) {
  const rows = ageing.filter((one) => one.currency === currency)
  const most = Math.max(...rows.map(({ balance }) => minorOf(balance)), 1)
  if (rows.length === 0) return null
  return (
    <section className={css.part}>
      <h2>{t('dashboard.ageing', { currency })}</h2>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t('invoice.due')}</th>
            <td aria-hidden="true" />
            <th scope="col">{t('figures.count')}</th>
            <th scope="col">{t('invoice.balance')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ bucket, count, balance }) => (
            <tr key={bucket}>
              <th scope="row">{t(`dashboard.${bucket}`)}</th>
              <td aria-hidden="true" className={css.track}>
                <svg viewBox="0 0 100 10" preserveAspectRatio="none" className={css.bar}>
                  <rect width={(minorOf(balance) / most) * 100} height="10" />
                </svg>
              </td>
              <td>{formatCount(count)}</td>
              <td>
                <Figure minor={minorOf(balance)} currency={currency} isBare />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
