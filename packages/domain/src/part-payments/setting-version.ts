/** A version of a setting: what a plan or an account is offered on from a day on, as a person writes it. A version is never changed. */
import { addDays, parseDate, type CalendarDate } from '../calendar.ts'
import { amountText, isCurrency, parseAmount } from '../money.ts'
import { hundredthsOf } from '../collection/country-params.ts'
import type { PlanSetting } from './offer.ts'
import { OWN_PLAN } from './own-plan.ts'
import type { PlanVariant } from './part-payment.ts'

/** The settings of one view: what is paid in a number of months, and what lasts until it is paid off. */
export const SETTING_FAMILIES = {
  plans: ['PART_PAYMENT', 'ONGOING_PAYMENT'],
  accounts: ['PART_PAYMENT_ACCOUNT'],
} as const satisfies Readonly<Record<string, readonly PlanVariant[]>>
export type SettingFamily = keyof typeof SETTING_FAMILIES

/** `ENDED`: begun, and takes the code off the list. `REPLACED`: another version of the same day holds instead. */
export const VERSION_STATES = ['IN_FORCE', 'ENDED', 'COMING', 'PAST', 'REPLACED'] as const
export type VersionState = (typeof VERSION_STATES)[number]

/** Amounts are decimal text of the currency, percentages decimal text. */
export type WrittenSetting = {
  readonly code: string
  readonly variant: PlanVariant
  readonly currency: string
  readonly months: number | null
  readonly startFee: string
  readonly monthlyFee: string
  readonly percent: string
  readonly interestFreeDays: number
  readonly termsDays: number
  readonly thresholdPercent: string | null
  readonly addToExisting: boolean
  readonly legalVisible: boolean
  readonly termsVisible: boolean
  readonly smallestBalance: string
  readonly isOffered: boolean
  /** The first day on which it is offered. */
  readonly from: string
}

/** What each number may be, as it is written. What is beyond is a slip of the hand. */
export const SETTING_LIMITS = {
  months: { least: '1', most: '120' },
  startFee: { least: '0.00', most: '99999.99' },
  monthlyFee: { least: '0.00', most: '99999.99' },
  percent: { least: '0.00', most: '100.00' },
  interestFreeDays: { least: '0', most: '365' },
  termsDays: { least: '1', most: '28' },
  thresholdPercent: { least: '1.00', most: '100.00' },
  smallestBalance: { least: '0.01', most: '9999999.99' },
} as const
export type LimitedField = keyof typeof SETTING_LIMITS

/** As far ahead as a version may begin, in days. */
export const FARTHEST_DAYS = 366

const isWithin = (value: number, { least, most }: { least: string; most: string }, scale: number): boolean =>
  Number.isInteger(value) && value >= Number(least) * scale && value <= Math.round(Number(most) * scale)

/** Minor units; undefined outside the field's limits. */
function amountOf(
  text: string,
  field: 'startFee' | 'monthlyFee' | 'smallestBalance',
  currency: string,
): number | undefined {
  const read = isCurrency(currency) ? parseAmount(text, currency) : undefined
  return read && isWithin(read.minor, SETTING_LIMITS[field], 100) ? read.minor : undefined
}

/** With two decimals at most, and a point; undefined outside the field's limits. */
function percentOf(text: string, field: 'percent' | 'thresholdPercent'): string | undefined {
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(text)) return undefined
  const hundredths = hundredthsOf(text)
  return isWithin(hundredths, SETTING_LIMITS[field], 100) ? amountText(hundredths) : undefined
}

/** The terms without the row's own identifier. */
export type SettingTerms = Omit<PlanSetting, 'id' | 'monthlyMinor' | 'firstInDays'>

