// Breaks a line of each feature in a copy of this checkout, and sees that the tests which `npm test -- --changed` would choose
// find it. `node tools/gate/broken-lines.mjs [FOLDER ...]`; without folders all of them, which takes hours.
// The last line is `N found, N missed`.
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyCheckout } from '../other-node.mjs'
import { root } from '../install.mjs'
import { breakLine, chooseFile } from './break-line.mjs'
import { listFeatures, listFiles, listImporters, planFor, readReach } from './changed.mjs'

const files = listFiles()
const readText = (path) => readFileSync(join(root, path), 'utf8')
const importers = listImporters(files, readText)
const reach = readReach()
const features = listFeatures(files, reach).filter(
  (folder) =>
    chooseFile(folder, files, readText) !== undefined &&
    (process.argv.length === 2 || process.argv.includes(folder)),
)
const copy = copyCheckout()
if (copy === undefined) throw new Error('This is no git checkout.')
cpSync(join(root, 'node_modules'), join(copy, 'node_modules'), { recursive: true, verbatimSymlinks: true })
try {
  const missed = features.filter((folder) => !isFound(folder))
  for (const folder of missed) console.log(`missed: a broken line in ${folder}`)
  console.log(`${features.length - missed.length} found, ${missed.length} missed`)
  process.exitCode = missed.length > 0 || features.length === 0 ? 1 : 0
} finally {
  rmSync(copy, { recursive: true, force: true })
}

/** The first test that fails is enough. */
function isFound(folder) {
  const path = chooseFile(folder, files, readText)
  const { tests, journeys, far } = planFor([path], { files, importers, reach })
  // The house rules would find the way in which it is broken, and not that it is.
  const chosen = [...tests.filter((test) => !test.startsWith('tools/')), ...journeys]
  if (far.length > 0 || chosen.length === 0) return false
  writeFileSync(join(copy, path), breakLine(readText(path)))
  try {
    if (node(['tools/build.mjs']).status !== 0) return false
    const run = node(['node_modules/vitest/vitest.mjs', 'run', '--bail=1', ...chosen])
    const failed = /(?:FAIL|×).*\.(?:test|spec)\.ts/.test(run.stdout + run.stderr)
    console.log(`${run.status !== 0 && failed ? 'found' : 'missed'}: ${path}`)
    return run.status !== 0 && failed
  } finally {
    writeFileSync(join(copy, path), readText(path))
  }
}

function node(args) {
  return spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })
}
