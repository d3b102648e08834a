/** The fields of new terms, and what they come to. */
import { addDays, date } from '@kvitt/domain/calendar.ts'
import {
  SETTING_LIMITS,
  FARTHEST_DAYS,
  type LimitedField,
  type SettingFamily,
  type WrittenSetting,
} from '@kvitt/domain/part-payments/setting-version.ts'
import type { FieldSpec } from '@kvitt/office/form/use-fields.ts'
import { decimalOf } from '../shell/offers/decimal-of.ts'
import { t } from '../text.ts'
import type { NewVersion, Settings, Version } from './setting-calls.ts'

export type Values = Readonly<Record<string, string>>

/** As the form begins: the terms that a new version begins with, from tomorrow on. */
export function initialValues(
  family: SettingFamily,
  { today }: Pick<Settings, 'today'>,
  from: { readonly terms: WrittenSetting; readonly creditorId: string } | undefined,
): Values {
  const isAccount = family === 'accounts'
  const terms: WrittenSetting = from?.terms ?? {
    code: '',
    variant: isAccount ? 'PART_PAYMENT_ACCOUNT' : 'PART_PAYMENT',
    currency: 'SEK',
    months: isAccount ? null : 12,
    startFee: '0.00',
    monthlyFee: '0.00',
    percent: '0.00',
    interestFreeDays: 0,
    termsDays: 14,
    thresholdPercent: isAccount ? '10.00' : null,
    addToExisting: isAccount,
    legalVisible: true,
    termsVisible: true,
    smallestBalance: '300.00',
    isOffered: true,
    from: '',
  }
  const ticks = (['addToExisting', 'legalVisible', 'termsVisible'] as const).filter((name) => terms[name])
  return {
    ...Object.fromEntries(
      Object.entries(terms).map(([name, value]) => [name, value === null ? '' : String(value)]),
    ),
    ticks: ticks.join(' '),
    creditorId: from?.creditorId ?? '',
    from: addDays(date(today), 1),
  }
}

const limited = (name: LimitedField): FieldSpec => ({
  type: 'text',
  mandatory: true,
  check: (value) => {
    const { least, most } = SETTING_LIMITS[name]
    const number = Number(decimalOf(value))
    return Number.isNaN(number) || number < Number(least) || number > Number(most)
      ? t('setting.limits', { least, most })
      : undefined
  },
})

/** The numbers that a setting of the kind has. */
export function numbersOf(variant: string): readonly LimitedField[] {
  if (variant === 'PART_PAYMENT_ACCOUNT')
    return [
      'thresholdPercent',
      'startFee',
      'monthlyFee',
      'percent',
      'interestFreeDays',
      'termsDays',
      'smallestBalance',
    ]
  if (variant === 'ONGOING_PAYMENT')
    return ['months', 'startFee', 'monthlyFee', 'termsDays', 'smallestBalance']
  return ['months', 'startFee', 'monthlyFee', 'percent', 'interestFreeDays', 'termsDays', 'smallestBalance']
}

/** A plan that is no longer offered keeps its terms. The form does not show their fields, and does not check them. */
export function specsOf(
  { variant, isOffered }: { readonly variant: string; readonly isOffered: boolean },
  { today }: Pick<Settings, 'today'>,
): Readonly<Record<string, FieldSpec>> {
  const last = addDays(date(today), FARTHEST_DAYS)
  return {
    code: { type: 'text', mandatory: true },
    from: {
      type: 'text',
      mandatory: true,
      check: (value) => (value < today || value > last ? t('setting.from.hint') : undefined),
    },
    ...Object.fromEntries((isOffered ? numbersOf(variant) : []).map((name) => [name, limited(name)])),
  }
}

const whole = (text: string | undefined): number => {
  const number = Number(decimalOf(text))
  return Number.isInteger(number) ? number : -1
}

/** What a setting of the kind has none of is left empty, whatever stood in the form before. */
export function versionOf(values: Values): NewVersion {
  const variant = values['variant'] as Version['variant']
  const isAccount = variant === 'PART_PAYMENT_ACCOUNT'
  const isOngoing = variant === 'ONGOING_PAYMENT'
  const ticks = (values['ticks'] ?? '').split(' ')
  return {
    creditorId: values['creditorId'] === '' ? null : (values['creditorId'] ?? null),
    code: (values['code'] ?? '').trim(),
    variant,
    currency: values['currency'] ?? '',
    months: isAccount ? null : whole(values['months']),
    startFee: decimalOf(values['startFee']),
    monthlyFee: decimalOf(values['monthlyFee']),
    percent: isOngoing ? '0' : decimalOf(values['percent']),
    interestFreeDays: isOngoing ? 0 : whole(values['interestFreeDays']),
    termsDays: whole(values['termsDays']),
    thresholdPercent: isAccount ? decimalOf(values['thresholdPercent']) : null,
    addToExisting: isAccount && ticks.includes('addToExisting'),
    legalVisible: ticks.includes('legalVisible'),
    termsVisible: ticks.includes('termsVisible'),
    smallestBalance: decimalOf(values['smallestBalance']),
    isOffered: values['isOffered'] !== 'false',
    from: values['from'] ?? '',
  }
}
