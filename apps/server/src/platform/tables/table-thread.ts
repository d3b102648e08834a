/** The thread in which lists become PDFs and spreadsheets. */
import { workInThread } from '../files/thread.ts'
import type { Row, WantedTable } from './table.ts'
import { writeTablePdf } from './table-pdf.ts'
import { writeXlsx } from './xlsx.ts'

type Part = WantedTable | readonly Row[]

async function* rowsIn(parts: AsyncIterable<Part>): AsyncGenerator<readonly Row[]> {
  for await (const part of parts) if (!('head' in part)) yield part
}

await workInThread<Part>(async (parts) => {
  const { value: wanted } = await parts.next()
  if (!wanted || !('head' in wanted)) throw new Error('no table was asked for')
  const { format, head } = wanted
  return format === 'pdf' ? writeTablePdf(head, rowsIn(parts)) : writeXlsx(head, rowsIn(parts))
})
