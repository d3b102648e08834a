// `npm run compat`: start, a payment, the unit and the server tests on every version of Node that people have.
// `npm run compat -- 24` only one of them. A version that the registry does not give here is skipped, and said to be.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkNode } from './install.mjs'
import { copyCheckout, environmentOf, installNode, startAndPay } from './other-node.mjs'

const MAJORS = [22, 24, 26]

checkNode()
const asked = process.argv.slice(2).map(Number)
let passed = 0
const failures = []
const skipped = []
for (const major of asked.length > 0 ? asked : MAJORS) await tryNode(major)

for (const name of skipped) console.log(`skipped: ${name}`)
for (const name of failures) console.log(`failed: ${name}`)
console.log(
  `${passed} passed, ${failures.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`,
)
process.exit(failures.length > 0 || passed === 0 ? 1 : 0)

async function tryNode(major) {
  const bin = installNode(major)
  const folder = bin && copyCheckout()
  if (!folder) {
    skipped.push(`Node ${major} (${bin ? 'this is no git checkout' : 'the registry does not give it here'})`)
    return
  }
  try {
    await check(`Node ${major}: start and a payment`, () => startAndPay({ folder, bin, port: 18_870 }))
    for (const project of ['unit', 'server'])
      await check(`Node ${major}: ${project} tests`, () => runTests({ folder, bin, project }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function check(name, work) {
  console.log(`\n== ${name}`)
  try {
    await work()
    passed += 1
  } catch (error) {
    console.error(error.message)
    failures.push(name)
  }
}

function runTests({ folder, bin, project }) {
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
  const run = spawnSync(join(bin, 'node'), [vitest, 'run', '--project', project, '--reporter=dot'], {
    cwd: folder,
    stdio: 'inherit',
    env: environmentOf(bin),
  })
  if (run.status !== 0) throw new Error(`the ${project} tests ended with status ${run.status}`)
}
