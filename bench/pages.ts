/** A page of a debtor's list, and the events of an invoice, as browsers that have been let in before read them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillInstance, fillInvoices, openBenchDatabase, type BenchDatabase } from './bench-database.ts'
import { loadWithWrk } from './load.ts'
import { cpuSeconds, databaseCpuSeconds } from './processes.ts'
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
async function scriptOf(url: string, call: Call): Promise<string> {
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

type Call = { name: string; most: number; method: string; tail: string; body: string }

const CALLS: readonly Call[] = [
  {
    name: 'first page of a list of 10,000 invoices',
    most: LIST_P99_MS,
    method: 'POST',
    tail: '/ledger?limit=10&page=1&orderBy=dates.expireDate',
    body: JSON.stringify({ 'statuses.main': 'ACTIVATED[OR]PAUSED[OR]DISPUTED' }),
  },
  {
    name: 'events of an invoice',
    most: EVENTS_P99_MS,
    method: 'GET',
    tail: '/events?limit=-1',
    body: '',
  },
]

/** Processor seconds of the server and of the database so far. */
async function usedSeconds(database: BenchDatabase, pid: number) {
  return { server: cpuSeconds(pid), database: await databaseCpuSeconds(database) }
}

type Place = { database: BenchDatabase; server: { port: number; pid: number }; folder: string }

async function measure({ database, server, folder }: Place, call: Call): Promise<Result[]> {
  const url = `http://127.0.0.1:${server.port}`
  const load = { url, script: await scriptOf(url, call), connections: CONNECTIONS, folder }
  loadWithWrk({ ...load, seconds: 2 })
  const before = await usedSeconds(database, server.pid)
  const answer = loadWithWrk({ ...load, seconds: SECONDS })
  const after = await usedSeconds(database, server.pid)
  if (!answer) {
    console.log(`skipped: ${call.name} (wrk is not installed; on Debian: apt-get install wrk)`)
    return []
  }
  const { name, most } = call
  const { requestsPerSecond, p99Ms, requests } = answer
  const costs = (['server', 'database'] as const).flatMap((program): Result[] => {
    const [from, to] = [before[program], after[program]]
    if (from === undefined || to === undefined) return []
    const value = ((to - from) * 1_000_000) / requests
    return [{ name: `${name}, ${program}`, value, unit: 'us each', floor: null, ratio: null }]
  })
  return [
    { name, value: requestsPerSecond, unit: 'requests/s', floor: null, ratio: null },
    { name: `${name}, p99`, value: p99Ms, unit: 'ms', floor: most, ratio: p99Ms / most },
    ...costs,
  ]
}

export async function benchPages(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-bench-pages-'))
  const database = await openBenchDatabase()
  try {
    const instanceId = await fillInstance(database.owner)
    await fillInvoices(database.owner, instanceId, INVOICES, PER_DEBTOR)
    const server = await startServer(database, 1)
    const results: Result[] = []
    try {
      for (const call of CALLS) results.push(...(await measure({ database, server, folder }, call)))
    } finally {
      await server.stop()
    }
    return results
  } finally {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
