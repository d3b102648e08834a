/** Tables as files: CSV, PDF or a spreadsheet. */
import { openFileQueue, openWorkQueue } from '../files/file-queue.ts'
import type { FileAnswer } from '../http/send-file.ts'
import { writeCsv } from './csv.ts'
import type { Row, Rows, TableHead, WantedTable } from './table.ts'

export type { Cell, Row, Rows, TableHead } from './table.ts'

export type TableFormat = 'csv' | 'pdf' | 'xlsx'

export const TABLE_TYPES: Readonly<Record<TableFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** A list of ten thousand takes seconds to draw: whoever came last waits for a minute, and more are sent away. */
const queue = openFileQueue({
  name: 'lists',
  thread: 'table-thread',
  from: import.meta.url,
  most: 10,
  mostEach: 2,
  longestMs: 60_000,
})

/** To write CSV is nothing, to read its rows is: of the connections that payers use too, lists get a few. */
const csvQueue = openWorkQueue({ name: 'csv', atOnce: 2, most: 20, mostEach: 4 })

/** What jobs make, a thread of their own: it takes no turn from people who wait for a list, and none from it. */
const jobQueue = openFileQueue({
  name: 'job-tables',
  thread: 'table-thread',
  from: import.meta.url,
  most: 1000,
  mostEach: 100,
  longestMs: 10 * 60_000,
})

export type TableWish = {
  readonly format: TableFormat
  /** Whose turn it takes: as many wait for each. */
  readonly requester: string
  /** Ends when whoever asked has gone. */
  readonly signal: AbortSignal
  /** Stands in the file's name: day and time. */
  readonly stamp: string
}

/** In turns of those who asked, and the rows are not read before. CSV is no work; the others are made in a thread. */
export async function makeTable(
  head: TableHead,
  rows: Rows,
  { format, requester, signal, stamp }: TableWish,
): Promise<FileAnswer> {
  const bytes =
    format === 'csv'
      ? await csvQueue.run(() => writeCsv(head, untilLeft(rows, signal)), { requester, signal })
      : await queue.make(partsOf({ format, head }, rows), { requester, signal })
  return fileOf(bytes, head, { format, stamp })
}

/** The same for a job, whatever people are waiting for; it may take ten minutes. */
export async function makeTableInJob(
  head: TableHead,
  rows: Rows,
  { format, requester, stamp }: Omit<TableWish, 'signal'>,
): Promise<FileAnswer> {
  const bytes =
    format === 'csv'
      ? await writeCsv(head, rows)
      : await jobQueue.make(partsOf({ format, head }, rows), { requester })
  return fileOf(bytes, head, { format, stamp })
}

function fileOf(
  bytes: FileAnswer['bytes'],
  head: TableHead,
  { format, stamp }: Pick<TableWish, 'format' | 'stamp'>,
): FileAnswer {
  const name = `${head.title.replace(/[^\p{L}\p{N}._ -]+/gu, '-')} ${stamp}.${format}`
  return { bytes, mimeType: TABLE_TYPES[format], name, isPublic: false }
}

/** Nobody reads on for somebody who has gone. */
async function* untilLeft(rows: Rows, signal: AbortSignal): AsyncGenerator<readonly Row[]> {
  for await (const some of rows) {
    signal.throwIfAborted()
    yield some
  }
}

/** Its first rows are read before anything is begun: a question that is refused begins nothing. */
async function* partsOf(wanted: WantedTable, rows: Rows): AsyncGenerator<WantedTable | readonly Row[]> {
  let isBegun = false
  for await (const some of rows) {
    if (!isBegun) yield wanted
    isBegun = true
    yield some
  }
  if (!isBegun) yield wanted
}

/** The business day and the time of day in a zone, as it stands in a file name. */
export function stampOf(
  { clock }: { readonly clock: { readonly now: () => number; readonly today: (zone: string) => string } },
  timeZone: string,
): string {
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'medium' })
  return `${clock.today(timeZone)} ${time.format(clock.now()).replaceAll(':', '')}`
}
