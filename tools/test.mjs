// `npm test`: everything from a fresh clone to a verdict. The last line is `N passed, N failed`.
// `npm test -- --changed`: what the difference to main can reach. Other arguments go to the test runner.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { requireBrowser } from './browser.mjs'
import { findBase, listChanged, listFiles, listImporters, planFor, readReach } from './gate/changed.mjs'
import { runJob } from './gate/jobs.mjs'
import { checkNode, installDependencies, root } from './install.mjs'

const tool = (name) => join(root, 'node_modules', name)
const BUILD = { name: 'build', command: [join(root, 'tools/build.mjs')] }
const TYPES = { name: 'types', command: [tool('typescript/bin/tsc'), '-b'] }
const LINT = { name: 'lint', command: [tool('oxlint/bin/oxlint')] }
const FORMAT = { name: 'format', command: [tool('@biomejs/biome/bin/biome'), 'format'] }
const KNIP = { name: 'dead code and dependencies', command: [tool('knip/bin/knip.js'), '--no-config-hints'] }

/** Long-term support since October 2025; the product itself also runs on 20.19 and later. */
const CURRENT_LTS = 24

checkNode()
installDependencies()
const startedAt = Date.now()
const asked = process.argv.slice(2)
const results = asked.includes('--changed') ? await runChanged() : await runAll()
tellSlowest(results)
const total = (count) => results.reduce((sum, result) => sum + count(result), 0)
const passed = total((result) => result.passed)
const failed = total((result) => result.failures.length)
const skipped = results.flatMap((result) => result.skipped)

console.log(`\n${secondsSince(startedAt)} s`)
for (const { name, reason } of skipped) console.log(`skipped: ${name} (${reason})`)
for (const name of results.flatMap((result) => result.unsteady ?? []))
  console.log(`unsteady: ${name} (failed beside others, passed alone)`)
for (const name of results.flatMap((result) => result.failures)) console.log(`failed: ${name}`)
console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)

/** Tests use what is built; everything else runs beside them, as the tests of the server begin, and not beside journeys. */
async function runAll() {
  const checks = [TYPES, LINT, withArguments(FORMAT, ['.']), KNIP]
  return afterBuild(checks, () => [
    runTests('tests', asked).then(tryJourneysAlone),
    inTurn([...checks.map((job) => () => check(job)), ...(asked.length > 0 ? [] : [startFreshClone])]),
  ])
}

/** As near as folders and imports tell. What is not found so is found by `npm test`. */
async function runChanged() {
  const base = findBase()
  if (base === undefined)
    return [failedAs('--changed: there is nothing to compare with, neither main nor a commit before')]
  const changed = listChanged(base)
  const files = listFiles()
  const readText = (path) => readFileSync(join(root, path), 'utf8')
  const { tests, journeys, far } = planFor(changed, {
    files,
    importers: listImporters(files, readText),
    reach: readReach(),
  })
  tellPlan({ base, changed, tests, journeys, far })
  const code = changed.filter((path) => /\.(?:tsx?|mjs)$/.test(path) && files.includes(path))
  const checks = [
    TYPES,
    KNIP,
    ...(code.length > 0
      ? [withArguments(LINT, code), withArguments(FORMAT, ['--no-errors-on-unmatched', ...code])]
      : []),
  ]
  const more = asked.filter((argument) => argument !== '--changed')
  return afterBuild(checks, () => [
    runTests('tests', far.length > 0 ? more : [...tests, ...journeys, ...more]),
    inTurn(checks.map((job) => () => check(job))),
  ])
}

function tellPlan({ base, changed, tests, journeys, far }) {
  console.log(`${changed.length} files differ from ${base.slice(0, 10)}`)
  if (far.length > 0) console.log(`All tests run: nobody can tell what these reach.\n  ${far.join('\n  ')}`)
  else console.log(`${tests.length} files of tests, and the journeys:\n  ${journeys.join('\n  ') || 'none'}`)
}

/** What is not built cannot be tested; the checks may say why it is not. */
async function afterBuild(checks, begin) {
  const built = await check(BUILD)
  if (built.failures.length > 0) return [built, ...(await inTurn(checks.map((job) => () => check(job))))]
  return [built, ...(await Promise.all(begin())).flat()]
}

