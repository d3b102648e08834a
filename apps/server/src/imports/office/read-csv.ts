/** Reads a table whose rows are lines of text: CSV in its many kinds. */
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { decodeTable, type OpenFile } from './decode-table.ts'
import type { Cell } from './import-rows.queries.ts'
import { unreadable } from './recognise-file.ts'

export const MOST_COLUMNS = 200
export const MOST_TABLE_ROWS = 250_000
/** Characters of one row: 200 columns of texts that a draft may have. */
const LONGEST_ROW = 100_000
/** Within so many characters the first line has to end. */
const LONGEST_FIRST = 20_000

export type TableRow = { readonly number: number; readonly cells: readonly Cell[] }

const SEPARATORS = [';', ',', '\t'] as const

/** The separator that the first line has most of, outside quotation marks; it may be named in a line of its own (`sep=;`). */
function separatorOf(start: string): { readonly separator: string; readonly skip: number } {
  const named = /^\ufeff?"?sep=(.)"?\r?\n/i.exec(start)
  if (named) return { separator: named[1] ?? ',', skip: named[0].length }
  const line = /^\ufeff?(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(start)?.[0] ?? ''
  if (line.length >= LONGEST_FIRST) throw unreadable('long')
  const plain = line.replace(/"(?:[^"]|"")*"/g, '')
  const counts = SEPARATORS.map((separator) => ({ separator, count: plain.split(separator).length - 1 }))
  const best = counts.reduce((most, one) => (one.count > most.count ? one : most))
  if (best.count === 0) throw unreadable('table')
  if (best.count >= MOST_COLUMNS) throw unreadable('columns')
  return { separator: best.separator, skip: 0 }
}

async function* textFrom(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/** The rows of a table, that of the names first, as the file counts them. Refuses `import_unreadable`. */
export async function* readCsv(open: OpenFile): AsyncGenerator<TableRow> {
  const text = decodeTable(open)
  let start = ''
  while (start.length < LONGEST_FIRST) {
    const next = await text.next()
    if (next.done) break
    start += next.value
  }
  const { separator, skip } = separatorOf(start.slice(0, LONGEST_FIRST))
  const parser = parse({
    bom: true,
    delimiter: separator,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: LONGEST_ROW,
  })
  const source = Readable.from(textFrom(start.slice(skip), text))
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    let rows = 0
    for await (const row of parser as AsyncIterable<string[]>) {
      if (++rows > MOST_TABLE_ROWS) throw unreadable('rows', { most: String(MOST_TABLE_ROWS) })
      if (row.length > MOST_COLUMNS) throw unreadable('columns')
      if (row.some((cell) => cell.includes('\0'))) throw unreadable('binary')
      // A line of separators alone is an empty one.
      if (row.some((cell) => cell.trim() !== '')) yield { number: rows, cells: row }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw unreadable(error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'cut' : 'long')
  } finally {
    source.destroy()
    parser.destroy()
  }
}
