import { Figure } from '@kvitt/office/parts/figure.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { groupThousands } from '@kvitt/ui/money-text.ts'
import { useState } from 'react'
import { t } from '../text.ts'
import type { Month } from './months.ts'
import css from './received.module.css'

const KEPT = 'figures_as_table'
const WIDTH = 720
const HEIGHT = 160
const BAR = 36
const PER_UNIT = 100

const monthName = (month: string): string =>
  t('day.months_short').split(' ')[Number(month.slice(5)) - 1] ?? month

/** What came in, as a chart and as the same in a table; which of them is remembered. */
export function Received({ months, currency }: { months: readonly Month[]; currency: string }) {
  const [isTable, setTable] = useState(() => localStorage.getItem(KEPT) !== null)
  const show = (asTable: boolean) => {
    if (asTable) localStorage.setItem(KEPT, 'true')
    else localStorage.removeItem(KEPT)
    setTable(asTable)
  }
  return (
    <section className={css.part}>
      <header className={css.head}>
        <h2>{t('figures.received', { currency })}</h2>
        <div className={css.switch} role="group" aria-label={t('figures.shown_as')}>
          <button type="button" aria-pressed={!isTable} onClick={() => show(false)}>
            {t('figures.chart')}
          </button>
          <button type="button" aria-pressed={isTable} onClick={() => show(true)}>
            {t('figures.table')}
          </button>
        </div>
      </header>
      {isTable ? <MonthTable months={months} currency={currency} /> : <Chart months={months} />}
    </section>
  )
}

/** Whole units: what stands on a bar has no room for more. */
const wholeText = (minor: number): string =>
  `${minor < 0 ? '−' : ''}${groupThousands(String(Math.round(Math.abs(minor) / PER_UNIT)), currentLanguage())}`

/** Bars with their totals on top. Whoever hears the page is told each of them. */
function Chart({ months }: { months: readonly Month[] }) {
  const most = Math.max(...months.map(({ minor }) => minor), 1)
  const step = WIDTH / months.length
  const told = months.map(({ month, minor }) => `${monthName(month)} ${wholeText(minor)}`).join(', ')
  return (
    <div
      className={css.scroll}
      // The last month is what one looks at first; the keys reach the others.
      ref={(box) => {
        if (box) box.scrollLeft = box.scrollWidth
      }}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keys
      tabIndex={0}
      role="group"
      aria-label={t('figures.chart')}
    >
      <svg
        className={css.chart}
        viewBox={`0 -20 ${WIDTH} ${HEIGHT + 44}`}
        role="img"
        aria-label={told}
        width={WIDTH}
        height={HEIGHT + 44}
      >
        <path className={css.base} d={`M0 ${HEIGHT}H${WIDTH}`} />
        {months.map(({ month, minor }, at) => {
          const height = (Math.max(minor, 0) / most) * HEIGHT
          const middle = at * step + step / 2
          return (
            <g key={month}>
              <rect
                className={css.bar}
                x={middle - BAR / 2}
                y={HEIGHT - height}
                width={BAR}
                height={height}
              />
              {minor !== 0 && (
                <text className={css.total} x={middle} y={HEIGHT - height - 6} textAnchor="middle">
                  {wholeText(minor)}
                </text>
              )}
              <text className={css.axis} x={middle} y={HEIGHT + 17} textAnchor="middle">
                {monthName(month)}
              </text>
            </g>
          )
        })}
      </svg>
    </div>
  )
}

function MonthTable({ months, currency }: { months: readonly Month[]; currency: string }) {
  const sum = months.reduce((all, { minor }) => all + minor, 0)
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">{t('figures.month')}</th>
          <th scope="col">{t('figures.amount', { currency })}</th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, minor }) => (
          <tr key={month}>
            <th scope="row">{`${monthName(month)} ${month.slice(0, 4)}`}</th>
            <td>
              <Figure minor={minor} currency={currency} isBare />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('figures.sum')}</th>
          <td>
            <span className={css.sum}>
              <Figure minor={sum} currency={currency} isBare />
            </span>
          </td>
        </tr>
      </tfoot>
    </table>
  )
}
