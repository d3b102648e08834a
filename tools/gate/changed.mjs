// `npm test -- --changed`: what a change can reach, as near as folders and imports tell.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root } from '../install.mjs'

/**
 * @typedef {object} Reach what a change of one folder reaches, by the folder's noun or, with a slash, its path (reach.json)
 * @property {readonly string[]} [tests] folders or files of tests besides those of the noun itself
 * @property {readonly string[]} [journeys] folders or files of journeys, below e2e/
 * @property {boolean} [onlyOwn] a file is tested by the test of its name alone
 */

/**
 * @typedef {object} Plan
 * @property {readonly string[]} tests files of the projects unit and server
 * @property {readonly string[]} journeys
 * @property {readonly string[]} far what was changed and may reach everything: all tests run
 */

/** A folder of a feature: its package, and its noun, which is the same in every package. */
const FOLDER = /^(?:apps|packages)\/([^/]+)\/(?:src\/)?(?!src\/)([^/]+)\/./
const TEST = /\.test\.tsx?$/
const JOURNEY = /^e2e\/.*\.spec\.ts$/
/** What only tests import. */
const HELPER = /^e2e\/|\/testing\//
/** These are checked by the house rules, which always run. */
const WORDS = /\.md$|^\.(?:oxlintrc\.json|gitignore|npmrc)$|^(?:biome|knip)\.json$/
const ALWAYS = 'tools/house-rules/'
/** The packages whose tests run what stands in a package. */
const RUN_IN = {
  domain: ['domain', 'server', 'ui', 'office', 'debtor', 'home', 'support', 'staff'],
  ui: ['ui', 'office', 'debtor', 'home', 'support', 'staff'],
  office: ['office', 'staff'],
}

/** What reach.json says. */
export function readReach() {
  return JSON.parse(readFileSync(join(root, 'tools/gate/reach.json'), 'utf8'))
}

/** Every file of the checkout that git knows or would take. */
export function listFiles() {
  return linesOf(root, ['ls-files', '--cached', '--others', '--exclude-standard']).filter((path) => {
    const file = join(root, path)
    return existsSync(file) && statSync(file).isFile()
  })
}

/** The folders of features that reach.json names, each with a slash at its end. */
export function listFeatures(files, reach) {
  const folders = files.flatMap((path) => {
    const [, , noun = ''] = FOLDER.exec(path) ?? []
    const isCode = /\.tsx?$/.test(path) && !isTest(path)
    return isCode && reach[noun] !== undefined
      ? [path.slice(0, path.indexOf(`/${noun}/`) + noun.length + 2)]
      : []
  })
  return [...new Set(folders)]
}

/**
 * The commit that this checkout is compared with: where it left main, here or at origin, whichever is nearer. On main itself
 * that is its last commit when something is not committed yet, else the commit before.
 * @returns {string | undefined} nothing where there is no main, or no commit before
 */
export function findBase(checkout = root) {
  const lines = (args) => linesOf(checkout, args)
  const distance = (base) => Number(lines(['rev-list', '--count', `${base}..HEAD`])[0])
  const [head] = lines(['rev-parse', 'HEAD'])
  const bases = ['main', 'origin/main'].flatMap((name) => lines(['merge-base', 'HEAD', name]))
  const nearest = bases.sort((one, other) => distance(one) - distance(other))[0]
  if (nearest === undefined || nearest !== head) return nearest
  return lines(['status', '--porcelain']).length > 0 ? head : lines(['rev-parse', '--verify', 'HEAD~1'])[0]
}

/** Paths that differ from `base`, removed ones and not committed ones too. */
export function listChanged(base, checkout = root) {
  const lines = (args) => linesOf(checkout, args)
  return [
    ...new Set([
      ...lines(['diff', '--name-only', '--no-renames', base]),
      ...lines(['ls-files', '--others', '--exclude-standard']),
    ]),
  ]
}

