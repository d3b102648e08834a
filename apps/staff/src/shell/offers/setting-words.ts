/** What the terms of a plan or an account are called, and how their values are written. */
import type { WrittenSetting } from '@kvitt/domain/part-payments/setting-version.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { moneyText, numberText } from '../figure-words.ts'
import { t } from '../../text.ts'

/** In the order in which they are read. */
export const SETTING_TERMS = [
  'code',
  'variant',
  'isOffered',
  'from',
  'currency',
  'months',
  'thresholdPercent',
  'startFee',
  'monthlyFee',
  'percent',
  'interestFreeDays',
  'termsDays',
  'smallestBalance',
  'addToExisting',
  'legalVisible',
  'termsVisible',
] as const satisfies readonly (keyof WrittenSetting)[]
export type SettingTerm = (typeof SETTING_TERMS)[number]

export const percentText = (percent: string): string => `${numberText(percent)} %`

/** The name of a country by its code, also of one that no law is known for. */
export function placeName(country: string): string {
  return new Intl.DisplayNames([currentLanguage()], { type: 'region' }).of(country) ?? country
}

const yesNo = (is: boolean): string => t(is ? 'setting.yes' : 'setting.no')

/** Empty where a setting of its kind has no such term. */
export function termText(setting: Partial<WrittenSetting>, term: SettingTerm): string {
  const { variant, currency = '' } = setting
  const isAccount = variant === 'PART_PAYMENT_ACCOUNT'
  const value = setting[term]
  if (value === undefined || value === null) return ''
  switch (term) {
    case 'variant':
      return t(`setting.variant.${value as WrittenSetting['variant']}`)
    case 'from':
      return formatDay(String(value))
    case 'months':
      return t('plan.terms.months', { count: Number(value) })
    case 'startFee':
    case 'monthlyFee':
    case 'smallestBalance':
      return moneyText(String(value), currency)
    case 'percent':
      return variant === 'ONGOING_PAYMENT' ? '' : percentText(String(value))
    case 'thresholdPercent':
      return percentText(String(value))
    case 'interestFreeDays':
      return variant === 'ONGOING_PAYMENT' ? '' : t('setting.days', { count: Number(value) })
    case 'termsDays':
      return t('setting.days', { count: Number(value) })
    case 'addToExisting':
      return isAccount ? yesNo(value === true) : ''
    case 'isOffered':
    case 'legalVisible':
    case 'termsVisible':
      return yesNo(value === true)
    default:
      return String(value)
  }
}
