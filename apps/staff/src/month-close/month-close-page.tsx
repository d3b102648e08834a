import { Bar } from '@kvitt/office/frame/bar.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { hashOf } from '@kvitt/office/place.ts'
import { useQuery } from '@tanstack/react-query'
import { monthText } from '../shell/month-text.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { closingsQuery, type MonthClosings } from './month-close-calls.ts'
import css from './month-close.module.css'
import { MonthView } from './month-report.tsx'

/** Which months are closed, and what the one that comes next has to be in order for. */
export default function MonthClosePage({ id }: { id: string | undefined }) {
  usePageName(t('view.month-closings'))
  const found = useQuery(closingsQuery)
  const { data } = found
  const month = id || data?.open.at(-1) || data?.closed[0]?.month
  return (
    <>
      <Bar title={t('view.month-closings')} facts={month && monthText(month)} />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={6} />}
      {data && (
        <>
          <Months months={data} current={month} />
          {month === undefined ? (
            <NothingLeft title={t('month.none')} />
          ) : (
            <MonthView key={month} month={month} />
          )}
        </>
      )}
    </>
  )
}

function Months({ months, current }: { months: MonthClosings; current: string | undefined }) {
  const link = (month: string) => (
    <a href={hashOf({ view: 'month-closings', id: month })} aria-current={month === current || undefined}>
      {monthText(month)}
    </a>
  )
  return (
    <nav className={css.months} aria-label={t('month.all')}>
      <ul>
        {months.open.map((month) => (
          <li key={month}>
            {link(month)} <span className={css.quiet}>{t('month.open')}</span>
          </li>
        ))}
        {months.closed.map(({ month, closedBy, closedAt }) => (
          <li key={month}>
            {link(month)}{' '}
            <span className={css.quiet}>
              {t('month.closed_by', { name: closedBy, at: momentText(closedAt) })}
            </span>
          </li>
        ))}
      </ul>
    </nav>
  )
}
