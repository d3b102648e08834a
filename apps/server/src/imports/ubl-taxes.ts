/** The tax of a UBL document by rate. It is for reading only: what is odd about it refuses no invoice. */
import { parseAmount, type Currency } from '@kvitt/domain/money.ts'
import type { ParsedTax } from './parsed-invoice.ts'
import type { ReadElement } from './read-elements.ts'
import { childrenOf, find } from './ubl-fields.ts'

const MOST_RATES = 20

function minorOf(element: ReadElement | undefined, currency: Currency): number | undefined {
  const attribute = element?.attributes['currencyID']
  const own = typeof attribute === 'object' ? attribute.value.trim() : attribute
  if (!element || (own !== undefined && own !== currency)) return undefined
  return parseAmount(element.text.trim().replace(/^\+/, ''), currency)?.minor
}

/** `25.00` as `25`, `25.50` as `25.5`; undefined when it is no rate. */
function percentOf(element: ReadElement | undefined): string | undefined {
  const match = /^\+?0*(\d{1,3})(?:\.(\d{0,6}?)0*)?$/.exec(element?.text.trim() ?? '')
  if (!match) return undefined
  const [, whole = '0', decimals] = match
  return decimals ? `${whole}.${decimals}` : whole
}

function taxOf(subtotal: ReadElement, currency: Currency): ParsedTax | undefined {
  const taxMinor = minorOf(find(subtotal, 'TaxAmount'), currency)
  const baseMinor = minorOf(find(subtotal, 'TaxableAmount'), currency)
  const percent = percentOf(find(subtotal, 'TaxCategory', 'Percent'))
  return taxMinor === undefined || baseMinor === undefined || percent === undefined
    ? undefined
    : { percent, baseMinor, taxMinor }
}

/** Each rate with what it is taken of; none when a part of it cannot be read, for the rest would mislead. */
export function readTaxes(document: ReadElement, currency: Currency): ParsedTax[] {
  const subtotals = childrenOf(document, 'TaxTotal').flatMap((total) => childrenOf(total, 'TaxSubtotal'))
  const taxes = subtotals.map((subtotal) => taxOf(subtotal, currency)).filter((tax) => tax !== undefined)
  const isWhole = taxes.length === subtotals.length && taxes.length <= MOST_RATES
  return isWhole ? taxes.filter(({ taxMinor }) => taxMinor !== 0) : []
}
