// A Vitest reporter that writes what tools/test.mjs needs: counts, failures by name, skipped tests with their
// reason, how long each took, and how long each file took before its first test.
import { writeFileSync } from 'node:fs'

export default class TestReport {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors errors that no test caused visibly
   */
  onTestRunEnd(modules, unhandledErrors) {
    const report = { passed: 0, failures: [], skipped: [], seconds: {}, starts: {} }
    for (const module of modules) {
      report.starts[module.relativeModuleId] = inSeconds(module.diagnostic().collectDuration)
      // A file that cannot be loaded has no tests, and errors of its own.
      for (const error of module.errors())
        report.failures.push(`${module.relativeModuleId}: ${error.message}`)
      for (const suite of module.children.allSuites()) {
        for (const error of suite.errors()) report.failures.push(`${suite.fullName}: ${error.message}`)
      }
      for (const test of module.children.allTests()) addTest(report, module, test)
    }
    for (const error of unhandledErrors) report.failures.push(`outside any test: ${error.message ?? error}`)
    writeFileSync(process.env.TEST_REPORT ?? '.cache/test-report.json', JSON.stringify(report))
  }
}

function addTest(report, module, test) {
  const name = `${module.relativeModuleId} > ${test.fullName}`
  const result = test.result()
  report.seconds[name] = inSeconds(test.diagnostic()?.duration ?? 0)
  if (result.state === 'passed') report.passed += 1
  else if (result.state === 'failed') report.failures.push(name)
  else report.skipped.push({ name, reason: result.note ?? 'no reason given' })
}

function inSeconds(milliseconds) {
  return Math.round(milliseconds / 100) / 10
}
