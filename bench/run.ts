/**
 * `npm run bench`: every figure beside its floor in the same run; bench/results.json and a table. `npm run bench -- NAME`
 * measures one part alone. With `--compare` it ends with 1 when a figure is worse than in the runs before, which are kept in
 * bench/earlier-results.json.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { benchAudit } from './staff/audit.ts'
import { benchBankFile } from './bank-file.ts'
import { benchChallenge } from './challenge.ts'
import { findWorse, haveNone, sayWorse } from './compare.ts'
import { benchDashboard } from './staff/dashboard.ts'
import { benchFiles } from './files.ts'
import { benchFirstScreen } from './first-screen.ts'
import { benchImportRate } from './import-rate.ts'
import { benchLookUps } from './look-ups.ts'
import { benchNight } from './night.ts'
import { benchPages } from './pages.ts'
import { benchPayments } from './payments.ts'
import { benchReadInvoice } from './read-invoice.ts'
import { benchStartUp } from './start-up.ts'
import { benchWaitingNight } from './waiting-night.ts'

export type Result = {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** What the same machine does at best in the same run; null when there is nothing to compare with. */
  readonly floor: number | null
  readonly ratio: number | null
}

const BENCHES: Readonly<Record<string, () => Promise<Result[]> | AsyncIterable<Result>>> = {
  'read-invoice': benchReadInvoice,
  pages: benchPages,
  files: benchFiles,
  'look-ups': benchLookUps,
  audit: benchAudit,
  dashboard: benchDashboard,
  'bank-file': benchBankFile,
  challenge: benchChallenge,
  payments: benchPayments,
  import: benchImportRate,
  start: benchStartUp,
  night: () => benchNight(),
  'waiting-night': () => benchWaitingNight(),
  'first-screen': benchFirstScreen,
}

const RESULTS = fileURLToPath(new URL('results.json', import.meta.url))
const EARLIER = fileURLToPath(new URL('earlier-results.json', import.meta.url))
/** So many runs are kept: enough for a median and for what runs differ by. */
const KEPT_RUNS = 5

/** The runs before, with the last one, which this run is about to write over. */
function keepEarlier(): Result[][] {
  const read = <Value>(file: string): Value[] =>
    existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Value[]) : []
  const last = read<Result>(RESULTS)
  const runs = [...read<Result[]>(EARLIER), ...(last.length > 0 ? [last] : [])].slice(-KEPT_RUNS)
  writeFileSync(EARLIER, `${JSON.stringify(runs)}\n`)
  return runs
}

const isCompared = process.argv.includes('--compare')
const wanted = process.argv.slice(2).filter((word) => word !== '--compare')
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')} to measure, only ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(2)
}
const earlier = keepEarlier()
if (isCompared && earlier.length === 0) {
  console.error('There is no run to compare with: run `npm run bench` first, on this machine.')
  process.exit(2)
}
const results: Result[] = []
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for await (const result of await bench()) {
    results.push(result)
    const beside =
      result.floor === null
        ? ''
        : `   floor ${result.floor.toFixed(1)}, ratio ${(result.ratio ?? 0).toFixed(3)}`
    console.log(`${result.name.padEnd(52)} ${result.value.toFixed(1).padStart(10)} ${result.unit}${beside}`)
    // After each, so that a run that is ended early has told what it found.
    writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
  }
}
if (isCompared) {
  if (haveNone(results, earlier)) {
    const names = results.map(({ name }) => name).join(', ') || 'nothing was measured'
    console.error(
      `Nothing could be compared: none of the ${earlier.length} runs before has a figure of these: ${names}.`,
    )
    process.exit(2)
  }
  const worse = findWorse(results, earlier)
  for (const one of worse) console.error(sayWorse(one))
  console.log(`${results.length} figures, ${worse.length} worse than in the ${earlier.length} runs before`)
  process.exitCode = worse.length > 0 ? 1 : 0
}
