/**
 * The program in which workbooks are read. The reader lays a sheet out by the addresses that its cells give, whatever they are: one
 * that asks for more memory than there is ends this program and nobody else's work.
 */
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { readSheet } from 'read-excel-file/node'

type Read = string | number | boolean | Date | null

/** A day as a table writes it; a moment of a day is no part of an invoice. */
function cellOf(cell: Read): string | number {
  if (cell === null) return ''
  if (cell instanceof Date) return Number.isNaN(cell.valueOf()) ? '' : cell.toISOString().slice(0, 10)
  // Halves of letters are none.
  return typeof cell === 'number' ? cell : String(cell).replace(/\p{Cs}/gu, '')
}

const ADDRESS = /\br\s*=\s*["']([A-Z]*)(\d+)["']/gi
const LONGEST_ADDRESS = 40
const MOST_ROWS = 1_048_576
/** `XFD` is the last column that the standard has. */
const MOST_LETTERS = 3

/** Ends soon for a sheet with cells where no sheet has any. What is not seen here costs time and memory, and ends all the same. */
async function checkAddresses(book: Buffer): Promise<void> {
  const archive = await fromBufferPromise(book, { lazyEntries: true })
  for await (const entry of archive.eachEntry()) {
    if (!entry.fileName.startsWith('xl/worksheets/')) continue
    let rest = ''
    for await (const part of await archive.openReadStreamPromise(entry)) {
      const text = rest + (part as Buffer).toString('latin1')
      for (const [, letters = '', digits] of text.matchAll(ADDRESS))
        if (letters.length > MOST_LETTERS || Number(digits) > MOST_ROWS)
          throw new Error('a cell beyond the sheet')
      rest = text.slice(-LONGEST_ADDRESS)
    }
  }
}

/** The workbook comes in; the rows of its first sheet go out, each as a line of JSON. */
const book = await buffer(process.stdin)
await checkAddresses(book)
const rows = (await readSheet(book)) as Read[][]
process.stdout.write(rows.map((row) => JSON.stringify(row.map(cellOf))).join('\n'))
