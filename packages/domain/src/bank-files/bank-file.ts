/**
 * What a bank tells about money that has come, whatever the format of its file. The readers of each format check
 * the file's own control totals and answer this; a file that does not add up is nobody's money.
 */
import type { CalendarDate } from '../calendar.ts'
import type { Currency } from '../money.ts'
import type { EntryIds } from './match-entries.ts'
import type { PayerAccount } from './payer-account.ts'
import type { DaySpan } from './told-days.ts'

export type BankFileFormat = 'bgmax' | 'ocr-giro' | 'camt'

export type BankFile = {
  readonly format: BankFileFormat
  readonly deposits: readonly Deposit[]
  /** What each statement or notification of the file is about; camt alone. */
  readonly reports?: readonly BankReport[]
}

/** One report of a file. Its deposits are those whose entry names its place. */
export type BankReport = {
  readonly account: string
  readonly scheme: Deposit['scheme']
  /** A statement tells of all that was booked on its days; a notification of some of it. */
  readonly isWhole: boolean
  readonly balances: Balances | undefined
  /** The days of which a statement tells all; undefined where it does not say which, or is a page of several. */
  readonly days?: DaySpan | undefined
  /** Its place in a series that the bank numbers without gaps, and the days of which it tells something. */
  readonly numbered?: NumberedFile | undefined
  /** Which page of a statement it is: by itself it tells of no days. */
  readonly page?: StatementPage | undefined
}

/** A statement that a bank has cut into pages is whole when the first to the last are here and add up. */
export type StatementPage = {
  /** What the pages of one statement have in common, as a digest. */
  readonly statement: string
  /** From 1. */
  readonly number: number
  readonly isLast: boolean
  /** Of the booked entries, in minor units: what came less what left. */
  readonly sumMinor: number
  /** What the page says of balances; a bank may write those of the statement or its own. */
  readonly opening: PageBalance | undefined
  readonly closing: PageBalance | undefined
  /** Of the last page: what all pages tell of together. */
  readonly told?: Pick<BankReport, 'days' | 'numbered'> | undefined
}

export type PageBalance = Balances['opening'] & { readonly currency: Currency }

/**
 * The balances of a statement of which these pages are here, in any order; undefined while one is missing, or when its opening
 * balance and entries are not its closing balance.
 */
export function joinPages(pages: readonly Omit<StatementPage, 'statement'>[]): Balances | undefined {
  const inOrder = pages.toSorted((a, b) => a.number - b.number)
  const [first, last] = [inOrder[0], inOrder.at(-1)]
  const isAll = inOrder.every(
    ({ number, isLast }, index) => number === index + 1 && isLast === (index === inOrder.length - 1),
  )
  const { opening, closing } = { opening: first?.opening, closing: last?.closing }
  if (!isAll || !opening || !closing || opening.currency !== closing.currency) return undefined
  const sum = inOrder.reduce((minor, page) => minor + page.sumMinor, opening.minor)
  if (sum !== closing.minor) return undefined
  const { currency } = opening
  return {
    currency,
    opening: { day: opening.day, minor: opening.minor },
    closing: { day: closing.day, minor: closing.minor },
  }
}

/** One of the files about an account that a bank numbers one after the other. */
export type NumberedFile = DaySpan & {
  /** Numbers begin anew in another series. */
  readonly series: string
  readonly number: number
}

/** What stood on an account before and after the entries of a statement, in minor units. */
export type Balances = {
  readonly currency: Currency
  readonly opening: { readonly day: CalendarDate; readonly minor: number }
  readonly closing: { readonly day: CalendarDate; readonly minor: number }
}

/** The lines that the bank counted together on one account. */
export type Deposit = {
  /** What the bank calls it: together with the account the same in every file that tells of it. */
  readonly key: string
  /** The account that the money came to: digits and letters only. */
  readonly account: string
  readonly scheme: 'BANKGIRO' | 'PLUSGIRO' | 'IBAN' | 'LOCAL'
  readonly currency: Currency
  readonly lines: readonly BankLine[]
  /** What the bank calls it, and the place of its report in the file; camt alone. */
  readonly entry?: { readonly ids: EntryIds; readonly report: number }
  /** Its place among the deposits that the bank numbers; BgMax alone. */
  readonly numbered?: NumberedFile
}

export type BankLine = {
  /** A deduction takes back money that had come before; what is outgoing was sent by the account's owner. */
  readonly kind: 'payment' | 'deduction' | 'outgoing'
  /** Minor units, more than zero. */
  readonly amountMinor: number
  /** The day of the bank. */
  readonly day: CalendarDate
  /** The value date; left out where the bank tells one day only. */
  readonly valueDate?: CalendarDate
  /** Without spaces, in the order of the file; several mean that the bank could not tell how much is for which. */
  readonly references: readonly string[]
  readonly payer: string | null
  /** The account that it came from; left out where the bank does not say, or says it in no form that can be sent to. */
  readonly payerAccount?: PayerAccount | undefined
  /** What the payer wrote. */
  readonly message: string | null
  /** What whoever ordered the payment calls it; left out where the bank does not say. */
  readonly endToEndId?: string
}

/** The file cannot be read or does not add up. The message is a sentence for the person who imports. */
export class BankFileError extends Error {
  override readonly name = 'BankFileError'
  readonly line: number | undefined

  constructor(message: string, line?: number) {
    super(message)
    this.line = line
  }
}

/** What the lines add up to in minor units: payments less deductions. */
export function sumOfBankLines(lines: readonly Pick<BankLine, 'kind' | 'amountMinor'>[]): number {
  return lines.reduce(
    (sum, { kind, amountMinor }) => sum + (kind === 'payment' ? amountMinor : -amountMinor),
    0,
  )
}

/** A row of a file in columns, as its format's own description counts them: from 1, both ends included. */
export type FixedRow = {
  readonly number: number
  /** The columns without the blanks around them. */
  text(from: number, to: number): string
  /** The columns as a whole number. Throws BankFileError when they hold anything but digits. */
  digits(from: number, to: number): number
}

const WIDTH = 80
const TAB = 8

/** Programs that people open such files with turn blanks into tabs and cut them off at the end. */
function widen(row: string): string {
  let wide = ''
  for (const character of row) {
    wide += character === '\t' ? ' '.repeat(TAB - (wide.length % TAB)) : character
  }
  return wide.padEnd(WIDTH)
}

/** The rows of a file in columns of 80 characters, without empty ones. Throws BankFileError for a longer row. */
export function fixedRows(text: string): FixedRow[] {
  return text.split(/\r?\n/).flatMap((row, index) => {
    if (row.trim() === '' || row === '\u001a') return []
    const wide = widen(row)
    const number = index + 1
    if (wide.length > WIDTH) throw new BankFileError(`A row is longer than ${WIDTH} characters.`, number)
    const columns = (from: number, to: number): string => wide.slice(from - 1, to).trim()
    return [
      {
        number,
        text: columns,
        digits(from, to) {
          const found = columns(from, to)
          if (!/^\d{1,18}$/.test(found) || !Number.isSafeInteger(Number(found))) {
            throw new BankFileError(`The columns ${from} to ${to} must be digits.`, number)
          }
          return Number(found)
        },
      },
    ]
  })
}

/** Throws BankFileError when what was counted is not what the file says. */
export function checkTotal(
  row: FixedRow,
  what: string,
  { counted, said }: { counted: number; said: number },
): void {
  if (counted === said) return
  throw new BankFileError(
    `The file says ${what} ${said}, its rows add up to ${counted}: it is not whole.`,
    row.number,
  )
}
