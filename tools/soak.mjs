// `npm run soak`: the long tests whole, of which `npm test` runs a part. Writes bench/soak.json.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildOrExit } from './build.mjs'
import { checkNode, installDependencies, root } from './install.mjs'

const LONG_TESTS = [
  'apps/server/src/testing/simulation',
  'apps/server/src/testing/judged',
  'apps/server/src/testing/pairs',
  'apps/server/src/openapi.test.ts',
  'apps/server/src/staff-calls.test.ts',
  'apps/server/src/main.test.ts',
  'apps/server/src/payments/interleavings.test.ts',
  'apps/server/src/payments/late-files.test.ts',
  'apps/server/src/platform/database/database-crash.test.ts',
  'apps/server/src/payments/swish-callbacks.test.ts',
  'apps/server/src/sign-in/same-time.test.ts',
  'apps/server/src/claims/nothing-was-owed.test.ts',
  'e2e/part-payments/a-part-that-does-not-come.spec.ts',
  'e2e/sign-in/cookies-refused.spec.ts',
  'e2e/payments/cut-while-paying.spec.ts',
  'e2e/part-payments/cut-while-starting-a-plan.spec.ts',
  'e2e/screens/every-screen-is-accessible.spec.ts',
  'e2e/screens/every-screen-by-keyboard.spec.ts',
  'e2e/payments/every-way-to-pay.spec.ts',
  'e2e/screens/five-languages.spec.ts',
  'e2e/screens/forced-colours.spec.ts',
  'e2e/part-payments/in-parts-each-way.spec.ts',
  'e2e/payments/keeps-its-place.spec.ts',
  'e2e/screens/lab.spec.ts',
  'e2e/platform/kill-points.spec.ts',
  'e2e/platform/two-processes.spec.ts',
  'e2e/screens/what-others-put-in.spec.ts',
  'e2e/sites/questions-and-answers.spec.ts',
]

checkNode()
installDependencies()
await buildOrExit()
mkdirSync(join(root, '.cache'), { recursive: true })
const tests = join(root, '.cache/soak-tests.json')
const simulation = join(root, '.cache/soak-simulation.json')
rmSync(tests, { force: true })
rmSync(simulation, { force: true })
const startedAt = Date.now()
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const reporters = ['--reporter=default', '--reporter=./tools/report-tests.mjs']
// One test file after the other: they measure nothing, but each may use the whole machine.
const command = ['run', '--no-file-parallelism', ...reporters, ...LONG_TESTS, ...process.argv.slice(2)]
const run = spawnSync(process.execPath, [vitest, ...command], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, SOAK: '1', TEST_REPORT: tests, SOAK_REPORT: simulation },
})
const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)
const result = read(tests) ?? { passed: 0, failures: ['the run broke off'] }
const report = {
  finishedAt: new Date().toISOString(),
  seconds: Math.round((Date.now() - startedAt) / 1000),
  passed: result.passed,
  failed: result.failures.length,
  failures: result.failures,
  // Each says in its name how much it played.
  tests: result.seconds,
  simulation: read(simulation),
}
writeFileSync(join(root, 'bench/soak.json'), `${JSON.stringify(report, null, 2)}\n`)
console.log(`${report.passed} passed, ${report.failed} failed`)
process.exit(run.status === 0 && report.failed === 0 ? 0 : 1)
