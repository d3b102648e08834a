/**
 * OCR giro: payments with a KID to Norwegian accounts, as Nets reports them. Rows of 80 characters that begin with
 * NY, a service, a type and the kind of row: a transmission (10, 89) of assignments (20, 88), one for each account,
 * of transactions in two or three rows (30, 31, 32). Source: Nets, "OCR giro systemspesifikasjon".
 */
import { parseDate, type CalendarDate } from '../calendar.ts'
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
import { nationalOfPayer } from './payer-account.ts'

type Assignment = {
  readonly agreement: string
  readonly number: string
  readonly account: string
  readonly lines: BankLine[]
  rows: number
}

/** ddmmyy. Nets began in the seventies; a two-digit year before that is this century's. */
function dayOf(row: FixedRow, from: number): CalendarDate {
  const [, day, month, year = ''] = /^(\d\d)(\d\d)(\d\d)$/.exec(row.text(from, from + 5)) ?? []
  const found = parseDate(`${year >= '70' ? '19' : '20'}${year}-${month}-${day}`)
  if (!found) throw new BankFileError(`"${row.text(from, from + 5)}" is not a day.`, row.number)
  return found
}

class OcrGiroReader {
  readonly #deposits: Deposit[] = []
  readonly #transmission: string
  #assignment: Assignment | undefined
  #transactions = 0
  #sumMinor = 0
  #rows = 1
  #isEnded = false

  constructor(start: FixedRow) {
    this.#transmission = start.text(17, 23)
  }

  read(row: FixedRow): void {
    if (this.#isEnded) throw new BankFileError('There are rows after the end of the file.', row.number)
    this.#rows += 1
    if (row.text(1, 2) !== 'NY') throw new BankFileError('A row does not begin with NY.', row.number)
    const kind = row.text(7, 8)
    if (kind === '89') return this.#end(row)
    if (kind === '20') return this.#open(row)
    const assignment = this.#assignment
    if (!assignment) throw new BankFileError('A row belongs to no assignment.', row.number)
    assignment.rows += 1
    if (kind === '30') assignment.lines.push(lineOf(row))
    else if (kind === '31') addAccount(row, assignment)
    else if (kind === '88') this.#close(row, assignment)
    else if (kind !== '32') {
      throw new BankFileError(`"${kind}" is no kind of row of OCR giro.`, row.number)
    }
  }

  /** Throws BankFileError when the file stops before its end. */
  deposits(): Deposit[] {
    if (!this.#isEnded) throw new BankFileError('The file has no end: it was cut off.')
    return this.#deposits
  }

  #open(row: FixedRow): void {
    if (this.#assignment) {
      throw new BankFileError('An assignment begins before the one before it ended.', row.number)
    }
    const [agreement, number, account] = [row.text(9, 17), row.text(18, 24), row.text(25, 35)]
    if (!/^\d{11}$/.test(account)) throw new BankFileError('An assignment has no account.', row.number)
    this.#assignment = { agreement, number, account, lines: [], rows: 1 }
  }

  #close(row: FixedRow, { agreement, number, account, lines, rows }: Assignment): void {
    const sum = sumOfBankLines(lines)
    checkTotal(row, 'transactions:', { counted: lines.length, said: row.digits(9, 16) })
    checkTotal(row, 'rows:', { counted: rows, said: row.digits(17, 24) })
    checkTotal(row, 'an assignment over', { counted: Math.abs(sum), said: row.digits(25, 41) })
    const day = dayOf(row, 42)
    const key = `ocr-giro:${day}:${this.#transmission}:${agreement}:${number}`
    const isOwed = (line: BankLine): boolean => line.amountMinor > 0
    this.#deposits.push({ key, account, scheme: 'LOCAL', currency: 'NOK', lines: lines.filter(isOwed) })
    this.#transactions += lines.length
    this.#sumMinor += sum
    this.#assignment = undefined
  }

  #end(row: FixedRow): void {
    if (this.#assignment) throw new BankFileError('An assignment has no end.', row.number)
    checkTotal(row, 'transactions:', { counted: this.#transactions, said: row.digits(9, 16) })
    checkTotal(row, 'rows:', { counted: this.#rows, said: row.digits(17, 24) })
    checkTotal(row, 'a sum of', { counted: Math.abs(this.#sumMinor), said: row.digits(25, 41) })
    this.#isEnded = true
  }
}

/**
 * Ways of paying that debit an account of the payer: 10 giro, 11 standing order, 12 and 13 remittance, 15 AvtaleGiro, 16 by telephone. At a
 * counter (14) and in cash (17) the account is the bank's own. Source: Nets, "OCR giro, system specification".
 */
const FROM_ACCOUNT: readonly string[] = ['10', '11', '12', '13', '15', '16']

/** The second row of a transaction has the account that was debited. */
function addAccount(row: FixedRow, { lines }: Assignment): void {
  const line = lines.at(-1)
  if (!FROM_ACCOUNT.includes(row.text(5, 6))) return
  const payerAccount = nationalOfPayer('NO', row.text(48, 58))
  if (line && payerAccount) lines[lines.length - 1] = { ...line, payerAccount }
}

function lineOf(row: FixedRow): BankLine {
  const kid = row.text(50, 74)
  return {
    kind: row.text(32, 32) === '-' ? 'deduction' : 'payment',
    amountMinor: row.digits(33, 49),
    day: dayOf(row, 16),
    references: kid === '' ? [] : [kid],
    payer: null,
    message: null,
  }
}

export function isOcrGiro(text: string): boolean {
  return text.startsWith('NY000010')
}

/** Reads an OCR giro file, whose bytes are ISO 8859-1. Throws BankFileError. */
export function readOcrGiro(text: string): BankFile {
  const [start, ...rows] = fixedRows(text)
  if (!start || start.text(1, 8) !== 'NY000010') {
    throw new BankFileError('The file does not begin as OCR giro does.', 1)
  }
  const reader = new OcrGiroReader(start)
  for (const row of rows) reader.read(row)
  return { format: 'ocr-giro', deposits: reader.deposits() }
}
