/** What stands in a chart, where there is little room. */
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { groupThousands } from '@kvitt/ui/money-text.ts'
import { t } from '../text.ts'

const PER_UNIT = 100

/** @param month "2026-11" and whatever follows */
export const monthName = (month: string): string =>
  t('day.months_short').split(' ')[Number(month.slice(5, 7)) - 1] ?? month

/** Whole units: what stands on a bar has no room for more. */
export const wholeText = (minor: number): string =>
  `${minor < 0 ? '−' : ''}${groupThousands(String(Math.round(Math.abs(minor) / PER_UNIT)), currentLanguage())}`
