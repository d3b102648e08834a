// `npm test`: everything from a fresh clone to a verdict. The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { requireBrowser } from './browser.mjs'
import { checkNode, installDependencies, root } from './install.mjs'
import { copyCheckout, installNode, startAndPay } from './other-node.mjs'

const tool = (name) => join(root, 'node_modules', name)
const checks = [
  { name: 'types', command: [tool('typescript/bin/tsc'), '-b'] },
  { name: 'lint', command: [tool('oxlint/bin/oxlint')] },
  { name: 'format', command: [tool('@biomejs/biome/bin/biome'), 'format', '.'] },
  { name: 'dead code and dependencies', command: [tool('knip/bin/knip.js'), '--no-config-hints'] },
  { name: 'build', command: [join(root, 'tools/build.mjs')] },
]

/** Long-term support since October 2025; the product itself also runs on 20.19 and later. */
const CURRENT_LTS = 24

checkNode()
installDependencies()
const browser = requireBrowser()
const results = [...checks.map(runCheck), runTests(), ...(await startFreshClone())]
const total = (count) => results.reduce((sum, result) => sum + count(result), 0)
const passed = total((result) => result.passed)
const failed = total((result) => result.failures.length)
const skipped = results.flatMap((result) => result.skipped)

for (const { name, reason } of skipped) console.log(`skipped: ${name} (${reason})`)
for (const name of results.flatMap((result) => result.failures)) console.log(`failed: ${name}`)
console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)

function runCheck({ name, command }) {
  console.log(`\n== ${name}`)
  const run = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' })
  return run.status === 0
    ? { passed: 1, failures: [], skipped: [] }
    : { passed: 0, failures: [`check: ${name}`], skipped: [] }
}

/** Every test file, the journeys in the browser included; counts come from report-tests.mjs. */
function runTests() {
  console.log('\n== tests')
  const report = join(root, '.cache/test-report.json')
  mkdirSync(join(root, '.cache'), { recursive: true })
  rmSync(report, { force: true })
  const command = ['run', '--reporter=default', '--reporter=./tools/report-tests.mjs']
  const run = spawnSync(process.execPath, [tool('vitest/vitest.mjs'), ...command, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, CHROMIUM_PATH: browser, TEST_REPORT: report },
  })
  if (!existsSync(report)) return { passed: 0, failures: ['the test run broke off'], skipped: [] }
  const result = JSON.parse(readFileSync(report, 'utf8'))
  tellSlowest(result)
  if (run.status !== 0 && result.failures.length === 0)
    result.failures.push('the test run ended with an error')
  return result
}

/** What a change of the run's time is to be looked for in. A file's start is counted apart from its tests. */
function tellSlowest({ seconds, starts }) {
  const slowest = (all) => Object.entries(all).sort(([, one], [, other]) => other - one)
  const print = (all) => {
    for (const [name, took] of all) console.log(`${took.toFixed(1).padStart(7)} s  ${name}`)
  }
  console.log('\nThe slowest tests:')
  print(slowest(seconds).slice(0, 20))
  console.log('\nThe slowest files before their first test:')
  print(slowest(starts).slice(0, 5))
}

/**
 * A fresh clone on the Node that most people have: installed, built, started and paid with. Not when only some tests are asked
 * for.
 */
async function startFreshClone() {
  if (process.argv.length > 2) return []
  const name = `a fresh clone starts on Node ${CURRENT_LTS}, and an invoice is paid`
  console.log(`\n== ${name}`)
  const skip = (reason) => [{ passed: 0, failures: [], skipped: [{ name, reason }] }]
  const bin = installNode(CURRENT_LTS)
  if (bin === undefined) return skip('the registry does not give that Node here')
  const folder = copyCheckout()
  if (folder === undefined) return skip('this is no git checkout')
  try {
    await startAndPay({ folder, bin, port: 18_880 })
    return [{ passed: 1, failures: [], skipped: [] }]
  } catch (error) {
    console.error(error.message)
    return [{ passed: 0, failures: [name], skipped: [] }]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
