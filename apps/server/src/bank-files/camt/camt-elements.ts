/** What is read of the elements of camt, wherever they stand. */
import { isCurrency, parseAmount, type Money } from '@kvitt/domain/money.ts'
import { ImportRefusal, placeOf, type ReadElement } from '../../imports/imports.ts'

export function all(element: ReadElement, ...path: readonly string[]): ReadElement[] {
  return path.reduce<ReadElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  )
}

export function textAt(element: ReadElement, ...path: readonly string[]): string | undefined {
  return all(element, ...path)[0]?.text.trim() || undefined
}

export function refuse(message: string, element: ReadElement): never {
  throw new ImportRefusal(message, placeOf(element))
}

export function amountOf(element: ReadElement): Money {
  const currency = element.attributes['Ccy']?.value ?? ''
  if (!isCurrency(currency))
    refuse(`"${currency.slice(0, 10)}" is not a currency that books are kept in.`, element)
  const amount = parseAmount(element.text.trim(), currency)
  if (!amount || amount.minor < 0) refuse('This is not an amount of money.', element)
  return amount
}

/** What is not booked yet may still change. */
export function isBooked(entry: ReadElement): boolean {
  return (textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts')) === 'BOOK'
}