function withArguments(job, more) {
  return { ...job, command: [...job.command, ...more] }
}

async function inTurn(all) {
  const results = []
  for (const run of all) results.push(await run())
  return results
}

function failedAs(name) {
  return { passed: 0, failures: [name], skipped: [] }
}

function secondsSince(moment) {
  return Math.round((Date.now() - moment) / 1000)
}

async function check({ name, command }) {
  const { status, seconds } = await runJob({ name: name.split(' ', 1)[0], command })
  console.log(`${status === 0 ? 'done' : 'FAILED'}: ${name}, ${seconds} s`)
  return status === 0 ? { passed: 1, failures: [], skipped: [] } : failedAs(`check: ${name}`)
}

/** Test files, the journeys in the browser included; counts come from report-tests.mjs. */
async function runTests(name, args) {
  const report = join(root, '.cache/test-report.json')
  mkdirSync(join(root, '.cache'), { recursive: true })
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=./tools/report-tests.mjs']
  const { status } = await runJob({
    name,
    command: [tool('vitest/vitest.mjs'), 'run', ...reporters, ...args],
    env: { CHROMIUM_PATH: requireBrowser(), TEST_REPORT: report },
  })
  if (!existsSync(report)) return failedAs('the test run broke off')
  const result = JSON.parse(readFileSync(report, 'utf8'))
  if (status !== 0 && result.failures.length === 0) result.failures.push('the test run ended with an error')
  return result
}

/**
 * Plays the journeys that failed once more, alone. A browser that gets no processor for half a minute fails a journey whose
 * product is right: that one is told as unsteady and does not count as failed. More than six files are no accident.
 */
async function tryJourneysAlone(result) {
  const names = result.failures.filter((name) => name.startsWith('e2e/') && name.includes(' > '))
  const files = [...new Set(names.map((name) => name.split(' > ', 1)[0]))]
  if (files.length === 0 || files.length > 6 || names.length < result.failures.length) return result
  const again = await runTests('again', [...files, '--maxWorkers=1'])
  if (again.failures.length > 0) return result
  return { ...result, passed: result.passed + names.length, failures: [], unsteady: names }
}

/** What a change of the run's time is to be looked for in. A file's start is counted apart from its tests. */
function tellSlowest(all) {
  const slowest = (kind) =>
    all.flatMap((result) => Object.entries(result[kind] ?? {})).sort(([, one], [, other]) => other - one)
  const print = (entries) => {
    for (const [name, took] of entries) console.log(`${took.toFixed(1).padStart(7)} s  ${name}`)
  }
  console.log('\nThe slowest tests:')
  print(slowest('seconds').slice(0, 20))
  console.log('\nThe slowest files before their first test:')
  print(slowest('starts').slice(0, 5))
  console.log('\nThe folders that take longest, of all workers together, starts included:')
  print(sumByFolder(all).slice(0, 30))
}

/** By feature of the server, and by folder elsewhere. */
function sumByFolder(all) {
  const sums = new Map()
  for (const { seconds = {}, starts = {} } of all) {
    for (const [name, took] of [...Object.entries(seconds), ...Object.entries(starts)]) {
      const parts = name.split(' > ', 1)[0].split('/')
      const folder = parts.slice(0, Math.min(parts.length - 1, parts[0] === 'apps' ? 4 : 2)).join('/')
      sums.set(folder, (sums.get(folder) ?? 0) + took)
    }
  }
  return [...sums].sort(([, one], [, other]) => other - one)
}

/** A fresh clone on the Node that most people have: installed, built, started and paid with. */
async function startFreshClone() {
  const name = `a fresh clone starts on Node ${CURRENT_LTS}, and an invoice is paid`
  const command = [join(root, 'tools/gate/fresh-clone.mjs'), String(CURRENT_LTS)]
  const { status, lastLine, seconds } = await runJob({ name: 'clone', command })
  if (status === 3) return { passed: 0, failures: [], skipped: [{ name, reason: lastLine }] }
  console.log(`${status === 0 ? 'done' : 'FAILED'}: ${name}, ${seconds} s`)
  return status === 0 ? { passed: 1, failures: [], skipped: [] } : failedAs(name)
}
