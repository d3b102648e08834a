/** At which rate, on what and for which days an interest sum was counted (inkassolagen section 5), below the sum. */
import type { InterestPeriodAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { Fact } from '@kvitt/ui/values/fact-list.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { t } from '../text.ts'

type Interest = {
  readonly id: string
  /** Of the row, when it needs more than one period. */
  readonly name: string
  readonly minor: number
  readonly currency: string
  readonly periods: readonly InterestPeriodAnswer[]
  /** What the sum has besides its periods: of earlier days, and what was paid of it. */
  readonly rest: readonly (readonly [name: string, minor: number])[]
}

/** The sum, and below it each period with its share; a sum of one period says it all in its own row. */
export function interestFacts({ id, name, minor, currency, periods, rest }: Interest): Fact[] {
  const money = (of: number): string => formatMoney(of, currency, currentLanguage())
  const sum = { id, name, value: money(minor) }
  const others = rest.filter(([, of]) => of !== 0)
  const [only] = periods
  if (only && periods.length + others.length === 1) return [{ ...sum, note: periodText(only, currency) }]
  const parts = [
    ...periods.map((period) => [periodText(period, currency), minorOf(period.amount)] as const),
    ...others,
  ]
  if (periods.length === 0) return [sum]
  return [
    sum,
    ...parts.map(([part, of], index) => ({
      id: `${id} ${index}`,
      name: part,
      value: money(of),
      isPart: true,
    })),
  ]
}

/** "10,00 % a year on 1 000,00 kr, from 3 Mar to 30 Apr 2026 (59 days)". */
function periodText({ rate, from, to, days, principal }: InterestPeriodAnswer, currency: string): string {
  const language = currentLanguage()
  return t('calculation.interest_period', {
    rate: rate.replace('.', ','),
    base: formatMoney(minorOf(principal), currency, language),
    from: formatDay(from, from.slice(0, 4) === to.slice(0, 4) ? 'brief' : 'short'),
    to: formatDay(to, 'short'),
    n: days,
  })
}

/** What periods come to, in minor units. */
export function sumOfPeriods(periods: readonly InterestPeriodAnswer[]): number {
  return periods.reduce((all, { amount }) => all + minorOf(amount), 0)
}
