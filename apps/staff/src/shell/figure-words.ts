/** What a figure of a country is called, and how its value is written. */
import { CREDIT_CAP, lateRateOf, REFERENCE_RATE } from '@kvitt/domain/collection/entered-figures.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney } from '@kvitt/office/money-text.ts'
import { stepText } from './steps.ts'
import { t } from '../text.ts'

type CountryCode = 'SE' | 'NO' | 'DK' | 'FI'

export const countryName = (country: string): string => t(`client.country.${country as CountryCode}`)

export function figureName(country: string, figure: string): string {
  if (figure === REFERENCE_RATE) return t(`rates.reference_rate.${country as CountryCode}`)
  if (figure === CREDIT_CAP) return t('rates.credit_cap')
  const [what, kind, step = ''] = figure.split('.')
  const whose = t(`rates.of.${kind as 'consumer'}`)
  return what === 'cost_cap'
    ? t('rates.cost_cap', { whose })
    : t('rates.fee', { step: stepText(step), whose })
}

/** A decimal text as the language writes it. */
export const numberText = (text: string): string =>
  Number(text).toLocaleString(currentLanguage(), { minimumFractionDigits: 2 })

const percentText = (percent: string): string => `${numberText(percent)} %`

/** Decimal text of an amount as money. */
export const moneyText = (amount: string, currency: string): string =>
  formatMoney(minorOf(Number(amount)), currency, currentLanguage())

/** What a figure has none of is null. */
export type FigureValue = {
  readonly percent: string | null
  readonly isOverReference: boolean | null
  readonly costAtMostCredit: boolean | null
  readonly bands: readonly { readonly upTo: string | null; readonly amount: string }[] | null
}

/** What late interest comes to by a published rate. */
function lateText(country: string, percent: string): string {
  const consumer = lateRateOf(country, 'consumer', percent)
  const business = lateRateOf(country, 'business', percent)
  return consumer === business
    ? t('rates.late', { percent: percentText(consumer) })
    : t('rates.late.both', { consumer: percentText(consumer), business: percentText(business) })
}

/** A value as sentences, one a line. */
export function valueTexts(
  { country, currency }: { readonly country: string; readonly currency: string },
  value: FigureValue,
): string[] {
  const { percent, isOverReference, costAtMostCredit, bands } = value
  if (bands)
    return bands.map(({ upTo, amount }, index) => {
      const fee = moneyText(amount, currency)
      if (upTo !== null) return t('rates.band', { upTo: moneyText(upTo, currency), amount: fee })
      return index === 0 ? fee : t('rates.band.rest', { amount: fee })
    })
  if (percent === null) return []
  // Where the law adds nothing the rate says it all.
  if (isOverReference === null)
    return [
      percentText(percent),
      ...(lateRateOf(country, 'business', percent) === percent ? [] : [lateText(country, percent)]),
    ]
  return [
    t(isOverReference ? 'rates.cap.over' : 'rates.cap.own', { percent: percentText(percent) }),
    t(costAtMostCredit === true ? 'rates.cap.cost' : 'rates.cap.no_cost'),
  ]
}
