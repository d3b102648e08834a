/** Reading one invoice over HTTP beside pgbench with the same statement on the same server. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { INVOICE_JSON } from '../apps/server/src/invoices/invoice-json.queries.ts'
import { fillInstance, fillInvoices, openBenchDatabase, type BenchDatabase } from './bench-database.ts'
import { loadWithWrk } from './load.ts'
import type { Result } from './run.ts'
import { startServer } from './server.ts'

const INVOICES = 100_000
const CONNECTIONS = 64
const SECONDS = 12

/** Each request reads another invoice, as somebody who has not been here before. */
const READ_ANY = `math.randomseed(os.time())
request = function()
  local n = math.random(1, ${INVOICES})
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

export async function benchReadInvoice(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-bench-read-'))
  const database = await openBenchDatabase()
  try {
    const instanceId = await fillInstance(database.owner)
    await fillInvoices(database.owner, instanceId, INVOICES)
    const floor = runPgbench(database, instanceId, folder)
    if (floor === undefined) {
      console.log(
        'skipped: read one invoice (pgbench is not installed; on Debian it comes with postgresql-client or postgresql-contrib)',
      )
      return []
    }
    const results: Result[] = []
    for (const workers of [1, 2]) {
      const server = await startServer(database, workers)
      const load = {
        url: `http://127.0.0.1:${server.port}`,
        script: READ_ANY,
        connections: CONNECTIONS,
        seconds: SECONDS,
        folder,
      }
      const answer = loadWithWrk(load)
      await server.stop()
      if (!answer) {
        console.log('skipped: read one invoice (wrk is not installed; on Debian: apt-get install wrk)')
        return []
      }
      const name = `read one invoice, ${workers} ${workers === 1 ? 'process' : 'processes'}`
      results.push(
        {
          name,
          value: answer.requestsPerSecond,
          unit: 'requests/s',
          floor,
          ratio: answer.requestsPerSecond / floor,
        },
        { name: `${name}, p99`, value: answer.p99Ms, unit: 'ms', floor: null, ratio: null },
      )
    }
    return results
  } finally {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
