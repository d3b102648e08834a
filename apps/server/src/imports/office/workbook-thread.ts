/** The thread in which workbooks are read: what a file costs to be read, nobody else waits for. */
import { readSheet } from 'read-excel-file/node'
import { workInThread } from '../../platform/files/thread.ts'

type Read = string | number | boolean | Date | null

/** A day as a table writes it; a moment of a day is no part of an invoice. */
function cellOf(cell: Read): string | number {
  if (cell === null) return ''
  if (cell instanceof Date) return Number.isNaN(cell.valueOf()) ? '' : cell.toISOString().slice(0, 10)
  return typeof cell === 'boolean' ? String(cell) : cell
}

/** The rows of the first sheet, each as a line of JSON. */
await workInThread<Uint8Array>(async (parts) => {
  const bytes: Uint8Array[] = []
  for await (const part of parts) bytes.push(part)
  const rows = (await readSheet(Buffer.concat(bytes))) as Read[][]
  return Buffer.from(rows.map((row) => JSON.stringify(row.map(cellOf))).join('\n'))
})
