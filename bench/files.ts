/** Ten lists of ten thousand invoices wanted as PDFs at once, and fifty reads a second beside them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fillInstance, fillInvoices, openBenchDatabase } from './bench-database.ts'
import { peakMegabytes } from './processes.ts'
import type { Result } from './run.ts'
import { startServer } from './server.ts'

const LISTS = 10
const ROWS = 10_000
const READS_PER_SECOND = 50
const ALONE_SECONDS = 15
const P99_MS = 100
const MOST_MEGABYTES = 300

/** One invoice of the debtor, by which its list is opened. */
const pathOf = (debtor: number): string => {
  const n = debtor * ROWS + 1
  return `/api/public/invoices/${100_000_000_000 + n}/${10_000 + (n % 9000)}`
}

async function wantList(
  url: string,
  debtor: number,
): Promise<{ status: number; bytes: number; again: number }> {
  const answer = await fetch(`${url}${pathOf(debtor)}/ledger/download?format=pdf`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const bytes = (await answer.arrayBuffer()).byteLength
  return { status: answer.status, bytes, again: Number(answer.headers.get('retry-after')) }
}

/** The times of reads that begin at fixed moments, however long others take, until `end` comes true. */
async function readUntil(url: string, end: () => boolean): Promise<number[]> {
  const cookie = ((await fetch(`${url}${pathOf(0)}`)).headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  const since = performance.now()
  const reads: Promise<number>[] = []
  for (let n = 0; !end(); n++) {
    const due = since + (n * 1000) / READS_PER_SECOND
    await sleep(Math.max(0, due - performance.now()))
    reads.push(
      fetch(`${url}${pathOf(0)}`, { headers: { cookie } }).then(async (answer) => {
        await answer.arrayBuffer()
        if (!answer.ok) throw new Error(`a read answered ${answer.status}`)
        return performance.now() - due
      }),
    )
  }
  return Promise.all(reads)
}

const p99 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0

export async function* benchFiles(): AsyncGenerator<Result> {
  const database = await openBenchDatabase()
  try {
    const instanceId = await fillInstance(database.owner)
    await fillInvoices(database.owner, instanceId, (LISTS + 1) * ROWS, ROWS)
    const server = await startServer(database, 1)
    try {
      const url = `http://127.0.0.1:${server.port}`
      const alone = performance.now() + ALONE_SECONDS * 1000
      await readUntil(url, () => performance.now() > alone - 10_000)
      const floor = p99(await readUntil(url, () => performance.now() > alone))
      const before = peakMegabytes(server.pid)
      const since = performance.now()
      let isDone = false
      const lists = Promise.all(
        Array.from({ length: LISTS }, (_, debtor) => wantList(url, debtor + 1)),
      ).finally(() => (isDone = true))
      const reading = readUntil(url, () => isDone)
      await sleep(500)
      const eleventh = await wantList(url, 0)
      if (eleventh.status !== 503 || !eleventh.again)
        throw new Error(`the eleventh list answered ${eleventh.status}`)
      const made = await lists
      const seconds = (performance.now() - since) / 1000
      // A row is some 900 bytes.
      const wrong = made.find(({ status, bytes }) => status !== 200 || bytes < ROWS * 500)
      if (wrong) throw new Error(`a list answered ${wrong.status} with ${wrong.bytes} bytes`)
      const beside = p99(await reading)
      yield {
        name: 'reads beside ten PDFs of 10,000 rows, p99',
        value: beside,
        unit: 'ms',
        floor,
        ratio: beside / floor,
      }
      yield {
        name: 'the same, of what it may be',
        value: beside,
        unit: 'ms',
        floor: P99_MS,
        ratio: beside / P99_MS,
      }
      yield { name: 'ten PDFs of 10,000 rows, all made', value: seconds, unit: 's', floor: null, ratio: null }
      const after = peakMegabytes(server.pid)
      if (before !== undefined && after !== undefined) {
        const more = after - before
        yield {
          name: 'memory for ten PDFs',
          value: more,
          unit: 'MB',
          floor: MOST_MEGABYTES,
          ratio: more / MOST_MEGABYTES,
        }
      }
    } finally {
      await server.stop()
    }
  } finally {
    await database.stop()
  }
}
