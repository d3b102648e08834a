/**
 * BgMax: payments to bankgiro and plusgiro numbers, as Bankgirot reports them. Rows of 80 characters: a section
 * (05) for each account and currency, its payments (20) and deductions (21) with what belongs to them, its deposit
 * (15), and counts of everything at the end (70). Source: Bankgirot, "Bankgiroinbetalningar, teknisk manual".
 */
import { parseDate } from '../calendar.ts'
import { isCurrency, type Currency } from '../money.ts'
import { oneLine } from '../plain-text.ts'
import { normaliseReference } from '../references.ts'
import {
  BankFileError,
  checkTotal,
  fixedRows,
  sumOfBankLines,
  type BankFile,
  type BankLine,
  type Deposit,
  type FixedRow,
} from './bank-file.ts'

type Extra = { readonly reference: string; readonly amountMinor: number; readonly isMinus: boolean }

type Entry = {
  readonly kind: BankLine['kind']
  readonly reference: string
  readonly amountMinor: number
  readonly extras: Extra[]
  readonly message: string[]
  payer: string | null
}

type Section = {
  readonly account: string
  readonly scheme: 'BANKGIRO' | 'PLUSGIRO'
  readonly currency: Currency
  readonly entries: Entry[]
}

/** Rows that tell where the payer lives and who they are: nothing that is needed to place the money. */
const LEFT_OUT = new Set(['27', '28', '29'])

class BgMaxReader {
  readonly #deposits: Deposit[] = []
  readonly #counts: Record<'20' | '21' | '22' | '15', number> = { '20': 0, '21': 0, '22': 0, '15': 0 }
  #section: Section | undefined
  #isEnded = false

  read(row: FixedRow): void {
    if (this.#isEnded) throw new BankFileError('There are rows after the end of the file.', row.number)
    const code = row.text(1, 2)
    if (code === '05') this.#open(row)
    else if (code === '20' || code === '21') this.#addEntry(row, code)
    else if (code === '15') this.#close(row)
    else if (code === '70') this.#end(row)
    else this.#addTo(this.#entryOf(row), row, code)
  }

  /** Throws BankFileError when the file stops before its end. */
  deposits(): Deposit[] {
    if (!this.#isEnded) throw new BankFileError('The file has no end: it was cut off.')
    return this.#deposits
  }

  #open(row: FixedRow): void {
    if (this.#section) throw new BankFileError('A section begins before the one before it ended.', row.number)
    const currency = row.text(23, 25)
    if (!isCurrency(currency)) throw new BankFileError(`"${currency}" is not a currency.`, row.number)
    const [bankgiro, plusgiro] = [row.text(3, 12), row.text(13, 22)].map((n) => n.replace(/^0+/, ''))
    const account = bankgiro || plusgiro
    if (!account) throw new BankFileError('A section has no account number.', row.number)
    this.#section = { account, scheme: bankgiro ? 'BANKGIRO' : 'PLUSGIRO', currency, entries: [] }
  }

  #addEntry(row: FixedRow, code: '20' | '21'): void {
    if (!this.#section) throw new BankFileError('A payment stands outside a section.', row.number)
    this.#counts[code] += 1
    this.#section.entries.push({
      kind: code === '20' ? 'payment' : 'deduction',
      reference: row.text(13, 37),
      amountMinor: row.digits(38, 55),
      extras: [],
      message: [],
      payer: null,
    })
  }

