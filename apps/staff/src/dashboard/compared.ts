/** A figure beside the same of the days before, in words. */
import { decimalText } from '@kvitt/office/money-text.ts'
import { lengthOf } from '@kvitt/domain/dashboard/period.ts'
import { date } from '@kvitt/domain/calendar.ts'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { t } from '../text.ts'
import type { Dashboard } from './dashboard-calls.ts'

const TENTHS = 1000
/** From so many times as much on, a share of it says nothing. */
const MANY_TIMES = 3

/** "15,4 %" of a whole; "–" of nothing. */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return '–'
  const tenths = (Math.round((part / whole) * TENTHS) / 10).toFixed(1)
  return `${decimalText(tenths)}\u00a0%`
}

/** Of days that are all to come there is nothing to compare. */
const isToCome = ({ from, today }: Pick<Dashboard, 'from' | 'today'>): boolean => from > today

const daysOf = ({ from, to }: { from: string; to: string }): number =>
  lengthOf({ from: date(from), to: date(to) })

type Compared = Pick<Dashboard, 'before' | 'from' | 'today'>

/** How much more or less it is than in the days before; undefined of a period that is all to come. */
export function comparedText(now: number, was: number, data: Compared): string | undefined {
  if (isToCome(data)) return undefined
  const n = daysOf(data.before)
  if (was === 0) return now === 0 ? t('dashboard.none_either', { n }) : t('dashboard.none_before', { n })
  // What rounds to nothing is no difference that one could see.
  if (Math.round((Math.abs(now - was) / Math.abs(was)) * TENTHS) === 0) return t('dashboard.same', { n })
  if (was > 0 && now >= was * MANY_TIMES)
    return t('dashboard.times', { times: formatCount(Math.round(now / was)), n })
  const share = shareText(Math.abs(now - was), Math.abs(was))
  return now > was ? t('dashboard.more', { share, n }) : t('dashboard.less', { share, n })
}

/** What it was in the days before; undefined of a period that is all to come. */
export function wasText(value: string, data: Compared): string | undefined {
  return isToCome(data) ? undefined : t('dashboard.was', { value, n: daysOf(data.before) })
}

/** Of what is owed, the currency of most invoices and claims first. */
export function currenciesOwed({
  ageing,
  openClaims,
}: Pick<Dashboard, 'ageing' | 'openClaims'>): readonly string[] {
  const counts = new Map<string, number>()
  for (const { currency, count } of [...ageing, ...openClaims])
    counts.set(currency, (counts.get(currency) ?? 0) + count)
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([currency]) => currency)
}
