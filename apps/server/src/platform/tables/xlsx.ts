/** A table as a spreadsheet. Texts are stored as texts, so that nothing in them is ever a formula. */
import { amountText } from '@kvitt/domain/money.ts'
import { isAmount, type Cell, type Rows, type TableHead } from './table.ts'

/** Longer texts are refused by spreadsheet programs. */
const LONGEST = 32_000
/** The form of a sheet's name: no signs that lead elsewhere, 31 characters. */
const sheetName = (title: string): string => title.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31)

function cellOf(cell: Cell) {
  if (cell === null) return null
  // The file format knows no other numbers: the text of the amount is read, nothing is computed.
  if (isAmount(cell)) {
    return { value: Number(amountText(cell.minor)), type: Number, format: '#,##0.00' }
  }
  return { value: cell.slice(0, LONGEST), type: String }
}

export async function writeXlsx({ title, columns }: TableHead, rows: Rows): Promise<Buffer> {
  // Loaded with the first spreadsheet: most calls write none.
  const { default: writeExcelFile } = await import('write-excel-file/node')
  const header = columns.map(({ label }) => ({
    value: label,
    type: String,
    fontWeight: 'bold' as const,
  }))
  const lines: ReturnType<typeof cellOf>[][] = []
  for await (const some of rows) for (const row of some) lines.push(row.map(cellOf))
  const file = writeExcelFile([header, ...lines], {
    sheet: sheetName(title),
    columns: columns.map(({ share }) => ({ width: Math.max(10, share) })),
    stickyRowsCount: 1,
  })
  return file.toBuffer()
}