/** As offers are made of it, or the first field that cannot stand. */
export function readWritten(written: WrittenSetting): SettingTerms | { readonly field: string } {
  const { code, variant, currency, months, interestFreeDays, termsDays } = written
  const isAccount = variant === 'PART_PAYMENT_ACCOUNT'
  // A plan of the debtor's own is called so, whatever the provider offers.
  if (!/^[A-Z0-9_]{1,40}$/.test(code) || code === OWN_PLAN) return { field: 'code' }
  if (!isCurrency(currency)) return { field: 'currency' }
  if (isAccount ? months !== null : months === null || !isWithin(months, SETTING_LIMITS.months, 1))
    return { field: 'months' }
  const startFeeMinor = amountOf(written.startFee, 'startFee', currency)
  if (startFeeMinor === undefined) return { field: 'startFee' }
  const monthlyFeeMinor = amountOf(written.monthlyFee, 'monthlyFee', currency)
  if (monthlyFeeMinor === undefined) return { field: 'monthlyFee' }
  const percent = percentOf(written.percent, 'percent')
  // An ongoing payment has no interest, and so none that could wait.
  const isFree = variant === 'ONGOING_PAYMENT'
  if (percent === undefined || (isFree && Number(percent) !== 0)) return { field: 'percent' }
  if (!isWithin(interestFreeDays, SETTING_LIMITS.interestFreeDays, 1) || (isFree && interestFreeDays !== 0))
    return { field: 'interestFreeDays' }
  if (!isWithin(termsDays, SETTING_LIMITS.termsDays, 1)) return { field: 'termsDays' }
  const threshold = written.thresholdPercent
  const thresholdPercent = threshold === null ? null : percentOf(threshold, 'thresholdPercent')
  if (thresholdPercent === undefined || isAccount === (thresholdPercent === null))
    return { field: 'thresholdPercent' }
  if (written.addToExisting && !isAccount) return { field: 'addToExisting' }
  const smallestBalanceMinor = amountOf(written.smallestBalance, 'smallestBalance', currency)
  if (smallestBalanceMinor === undefined) return { field: 'smallestBalance' }
  const { addToExisting, legalVisible, termsVisible } = written
  return {
    code, variant, currency, months, startFeeMinor, monthlyFeeMinor, percent, interestFreeDays, termsDays, thresholdPercent,
    addToExisting, legalVisible, termsVisible, smallestBalanceMinor,
  } // biome-ignore format: in the order of the fields
}

/** As a version that is there has it, which may be older than the limits. */
export function termsOf({ isOffered: _, from: __, ...written }: WrittenSetting): SettingTerms {
  const minor = (text: string): number =>
    (isCurrency(written.currency) ? parseAmount(text, written.currency)?.minor : undefined) ?? 0
  const { startFee, monthlyFee, smallestBalance, ...terms } = written
  return {
    ...terms,
    startFeeMinor: minor(startFee),
    monthlyFeeMinor: minor(monthlyFee),
    smallestBalanceMinor: minor(smallestBalance),
  }
}

/** The same as it is written: two decimals everywhere. */
export function writtenOf(
  setting: SettingTerms,
  { from, isOffered }: { readonly from: string; readonly isOffered: boolean },
): WrittenSetting {
  const { startFeeMinor, monthlyFeeMinor, smallestBalanceMinor, thresholdPercent } = setting
  return {
    code: setting.code,
    variant: setting.variant,
    currency: setting.currency,
    months: setting.months,
    startFee: amountText(startFeeMinor),
    monthlyFee: amountText(monthlyFeeMinor),
    percent: amountText(hundredthsOf(setting.percent)),
    interestFreeDays: setting.interestFreeDays,
    termsDays: setting.termsDays,
    thresholdPercent: thresholdPercent === null ? null : amountText(hundredthsOf(thresholdPercent)),
    addToExisting: setting.addToExisting,
    legalVisible: setting.legalVisible,
    termsVisible: setting.termsVisible,
    smallestBalance: amountText(smallestBalanceMinor),
    isOffered,
    from,
  }
}

/** May a version begin then? Not in the past: what was offered on a day stays what was offered. */
export function isStartDay(from: string, today: CalendarDate): boolean {
  return parseDate(from) !== undefined && from >= today && from <= addDays(today, FARTHEST_DAYS)
}

/** Is the second offered on the same terms as the first? The first day is none of them. */
export function isSameOffer(a: WrittenSetting, b: WrittenSetting): boolean {
  if (!a.isOffered && !b.isOffered) return true
  const keys = (Object.keys(a) as (keyof WrittenSetting)[]).filter((key) => key !== 'from')
  return keys.every((key) => a[key] === b[key])
}

type Dated = { readonly from: string; readonly isOffered: boolean }

/**
 * What becomes of the versions of one code of one owner on `today`. They come in the order in which they count: by their first day, and
 * of one day in the order in which they were agreed to.
 */
export function versionStates(versions: readonly Dated[], today: CalendarDate): VersionState[] {
  const current = versions.findLastIndex(({ from }) => from <= today)
  return versions.map(({ from, isOffered }, index) => {
    if (versions[index + 1]?.from === from) return 'REPLACED'
    if (from > today) return 'COMING'
    if (index !== current) return 'PAST'
    return isOffered ? 'IN_FORCE' : 'ENDED'
  })
}

/** `from` as a day of the calendar; today where it is none yet, as in a form that is being written. */
export function startOr(from: string, today: CalendarDate): CalendarDate {
  return isStartDay(from, today) ? (parseDate(from) ?? today) : today
}
