import type { MoneyMethod } from '@kvitt/domain/dashboard/dashboard.ts'
import { wholeText } from '../shell/chart-words.ts'
import { EndScroll } from '../shell/end-scroll.tsx'
import { t } from '../text.ts'
import css from './dashboard-page.module.css'

export type MoneyBar = {
  /** Its first day. */
  readonly start: string
  readonly name: string
  readonly parts: readonly { readonly method: MoneyMethod; readonly minor: number }[]
  readonly minor: number
}

const WIDTH = 556
const EDGE = 60
const HEIGHT = 180
const MOST_NAMES = 7
const SHARE_OF_STEP = 0.72
const WIDEST = 36

/** Stacked bars: a part for each method, in the order of the table. Whoever hears the page is told each bar on which something came. */
export function MoneyChart({
  bars,
  methods,
}: {
  bars: readonly MoneyBar[]
  methods: readonly MoneyMethod[]
}) {
  const most = Math.max(...bars.map(({ minor }) => minor), 1)
  const step = WIDTH / bars.length
  const last = bars.length - 1
  const each = Math.ceil(bars.length / MOST_NAMES)
  const told = bars
    .flatMap(({ name, minor }) => (minor === 0 ? [] : [`${name} ${wholeText(minor)}`]))
    .join(', ')
  return (
    <EndScroll>
      <svg
        className={css.chart}
        viewBox={`0 -12 ${WIDTH + EDGE} ${HEIGHT + 36}`}
        width={WIDTH + EDGE}
        height={HEIGHT + 36}
        role="img"
        aria-label={told === '' ? t('dashboard.empty') : told}
      >
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <path className={css.grid} d={`M0 ${HEIGHT * (1 - share)}H${WIDTH}`} />
            <text className={css.axis} x={WIDTH + 8} y={HEIGHT * (1 - share) + 4}>
              {wholeText(most * share)}
            </text>
          </g>
        ))}
        {bars.map((bar, at) => (
          <g key={bar.start} transform={`translate(${at * step + step / 2} 0)`}>
            <Stack bar={bar} methods={methods} most={most} width={Math.min(step * SHARE_OF_STEP, WIDEST)} />
            {(last - at) % each === 0 && (
              <text
                className={css.axis}
                x={at === 0 ? -step / 2 : at === last ? step / 2 : 0}
                y={HEIGHT + 17}
                textAnchor={at === 0 ? 'start' : at === last ? 'end' : 'middle'}
              >
                {bar.name}
              </text>
            )}
          </g>
        ))}
      </svg>
    </EndScroll>
  )
}

type StackProps = { bar: MoneyBar; methods: readonly MoneyMethod[]; most: number; width: number }

function Stack({ bar, methods, most, width }: StackProps) {
  const found = methods.flatMap((method) => {
    const minor = bar.parts.find((one) => one.method === method)?.minor ?? 0
    return minor > 0 ? [{ method, height: (minor / most) * HEIGHT }] : []
  })
  return (
    <>
      <title>{`${bar.name}: ${wholeText(bar.minor)}`}</title>
      {found.map(({ method, height }, at) => {
        const below = found.slice(0, at).reduce((all, one) => all + one.height, 0)
        return (
          <rect
            key={method}
            className={css.segment}
            data-method={method}
            x={-width / 2}
            y={HEIGHT - below - height}
            width={width}
            height={height}
          />
        )
      })}
    </>
  )
}
