/**
 * `npm run bench`: every figure beside its floor in the same run; bench/results.json and a table. `npm run bench -- NAME`
 * measures one part alone.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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
  payments: benchPayments,
  import: benchImportRate,
  start: benchStartUp,
  night: () => benchNight(),
  'waiting-night': () => benchWaitingNight(),
  'first-screen': benchFirstScreen,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')} to measure, only ${Object.keys(BENCHES).join(', ')}.`)
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
    writeFileSync(
      fileURLToPath(new URL('results.json', import.meta.url)),
      `${JSON.stringify(results, null, 2)}\n`,
    )
  }
}
