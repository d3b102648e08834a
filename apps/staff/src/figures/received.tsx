import { Figure } from '@kvitt/office/parts/figure.tsx'
import { monthName, wholeText } from '../shell/chart-words.ts'
import { Switched } from '../shell/switched.tsx'
import { EndScroll } from '../shell/end-scroll.tsx'
import { t } from '../text.ts'
import type { Month } from './months.ts'
import css from './received.module.css'

const WIDTH = 720
const HEIGHT = 160
const BAR = 36

/** What came in, as a chart and as the same in a table. */
export function Received({ months, currency }: { months: readonly Month[]; currency: string }) {
  return (
    <Switched
      name="figures"
      title={t('figures.received', { currency })}
      chart={<Chart months={months} />}
      table={<MonthTable months={months} currency={currency} />}
    />
  )
}

/** Bars with their totals on top. Whoever hears the page is told each of them. */
function Chart({ months }: { months: readonly Month[] }) {
  const most = Math.max(...months.map(({ minor }) => minor), 1)
  const step = WIDTH / months.length
  const told = months.map(({ month, minor }) => `${monthName(month)} ${wholeText(minor)}`).join(', ')
  return (
    <EndScroll>
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
    </EndScroll>
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
