/** Reading one invoice over HTTP beside pgbench with the same statement on the same server. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { INVOICE_JSON } from '../apps/server/src/invoices/invoice-json.queries.ts'
import { fillInstance, fillInvoices, openBenchDatabase, type BenchDatabase } from './bench-database.ts'
import { loadWithWrk } from './load.ts'
import { databaseCpuSeconds, peakMegabytes } from './processes.ts'
import type { Result } from './run.ts'
import { startServer } from './server.ts'

const INVOICES = 100_000
const MANY_INVOICES = 1_000_000
const MOST_P99_MS = 25
const MOST_MEGABYTES = 200
const CONNECTIONS = 64
const SECONDS = 12

/** Each request reads another invoice, as somebody who has not been here before. */
const readAny = (invoices: number): string => `math.randomseed(os.time())
request = function()
  local n = math.random(1, ${invoices})
  return wrk.format("GET", string.format("/api/public/invoices/%d/%d", 100000000000 + n, 10000 + n % 9000))
end
`

/** Transactions a second of pgbench, prepared, with our statement; undefined when pgbench is missing. */
function runPgbench(database: BenchDatabase, instanceId: string, folder: string): number | undefined {
  const text = INVOICE_JSON.replace('$1', `'${instanceId}'`)
    .replace('$2', '(100000000000 + :n)::text')
    .replace('$3', '(10000 + :n % 9000)::text')
    .replaceAll('$4', 'null')
    .replace('$5', 'current_date')
  const script = join(folder, 'read.sql')
  writeFileSync(script, `\\set n random(1, ${INVOICES})\n${text.replace(/\s+/g, ' ')};\n`)
  const args = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(CONNECTIONS),
    '-j',
    '2',
    '-T',
    String(SECONDS),
    '-f',
    script,
  ]
  const at = ['-h', database.host, '-p', String(database.port), '-U', database.ownerUser, database.database]
  const run = spawnSync('pgbench', [...args, ...at], { encoding: 'utf8' })
  if (run.error) return undefined
  const rate = /tps = ([\d.]+)/.exec(run.stdout)?.[1]
  if (!rate) throw new Error(`pgbench failed: ${run.stderr}`)
  return Number(rate)
}

type Read = {
  readonly requestsPerSecond: number
  readonly p99Ms: number
  readonly databaseMicroseconds: number | undefined
  readonly peakMegabytes: number | undefined
}

/** Loads a server of `workers` processes over the database; undefined when wrk is missing. */
async function measureReads(
  database: BenchDatabase,
  { workers, script, folder }: { workers: number; script: string; folder: string },
): Promise<Read | undefined> {
  const server = await startServer(database, workers)
  try {
    const load = { url: `http://127.0.0.1:${server.port}`, script, connections: CONNECTIONS, folder }
    if (!loadWithWrk({ ...load, seconds: 3 })) return undefined
    const before = await databaseCpuSeconds(database)
    const answer = loadWithWrk({ ...load, seconds: SECONDS })
    const after = await databaseCpuSeconds(database)
    if (!answer) return undefined
    const used = before === undefined || after === undefined ? undefined : after - before
    return {
      ...answer,
      databaseMicroseconds: used === undefined ? undefined : (used * 1_000_000) / answer.requests,
      peakMegabytes: peakMegabytes(server.pid),
    }
  } finally {
    await server.stop()
  }
}

/** Without a floor of the same run: the limit that is wanted, which the value should stay under. */
function beside(name: string, value: number | undefined, unit: string, most: number | null): Result[] {
  if (value === undefined) {
    console.log(`skipped: ${name} (only Linux tells)`)
    return []
  }
  return [{ name, value, unit, floor: most, ratio: most === null ? null : value / most }]
}

async function benchSmall(database: BenchDatabase, instanceId: string, folder: string): Promise<Result[]> {
  const floor = runPgbench(database, instanceId, folder)
  if (floor === undefined) {
    console.log(
      'skipped: read one invoice (pgbench is not installed; on Debian it comes with postgresql-client or postgresql-contrib)',
    )
    return []
  }
  const results: Result[] = []
  for (const workers of [1, 2]) {
    const read = await measureReads(database, { workers, script: readAny(INVOICES), folder })
    if (!read) {
      console.log('skipped: read one invoice (wrk is not installed; on Debian: apt-get install wrk)')
      return []
    }
    const name = `read one invoice, ${workers} ${workers === 1 ? 'process' : 'processes'}`
    const rate = read.requestsPerSecond
    results.push({ name, value: rate, unit: 'requests/s', floor, ratio: rate / floor })
    results.push(...beside(`${name}, p99`, read.p99Ms, 'ms', MOST_P99_MS))
    if (workers > 1) continue
    results.push(...beside(`${name}, memory at most`, read.peakMegabytes, 'MB', MOST_MEGABYTES))
    results.push(...beside(`${name}, database`, read.databaseMicroseconds, 'us a read', null))
  }
  return results
}

/** What a read costs the database when ten times as many invoices are there. */
async function benchLarge(small: number, folder: string): Promise<Result[]> {
  const database = await openBenchDatabase()
  try {
    await fillInvoices(database.owner, await fillInstance(database.owner), MANY_INVOICES)
    const read = await measureReads(database, { workers: 1, script: readAny(MANY_INVOICES), folder })
    return beside('read one of a million, database', read?.databaseMicroseconds, 'us a read', small)
  } finally {
    await database.stop()
  }
}

export async function benchReadInvoice(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-bench-read-'))
  try {
    const database = await openBenchDatabase()
    let results: Result[]
    try {
      const instanceId = await fillInstance(database.owner)
      await fillInvoices(database.owner, instanceId, INVOICES)
      results = await benchSmall(database, instanceId, folder)
    } finally {
      await database.stop()
    }
    const small = results.find((result) => result.unit === 'us a read')?.value
    return small === undefined ? results : [...results, ...(await benchLarge(small, folder))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
