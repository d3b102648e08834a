/** What the address of the dashboard says: of which days, and of whom. A link opens what its sender saw. */
import { PERIODS, type PeriodName } from '@kvitt/domain/dashboard/period.ts'
import { hashOf } from '@kvitt/office/place.ts'

/** Without a period and days it is this month; without a creditor it is all of them. */
export type Filters = {
  readonly period?: PeriodName
  readonly from?: string
  readonly to?: string
  readonly creditor?: string
}

const periodNamed = (text: string | undefined): PeriodName | undefined =>
  PERIODS.find((name) => name === text)

/** What of the address is for the server. Days go before a period by name, which the server would refuse beside them. */
export function filtersOf({ period, from, to, creditor }: Readonly<Record<string, string>>): Filters {
  const days = { ...(from ? { from } : {}), ...(to ? { to } : {}) }
  const name = periodNamed(period)
  const named = name && !from && !to ? { period: name } : {}
  return { ...days, ...named, ...(creditor ? { creditor } : {}) }
}

/** Which choice stands for them. */
export function choiceOf({ period, from, to }: Filters): PeriodName | 'own' {
  if (from ?? to) return 'own'
  return period ?? 'this_month'
}

/** Of the usual, which is this month of all, the address says nothing. */
export function addressOf(filters: Filters): string {
  const { period, ...rest } = filters
  return hashOf({ view: 'dashboard' }, { ...rest, period: period === 'this_month' ? undefined : period })
}
