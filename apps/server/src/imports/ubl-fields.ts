/** Reads single fields out of the elements of a UBL document, with a refusal that names the place. */
import { parseDocumentDay, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { parseAmount, type Currency } from '@kvitt/domain/money.ts'
import { oneLine } from '@kvitt/domain/plain-text.ts'
import { ImportRefusal } from './import-refusal.ts'
import { placeOf, type ReadElement } from './read-elements.ts'

export function childrenOf(element: ReadElement | undefined, name: string): ReadElement[] {
  return element ? element.children.filter((child) => child.name === name) : []
}

/** The first element at the end of `path`. */
export function find(element: ReadElement | undefined, ...path: readonly string[]): ReadElement | undefined {
  let found = element
  for (const name of path) found = found?.children.find((child) => child.name === name)
  return found
}

/** The element at `path` when the document has exactly one; refuses a second, which would make it ambiguous. */
export function findOnly(element: ReadElement, ...path: readonly string[]): ReadElement | undefined {
  let found: ReadElement | undefined = element
  for (const name of path) {
    const [first, second] = childrenOf(found, name)
    if (second)
      throw new ImportRefusal(`There is more than one ${name}; an invoice has one.`, placeOf(second))
    found = first
  }
  return found
}

/** At most `longest` characters, the last one an ellipsis when something was cut off. */
function cut(text: string, longest: number): string {
  // A cut must not leave half of a character that takes two places.
  return text.length > longest ? `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…` : text
}

/** The text of an element, cut at `longest` characters; null when the element is missing or empty. */
export function textOf(element: ReadElement | undefined, longest: number): string | null {
  if (!element) return null
  const text = oneLine(element.text.length > longest * 4 ? element.text.slice(0, longest * 4) : element.text)
  if (text === '') return null
  return cut(text, longest)
}

/** The text of an element that names something: refused, not cut, when it is too long. */
export function codeOf(element: ReadElement | undefined, longest: number): string | null {
  if (!element) return null
  const text = oneLine(element.text)
  if (text.length > longest) {
    throw new ImportRefusal(`${element.name} is longer than ${longest} characters.`, placeOf(element))
  }
  return text === '' ? null : text
}

/** What is quoted in a refusal. */
export function quoted(text: string): string {
  return `"${cut(oneLine(text.slice(0, 200)), 40)}"`
}

export function dateOf(element: ReadElement | undefined): CalendarDate | undefined {
  if (!element) return undefined
  // A day may carry a time zone (xsd:date); the day is what is printed.
  const text = element.text.trim().replace(/(?:Z|[+-]\d{2}:\d{2})$/, '')
  const day = parseDocumentDay(text)
  if (!day) {
    throw new ImportRefusal(
      `${element.name} is ${quoted(element.text)}, which is not a day of this century. Write it as YYYY-MM-DD.`,
      placeOf(element),
    )
  }
  return day
}

/** Minor units of an amount, which has to be in the document's currency. */
export function amountOf(element: ReadElement, currency: Currency): number {
  const attribute = element.attributes['currencyID']
  const own = typeof attribute === 'object' ? attribute.value.trim() : attribute
  if (own !== undefined && own !== currency) {
    throw new ImportRefusal(
      `${element.name} is in ${quoted(own)} while the document is in ${currency}. An invoice has one currency.`,
      placeOf(element),
    )
  }
  const amount = parseAmount(element.text.trim().replace(/^\+/, ''), currency)
  if (!amount) {
    throw new ImportRefusal(
      `${element.name} is ${quoted(element.text)}, which is not an amount. Write it with a point and at most two decimals.`,
      placeOf(element),
    )
  }
  return amount.minor
}