function linesOf(checkout, args) {
  const run = spawnSync('git', args, { cwd: checkout, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return run.status === 0 ? run.stdout.split('\n').filter(Boolean) : []
}

/**
 * Imports cannot tell: the server is one program, and nine of ten of its tests import all of it. So a change runs the tests of
 * its folder, those of the same noun in what is built on it, those that import it themselves, and what reach.json adds.
 * @param {readonly string[]} changed paths
 * @param {{ files: readonly string[], importers: ReadonlyMap<string, ReadonlySet<string>>, reach: Readonly<Record<string, Reach>> }}
 *   project
 * @returns {Plan}
 */
export function planFor(changed, { files, importers, reach }) {
  const chosen = new Set(files.filter((path) => path.startsWith(ALWAYS) && TEST.test(path)))
  const far = []
  for (const path of changed) {
    const found = reachOf(path, { files, importers, reach })
    if (found === undefined) far.push(path)
    else for (const test of found) chosen.add(test)
  }
  const all = [...chosen].sort()
  return {
    tests: all.filter((path) => TEST.test(path)),
    journeys: all.filter((path) => JOURNEY.test(path)),
    far,
  }
}

/** Tests and journeys that a changed file reaches; undefined when that cannot be told. */
function reachOf(path, { files, importers, reach }) {
  if (WORDS.test(path)) return []
  if (isTest(path)) return files.includes(path) ? [path] : []
  if (HELPER.test(path)) return testsBehind(path, importers)
  const testsIn = (starts) =>
    files.filter((file) => isTest(file) && starts.some((start) => file.startsWith(start)))
  const direct = [...(importers.get(path) ?? [])].filter(isTest)
  const whole = Object.keys(reach).find((name) => name.includes('/') && path.startsWith(name))
  if (whole !== undefined) return testsIn([whole, ...namedBy(reach[whole])])
  const [, home = '', noun = ''] = FOLDER.exec(path) ?? []
  if (reach[noun] === undefined) return undefined
  if (reach[noun].onlyOwn) return [...direct, ...testsIn([path.replace(/\.\w+$/, '.test.')])]
  const folders = (RUN_IN[home] ?? [home]).flatMap((at) => foldersOf(at, noun))
  return [...direct, ...testsIn([...folders, ...namedBy(reach[noun])])]
}

function namedBy({ tests = [], journeys = [] }) {
  return [...tests, ...journeys.map((journey) => `e2e/${journey}`)]
}

const isTest = (path) => TEST.test(path) || JOURNEY.test(path)

function foldersOf(home, noun) {
  const top = `${home === 'domain' || home === 'ui' ? 'packages' : 'apps'}/${home}/`
  return [`${top}src/${noun}/`, `${top}${noun}/`]
}

/** Tests that import a helper, themselves or through other helpers. One that nobody imports may reach everything. */
function testsBehind(path, importers) {
  const seen = new Set([path])
  for (const at of seen) for (const from of importers.get(at) ?? []) seen.add(from)
  const found = [...seen].filter(isTest)
  return found.length > 0 ? found : undefined
}

/**
 * For each file, those that import it.
 * @param {(path: string) => string} readText
 * @returns {Map<string, Set<string>>}
 */
export function listImporters(files, readText) {
  const importers = new Map()
  for (const path of files.filter((file) => /\.(?:tsx?|mjs)$/.test(file))) {
    for (const [, specifier] of readText(path).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      const target = targetOf(path, specifier)
      if (target === undefined) continue
      if (!importers.has(target)) importers.set(target, new Set())
      importers.get(target).add(path)
    }
  }
  return importers
}

function targetOf(path, specifier) {
  const [, workspace, rest] = /^@kvitt\/(\w+)\/(.+)/.exec(specifier) ?? []
  if (workspace !== undefined) return `packages/${workspace}/src/${rest}`
  if (!specifier.startsWith('.')) return undefined
  return posix.join(posix.dirname(path), specifier.replace(/\?.*$/, ''))
}
