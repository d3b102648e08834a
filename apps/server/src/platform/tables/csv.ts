/** A table as CSV the way spreadsheet programs in our countries open it: semicolons, decimal comma, UTF-8 with its mark. */
import { amountText } from '@kvitt/domain/money.ts'
import { isAmount, type Cell, type Row, type Rows, type TableHead } from './table.ts'

const BYTE_ORDER_MARK = '\ufeff'

/** Starts of a text that a spreadsheet would run as a formula (OWASP, CSV injection). */
const FORMULA = /^[\s\u00a0]*[=+\-@\t\r|%＝＋－＠]/u

function writeCell(cell: Cell): string {
  if (cell === null) return ''
  if (isAmount(cell)) return amountText(cell.minor).replace('.', ',')
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const writeLine = (cells: Row): string => `${cells.map(writeCell).join(';')}\r\n`

export async function writeCsv({ columns }: TableHead, rows: Rows): Promise<Buffer> {
  const pieces = [BYTE_ORDER_MARK, writeLine(columns.map(({ label }) => label))]
  for await (const some of rows) pieces.push(some.map(writeLine).join(''))
  return Buffer.from(pieces.join(''))
}
