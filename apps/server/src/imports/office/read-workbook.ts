/** Reads the first sheet of a workbook. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openThread } from '../../platform/files/thread.ts'
import type { Cell } from './import-rows.queries.ts'
import { MOST_COLUMNS, MOST_TABLE_ROWS, type TableRow } from './read-csv.ts'
import { unreadable } from './recognise-file.ts'

const LONGEST_MS = 60_000
const LINE_END = 10

const thread = openThread('workbook-thread', import.meta.url)
let turn: Promise<unknown> = Promise.resolve()

/** The rows, that of the names first. Refuses `import_unreadable` for what the reader cannot read. */
export async function* readWorkbook(bytes: Uint8Array): AsyncGenerator<TableRow> {
  const lines = await read(bytes)
  let number = 0
  for (let from = 0; from < lines.length; ) {
    const found = lines.indexOf(LINE_END, from)
    const to = found < 0 ? lines.length : found
    const cells = JSON.parse(lines.subarray(from, to).toString()) as Cell[]
    from = to + 1
    if (++number > MOST_TABLE_ROWS) throw unreadable('rows', { most: String(MOST_TABLE_ROWS) })
    if (cells.length > MOST_COLUMNS) throw unreadable('columns')
    if (cells.some((cell) => typeof cell === 'string' && cell.includes('\0'))) throw unreadable('binary')
    if (cells.some((cell) => String(cell).trim() !== '')) yield { number, cells }
  }
}

/** One at a time: a workbook takes much more memory than its file. */
async function read(bytes: Uint8Array): Promise<Buffer> {
  const before = turn
  const limit = new AbortController()
  const reading = before.then(async () => {
    const late = sleep(LONGEST_MS, undefined, { signal: limit.signal }).then(() => limit.abort())
    late.catch(() => {})
    return thread.make([bytes], limit.signal)
  })
  turn = reading.catch(() => {})
  try {
    return Buffer.from(await reading)
  } catch {
    throw unreadable('sheet')
  } finally {
    limit.abort()
  }
}
