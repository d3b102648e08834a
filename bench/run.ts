/** `npm run bench`: every figure beside its floor in the same run; bench/results.json and a table. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { benchFirstScreen } from './first-screen.ts'
import { benchImportRate } from './import-rate.ts'
import { benchNight } from './night.ts'
import { benchPages } from './pages.ts'
import { benchPayments } from './payments.ts'
import { benchReadInvoice } from './read-invoice.ts'
import { benchStartUp } from './start-up.ts'

export type Result = {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** What the same machine does at best in the same run; null when there is nothing to compare with. */
  readonly floor: number | null
  readonly ratio: number | null
}

const results: Result[] = []
for (const bench of [
  benchReadInvoice,
  benchPages,
  benchPayments,
  benchImportRate,
  benchStartUp,
  benchNight,
  benchFirstScreen,
]) {
  for (const result of await bench()) {
    results.push(result)
    const beside =
      result.floor === null
        ? ''
        : `   floor ${result.floor.toFixed(1)}, ratio ${(result.ratio ?? 0).toFixed(3)}`
    console.log(`${result.name.padEnd(44)} ${result.value.toFixed(1).padStart(10)} ${result.unit}${beside}`)
  }
}
writeFileSync(
  fileURLToPath(new URL('results.json', import.meta.url)),
  `${JSON.stringify(results, null, 2)}\n`,
)
