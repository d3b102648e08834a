/** What a person writes as the value of a figure. Whatever is no value of its figure is a slip of the hand. */
import { amountText, parseAmount } from '../money.ts'
import { hundredthsOf } from './country-params.ts'
import {
  CREDIT_CAP,
  lateRateOf,
  REFERENCE_RATE,
  type FigureBand,
  type FigureValue,
} from './entered-figures.ts'

export type WrittenFigure = {
  readonly percent?: string | undefined
  readonly isOverReference?: boolean | undefined
  readonly costAtMostCredit?: boolean | undefined
  readonly bands?: readonly { readonly upTo: string | null; readonly amount: string }[] | undefined
}

/** Rates are below this, in percent. */
const HIGHEST_RATE = 3_000
const LOWEST_RATE = -500
const HIGHEST_CAP = 10_000
/** No fee of the law is higher than a hundred thousand, nor has more steps. */
const HIGHEST_FEE = 10_000_000
const HIGHEST_LIMIT = 100_000_000_000
export const MOST_BANDS = 12

/** As figures have it, or the field that is wrong. */
export function readFigure(
  country: string,
  figure: string,
  written: WrittenFigure,
): FigureValue | { readonly field: string } {
  if (figure === REFERENCE_RATE) return readRate(country, written.percent)
  return figure === CREDIT_CAP ? readCap(written) : readBands(written.bands ?? [])
}

/** With two decimals at most, and a point. */
function percentOf(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d{1,3}(\.\d{1,2})?$/.test(text) ? hundredthsOf(text) : undefined
}

function readRate(country: string, text: string | undefined): FigureValue | { readonly field: string } {
  const percent = percentOf(text)
  if (percent === undefined || percent < LOWEST_RATE || percent > HIGHEST_RATE) return { field: 'percent' }
  const written = amountText(percent)
  const late = (['consumer', 'business'] as const).map((kind) => lateRateOf(country, kind, written))
  return late.some((rate) => rate.startsWith('-')) ? { field: 'percent' } : { percent: written }
}

function readCap(written: WrittenFigure): FigureValue | { readonly field: string } {
  const { isOverReference, costAtMostCredit } = written
  const percent = percentOf(written.percent)
  if (percent === undefined || percent < 0 || percent > HIGHEST_CAP) return { field: 'percent' }
  if (isOverReference === undefined) return { field: 'isOverReference' }
  if (costAtMostCredit === undefined) return { field: 'costAtMostCredit' }
  return { percent: amountText(percent), isOverReference, costAtMostCredit }
}

/** Limits that rise, the last without end. Something may cost nothing. */
function readBands(bands: readonly FigureBand[]): FigureValue | { readonly field: string } {
  if (bands.length === 0 || bands.length > MOST_BANDS) return { field: 'bands' }
  let above = 0
  const read: FigureBand[] = []
  for (const [index, { upTo, amount }] of bands.entries()) {
    const isLast = index === bands.length - 1
    const fee = parseAmount(amount, 'SEK')?.minor
    if (fee === undefined || fee < 0 || fee > HIGHEST_FEE) return { field: `bands.${index}.amount` }
    const limit = upTo === null ? undefined : parseAmount(upTo, 'SEK')?.minor
    const isLimit = limit !== undefined && limit > above && limit <= HIGHEST_LIMIT
    if (isLast ? upTo !== null : !isLimit) return { field: `bands.${index}.upTo` }
    above = limit ?? above
    read.push({ upTo: limit === undefined ? null : amountText(limit), amount: amountText(fee) })
  }
  return { bands: read }
}