  #entryOf(row: FixedRow): Entry {
    const entry = this.#section?.entries.at(-1)
    if (!entry) throw new BankFileError('A row belongs to no payment.', row.number)
    return entry
  }

  #addTo(entry: Entry, row: FixedRow, code: string): void {
    if (code === '22' || code === '23') {
      this.#counts['22'] += 1
      entry.extras.push({
        reference: row.text(13, 37),
        amountMinor: row.digits(38, 55),
        isMinus: code === '23',
      })
    } else if (code === '25') entry.message.push(row.text(3, 52))
    else if (code === '26') entry.payer = row.text(3, 37) || null
    else if (!LEFT_OUT.has(code)) throw new BankFileError(`"${code}" begins no row of BgMax.`, row.number)
  }

  #close(row: FixedRow): void {
    const section = this.#section
    if (!section) throw new BankFileError('A deposit stands outside a section.', row.number)
    const { account, scheme, currency, entries } = section
    const said = row.text(38, 45)
    const day = parseDate(said.replace(/^(....)(..)(..)$/, '$1-$2-$3'))
    if (!day) throw new BankFileError(`"${said}" is not a day.`, row.number)
    checkTotal(row, 'a deposit of', { counted: sumOfBankLines(entries), said: row.digits(51, 68) })
    checkTotal(row, 'payments in a deposit:', { counted: entries.length, said: row.digits(72, 79) })
    const lines = entries.flatMap((entry) => linesOf(entry).map((line) => ({ ...line, day })))
    const serial = row.text(46, 50)
    const numbered = /^\d+$/.test(serial)
      ? { series: `bgmax:${account}:${day.slice(0, 4)}`, number: Number(serial), first: day, last: day }
      : undefined
    this.#deposits.push({
      key: `bgmax:${day}:${serial}`,
      account,
      scheme,
      currency,
      lines,
      ...(numbered && { numbered }),
    })
    this.#counts['15'] += 1
    this.#section = undefined
  }

  #end(row: FixedRow): void {
    if (this.#section) throw new BankFileError('A section has no deposit: the file is not whole.', row.number)
    const said = { '20': row.digits(3, 10), '21': row.digits(11, 18), '22': 0, '15': 0 }
    // Banks leave what is zero out at the end of the row.
    if (row.text(19, 26) !== '') said['22'] = row.digits(19, 26)
    if (row.text(27, 34) !== '') said['15'] = row.digits(27, 34)
    checkTotal(row, 'payments:', { counted: this.#counts['20'], said: said['20'] })
    checkTotal(row, 'deductions:', { counted: this.#counts['21'], said: said['21'] })
    checkTotal(row, 'further references:', { counted: this.#counts['22'], said: said['22'] })
    checkTotal(row, 'deposits:', { counted: this.#counts['15'], said: said['15'] })
    this.#isEnded = true
  }
}

/** One line, or one for each reference when the bank says how much is for which. An entry of nothing is none. */
function linesOf({ kind, reference, amountMinor, extras, message, payer }: Entry): Omit<BankLine, 'day'>[] {
  const said = message.map(oneLine).join('\n')
  const shared = {
    kind,
    payer: oneLine(payer ?? '') || null,
    message: said || null,
  }
  const isSplit =
    extras.length > 0 &&
    extras.every((extra) => extra.amountMinor > 0 && !extra.isMinus) &&
    extras.reduce((sum, extra) => sum + extra.amountMinor, 0) === amountMinor
  if (isSplit) {
    return extras.map((extra) => ({
      ...shared,
      amountMinor: extra.amountMinor,
      references: [normaliseReference(extra.reference)],
    }))
  }
  if (amountMinor === 0) return []
  // The row itself may hold several in one field, as the payer wrote them.
  const all = [...reference.split(/\s+/), ...extras.map((extra) => normaliseReference(extra.reference))]
  return [{ ...shared, amountMinor, references: [...new Set(all.filter((text) => text !== ''))] }]
}

export function isBgMax(text: string): boolean {
  return text.startsWith('01BGMAX ')
}

/** Reads a BgMax file, whose bytes are ISO 8859-1. Throws BankFileError. */
export function readBgMax(text: string): BankFile {
  const [start, ...rows] = fixedRows(text)
  if (start?.text(1, 2) !== '01' || start.text(3, 22) !== 'BGMAX') {
    throw new BankFileError('The file does not begin as BgMax does.', 1)
  }
  if (start.text(45, 45) === 'T')
    throw new BankFileError('The file is marked as a test: it holds no money.', 1)
  const reader = new BgMaxReader()
  for (const row of rows) reader.read(row)
  return { format: 'bgmax', deposits: reader.deposits() }
}
