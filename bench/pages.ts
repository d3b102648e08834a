/** A page of a debtor's list, and the events of an invoice, as browsers that have been let in before read them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillInstance, fillInvoices, openBenchDatabase } from './bench-database.ts'
import { loadWithWrk } from './load.ts'
import type { Result } from './run.ts'
import { startServer } from './server.ts'

const INVOICES = 100_000
const PER_DEBTOR = 10_000
const CONNECTIONS = 64
const SECONDS = 10
/** One invoice of each debtor, by which its browser was let in. */
const DOORS = Array.from({ length: INVOICES / PER_DEBTOR }, (_, n) => n * PER_DEBTOR + 1)
const LIST_P99_MS = 30
const EVENTS_P99_MS = 25

function pathOf(n: number): string {
  return `/api/public/invoices/${100_000_000_000 + n}/${10_000 + (n % 9000)}`
}

/** The wrk script that repeats calls of each debtor, every one with the cookie of its device. */
async function scriptOf(url: string, call: { method: string; tail: string; body: string }): Promise<string> {
  const lines = await Promise.all(
    DOORS.map(async (n) => {
      const answer = await fetch(`${url}${pathOf(n)}`)
      if (!answer.ok) throw new Error(`${pathOf(n)} answered ${answer.status}`)
      const cookie = (answer.headers.get('set-cookie') ?? '').split(';', 1)[0]
      const headers = `{["Cookie"]="${cookie}",["Content-Type"]="application/json"}`
      const body = call.body === '' ? 'nil' : `'${call.body}'`
      return `  wrk.format("${call.method}", "${pathOf(n)}${call.tail}", ${headers}, ${body}),`
    }),
  )
  return `local calls
init = function()
  calls = {
${lines.join('\n')}
  }
end
request = function() return calls[math.random(1, #calls)] end
`
}

export async function benchPages(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-bench-pages-'))
  const database = await openBenchDatabase()
  try {
    const instanceId = await fillInstance(database.owner)
    await fillInvoices(database.owner, instanceId, INVOICES, PER_DEBTOR)
    const server = await startServer(database, 1)
    const url = `http://127.0.0.1:${server.port}`
    const filter = JSON.stringify({ 'statuses.main': 'ACTIVATED[OR]PAUSED[OR]DISPUTED' })
    const calls = [
      {
        name: 'first page of a list of 10,000 invoices',
        most: LIST_P99_MS,
        method: 'POST',
        tail: '/ledger?limit=10&page=1&orderBy=dates.expireDate',
        body: filter,
      },
      {
        name: 'events of an invoice',
        most: EVENTS_P99_MS,
        method: 'GET',
        tail: '/events?limit=-1',
        body: '',
      },
    ]
    const results: Result[] = []
    try {
      for (const call of calls) {
        const script = await scriptOf(url, call)
        loadWithWrk({ url, script, connections: CONNECTIONS, seconds: 2, folder })
        const answer = loadWithWrk({ url, script, connections: CONNECTIONS, seconds: SECONDS, folder })
        if (!answer) {
          console.log(`skipped: ${call.name} (wrk is not installed; on Debian: apt-get install wrk)`)
          continue
        }
        results.push(
          { name: call.name, value: answer.requestsPerSecond, unit: 'requests/s', floor: null, ratio: null },
          {
            name: `${call.name}, p99`,
            value: answer.p99Ms,
            unit: 'ms',
            floor: call.most,
            ratio: answer.p99Ms / call.most,
          },
        )
      }
    } finally {
      await server.stop()
    }
    return results
  } finally {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
