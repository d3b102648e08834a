/** A table as a PDF, tagged as one, with its header on every page. */
import { Page, printedAmount } from '../files/pdf-page.ts'
import { isAmount, type Cell, type Rows, type TableHead } from './table.ts'

const LEFT = 56
const WIDTH = 483
const BOTTOM = 770
const GAP = 6

export async function writeTablePdf(table: TableHead, rows: Rows): Promise<Uint8Array> {
  const page = await Page.open(table.title, table)
  page.write('P', table.instance.name, { bold: true, size: 11 })
  page.y += 26
  page.y += page.write('H1', table.title, { size: 20, bold: true }) + 10
  writeRow(page, table, { cells: table.columns.map(({ label }) => label), isHeader: true })
  for await (const some of rows) for (const cells of some) writeRow(page, table, { cells, isHeader: false })
  return page.finish()
}

type Columns = Pick<TableHead, 'columns' | 'language'>
type Line = { readonly cells: readonly Cell[]; readonly isHeader: boolean }

function textOfCell(cell: Cell, table: Columns): string {
  if (cell === null) return ''
  return isAmount(cell) ? printedAmount(cell.minor, '', table.language).trim() : cell
}

/** Each cell at its share of the width; the row is as high as its highest cell. A new page begins with the head. */
export function writeRow(page: Page, table: Columns, { cells, isHeader }: Line): void {
  if (page.y + 24 > BOTTOM) {
    page.turn()
    if (!isHeader) writeRow(page, table, { cells: table.columns.map(({ label }) => label), isHeader: true })
  }
  let x = LEFT
  let height = 0
  for (const [index, column] of table.columns.entries()) {
    const width = Math.floor((WIDTH * column.share) / 100)
    const style = {
      x,
      width: width - GAP,
      // The longest words of the headings still fit into their columns.
      size: 7.5,
      bold: isHeader,
      align: column.isAmount ? ('right' as const) : ('left' as const),
    }
    const text = textOfCell(cells[index] ?? null, table)
    if (text !== '') height = Math.max(height, page.write(isHeader ? 'TH' : 'TD', text, style))
    x += width
  }
  page.y += height + 4
  page.rule(false)
  page.y += 5
}
