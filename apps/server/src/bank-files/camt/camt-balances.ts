/** What a camt.053 says stood on the account: opening and all entries must be closing. */
import type { Balances, PageBalance } from '@kvitt/domain/bank-files/bank-file.ts'
import { parseDate } from '@kvitt/domain/calendar.ts'
import { amountText } from '@kvitt/domain/money.ts'
import type { ReadElement } from '../../imports/imports.ts'
import { all, amountOf, isBooked, refuse, textAt } from './camt-elements.ts'

/** The booked balance before the entries, also as that of the statement before, and after them. */
const OPENING = ['OPBD', 'PRCD']
const CLOSING = ['CLBD']

function signed(element: ReadElement): number {
  const [amount] = all(element, 'Amt')
  if (!amount) refuse('An amount is missing.', element)
  const { minor } = amountOf(amount)
  return textAt(element, 'CdtDbtInd') === 'DBIT' ? -minor : minor
}

function balanceOf(report: ReadElement, codes: readonly string[]) {
  const balances = all(report, 'Bal')
  const found = codes.flatMap((code) =>
    balances.filter((balance) => textAt(balance, 'Tp', 'CdOrPrtry', 'Cd') === code),
  )
  const [element] = found
  const text = element && (textAt(element, 'Dt', 'Dt') ?? textAt(element, 'Dt', 'DtTm'))
  const day = parseDate((text ?? '').slice(0, 10))
  const [amount] = element ? all(element, 'Amt') : []
  return element && day && amount
    ? { element, day, minor: signed(element), currency: amountOf(amount).currency }
    : undefined
}

async function sumOf(report: ReadElement, breathe: () => Promise<void>): Promise<number> {
  let minor = 0
  for (const entry of all(report, 'Ntry')) {
    await breathe()
    if (isBooked(entry)) minor += signed(entry)
  }
  return minor
}

/** What one page of a statement says of sums, which is held against nothing before all pages are here. */
export async function readPageSums(
  report: ReadElement,
  breathe: () => Promise<void>,
): Promise<{
  readonly sumMinor: number
  readonly opening: PageBalance | undefined
  readonly closing: PageBalance | undefined
}> {
  const plain = (codes: readonly string[]): PageBalance | undefined => {
    const found = balanceOf(report, codes)
    return found && { day: found.day, minor: found.minor, currency: found.currency }
  }
  return { sumMinor: await sumOf(report, breathe), opening: plain(OPENING), closing: plain(CLOSING) }
}

/**
 * The balances of a statement; undefined where the bank does not tell both. Throws ImportRefusal when the entries are not what
 * lies between them.
 */
export async function readBalances(
  report: ReadElement,
  breathe: () => Promise<void>,
): Promise<Balances | undefined> {
  const [opening, closing] = [balanceOf(report, OPENING), balanceOf(report, CLOSING)]
  if (!opening || !closing || opening.currency !== closing.currency) return undefined
  const minor = opening.minor + (await sumOf(report, breathe))
  if (minor !== closing.minor) {
    refuse(
      `The file says that the account closes with ${amountText(closing.minor)}, its opening balance and entries add up to ${amountText(minor)}: it is not whole.`,
      closing.element,
    )
  }
  const { currency } = opening
  return {
    currency,
    opening: { day: opening.day, minor: opening.minor },
    closing: { day: closing.day, minor: closing.minor },
  }
}
