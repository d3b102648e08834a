import { isRestingFlag } from '@kvitt/domain/people/debtor-flag.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { t } from '../text.ts'
import type { ListedFlag } from './flag-calls.ts'

type Shown = Pick<ListedFlag, 'kind' | 'answer' | 'filedWith' | 'filedOn' | 'endedOn'>

/** How a flag stands, in words. */
export function stateText({ kind, answer, filedWith, filedOn, endedOn }: Shown): string {
  if (endedOn !== null) return t('flag.state.ended', { day: formatDay(endedOn) })
  if (!isRestingFlag(kind)) return t('flag.state.stands')
  if (answer === null) return t('flag.state.open')
  const state = t(`flag.state.${answer}`)
  if (answer !== 'FILED' || filedWith === null || filedOn === null) return state
  return `${state}: ${t(`flag.with.${filedWith}`)}, ${formatDay(filedOn)}`
}
