/** Reads the first sheet of a workbook. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Cell } from './import-rows.queries.ts'
import { MOST_COLUMNS, MOST_TABLE_ROWS, type TableRow } from './read-csv.ts'
import { unreadable } from './recognise-file.ts'

const LONGEST_MS = 60_000
/** Of the program's heap: twice of what the largest workbook needs that is taken. */
const MOST_MEGABYTES = 512
const LINE_END = 10

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
  const reading = before.then(() => readInProgram(bytes))
  turn = reading.catch(() => {})
  try {
    return await reading
  } catch {
    throw unreadable('sheet')
  }
}

/** Throws when the program does not end well: it cannot read the workbook, takes too long, or too much memory. */
async function readInProgram(bytes: Uint8Array): Promise<Buffer> {
  const isSource = import.meta.url.endsWith('.ts')
  const file = new URL(`workbook-program.${isSource ? 'ts' : 'js'}`, import.meta.url)
  const program = spawn(
    process.execPath,
    [
      `--max-old-space-size=${MOST_MEGABYTES}`,
      ...(isSource ? ['--import', import.meta.resolve('tsx')] : []),
      fileURLToPath(file),
    ],
    // It is told nothing: our environment holds secrets, and the file is a stranger's.
    { stdio: ['pipe', 'pipe', 'ignore'], env: {}, timeout: LONGEST_MS, killSignal: 'SIGKILL' },
  )
  const ended = once(program, 'close') as Promise<[number | null]>
  // One that ends before it has read everything is known by its status.
  program.stdin.on('error', () => {})
  program.stdin.end(bytes)
  const [said, [status]] = await Promise.all([buffer(program.stdout), ended])
  if (status !== 0) throw new Error(`the program ended with status ${status}`)
  return said
}
