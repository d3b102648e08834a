import { date } from '@kvitt/domain/calendar.ts'
import { MONEY_METHODS, type MoneyMethod } from '@kvitt/domain/dashboard/dashboard.ts'
import { barsOf } from '@kvitt/domain/dashboard/period.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { monthName } from '../shell/chart-words.ts'
import { Switched } from '../shell/switched.tsx'
import { t } from '../text.ts'
import { shareText } from './compared.ts'
import type { Dashboard } from './dashboard-calls.ts'
import css from './dashboard-page.module.css'
import { MoneyChart, type MoneyBar } from './money-chart.tsx'

type MoneyInProps = { data: Dashboard; currency: string }

/** Each day or month of the period has its place, also one on which nothing came. */
function barsIn({ from, to, unit, money }: Dashboard, currency: string): readonly MoneyBar[] {
  const rows = money.filter((one) => one.currency === currency)
  return barsOf({ from: date(from), to: date(to) }, unit).map((start) => {
    const own = rows.filter((one) => one.start === start)
    const parts = own.map(({ method, amount }) => ({ method, minor: minorOf(amount) }))
    return {
      start,
      name:
        unit === 'DAY' ? formatDay(start, 'brief') : `${monthName(start.slice(0, 7))} ${start.slice(0, 4)}`,
      parts,
      minor: parts.reduce((all, { minor }) => all + minor, 0),
    }
  })
}

/** What came in by day and by method, and what of it was taken back or sent back. */
export function MoneyIn({ data, currency }: MoneyInProps) {
  const bars = barsIn(data, currency)
  const methods = MONEY_METHODS.filter((method) =>
    data.money.some((one) => one.currency === currency && one.method === method),
  )
  const title = t(data.unit === 'DAY' ? 'dashboard.money_by_day' : 'dashboard.money_by_month', { currency })
  return (
    <div className={css.money}>
      <Switched
        name="money"
        title={title}
        chart={<MoneyChart bars={bars} methods={methods} />}
        table={<BarTable bars={bars} methods={methods} currency={currency} unit={data.unit} />}
      />
      <ByMethod data={data} currency={currency} methods={methods} />
    </div>
  )
}

type BarTableProps = {
  bars: readonly MoneyBar[]
  methods: readonly MoneyMethod[]
  currency: string
  unit: Dashboard['unit']
}

/** The days on which something came. */
function BarTable({ bars, methods, currency, unit }: BarTableProps) {
  const found = bars.filter(({ parts }) => parts.length > 0)
  const title = t('figures.table')
  if (found.length === 0) return <p>{t('dashboard.empty')}</p>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keys
    <div className={css.scroll} tabIndex={0} role="group" aria-label={title}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t(unit === 'DAY' ? 'dashboard.day' : 'figures.month')}</th>
            {methods.map((method) => (
              <th key={method} scope="col">
                {t(`dashboard.method.${method}`)}
              </th>
            ))}
            <th scope="col">{t('figures.sum')}</th>
          </tr>
        </thead>
        <tbody>
          {found.map(({ start, name, parts, minor }) => (
            <tr key={start}>
              <th scope="row">{name}</th>
              {methods.map((method) => (
                <td key={method}>
                  <Figure
                    minor={parts.find((one) => one.method === method)?.minor ?? 0}
                    currency={currency}
                    isBare
                  />
                </td>
              ))}
              <td>
                <Figure minor={minor} currency={currency} isBare />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ByMethod({ data, currency, methods }: MoneyInProps & { methods: readonly MoneyMethod[] }) {
  const rows = methods.map((method) => {
    const own = data.money.filter((one) => one.currency === currency && one.method === method)
    return {
      method,
      count: own.reduce((all, one) => all + one.count, 0),
      minor: own.reduce((all, { amount }) => all + minorOf(amount), 0),
    }
  })
  const sum = rows.reduce((all, { minor }) => all + minor, 0)
  const less = (['takenBack', 'refunded'] as const).flatMap((name) => {
    const found = data[name].find((one) => one.currency === currency)
    return found ? [{ name, count: found.count, minor: minorOf(found.amount) }] : []
  })
  const left = less.reduce((all, { minor }) => all - minor, sum)
  return (
    <section className={css.part} aria-label={t('dashboard.methods', { currency })}>
      <h2>{t('dashboard.methods', { currency })}</h2>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t('dashboard.method')}</th>
            <th scope="col">{t('dashboard.payments')}</th>
            <th scope="col">{t('dashboard.share')}</th>
            <th scope="col">{t('act.amount')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ method, count, minor }) => (
            <Row
              key={method}
              name={t(`dashboard.method.${method}`)}
              count={count}
              currency={currency}
              minor={minor}
              share={shareText(minor, sum)}
              swatch={method}
            />
          ))}
          {less.map(({ name, count, minor }) => (
            <Row
              key={name}
              name={t(`dashboard.${name}`)}
              count={count}
              currency={currency}
              minor={-minor}
              share=""
            />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t(less.length > 0 ? 'dashboard.kept_of_it' : 'figures.sum')}</th>
            <td>{formatCount(rows.reduce((all, { count }) => all + count, 0))}</td>
            <td />
            <td>
              <Figure minor={left} currency={currency} isBare />
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

type RowProps = {
  name: string
  count: number
  share: string
  minor: number
  currency: string
  swatch?: MoneyMethod
}

function Row({ name, count, share, minor, currency, swatch }: RowProps) {
  return (
    <tr>
      <th scope="row">
        {swatch && <span aria-hidden="true" className={css.swatch} data-method={swatch} />}
        {name}
      </th>
      <td>{formatCount(count)}</td>
      <td>{share}</td>
      <td>
        <Figure minor={minor} currency={currency} isBare />
      </td>
    </tr>
  )
}
