// An older revision of this checkout, built beside it: the release before.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { root } from '../install.mjs'

/** Its first commit is the first release of which another can stand beside it. */
const FIRST_THAT_CAN = 'apps/server/src/platform/pages/kept-assets.ts'
const MIGRATIONS = 'apps/server/migrations'

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/**
 * The revision that is named; else the last tag before this commit; else, before there is one, the first commit whose processes keep
 * what portals were built to, and know every migration that does not say for which older programs it is.
 * @param {string | undefined} named
 * @returns {string} the commit's whole hash
 */
export function olderRevision(named) {
  if (named) return git('rev-parse', '--verify', `${named}^{commit}`)
  const tag = spawnSync('git', ['describe', '--tags', '--abbrev=0', 'HEAD^'], { cwd: root, encoding: 'utf8' })
  if (tag.status === 0) return git('rev-parse', `${tag.stdout.trim()}^{commit}`)
  const needed = [FIRST_THAT_CAN, ...undeclaredMigrations()]
  let oldest
  for (const commit of git('rev-list', '--first-parent', 'HEAD').split('\n')) {
    if (git('ls-tree', '--name-only', commit, '--', ...needed).split('\n').length < needed.length) break
    oldest = commit
  }
  if (oldest) return oldest
  throw new Error('There is no tag, and no commit that another release can stand beside. Name a revision.')
}

/** They came before migrations said it: only a program that has them starts on their database. */
function undeclaredMigrations() {
  return readdirSync(join(root, MIGRATIONS))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => `${MIGRATIONS}/${name}`)
    .filter((path) => !/^-- compatible:/m.test(readFileSync(join(root, path), 'utf8')))
}

/**
 * Builds a revision in a work tree of its own. What was built before is taken as it is.
 * @param {string} commit
 * @returns {{ folder: string, remove: () => void }}
 */
export function buildOlder(commit) {
  const folder = join(root, '.cache/releases', commit.slice(0, 12))
  if (!existsSync(join(folder, 'package.json'))) {
    git('worktree', 'prune')
    git('worktree', 'add', '--detach', '--force', folder, commit)
  }
  const isSame = ['package-lock.json'].every((name) =>
    readFileSync(join(root, name)).equals(readFileSync(join(folder, name))),
  )
  // The links to packages of the checkout lead to those beside them, so that each tree has its own.
  if (isSame && !existsSync(join(folder, 'node_modules')))
    linkTree(join(root, 'node_modules'), join(folder, 'node_modules'))
  const built = spawnSync(process.execPath, ['tools/build.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (built.status !== 0) throw new Error(`The revision ${commit} could not be built.`)
  return { folder, remove: () => void git('worktree', 'remove', '--force', folder) }
}

/** The same files under other names: nothing is copied as long as both are on one disk. */
function linkTree(from, to) {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else if (entry.isDirectory()) linkTree(source, target)
    else linkFile(source, target)
  }
}

function linkFile(source, target) {
  try {
    linkSync(source, target)
  } catch {
    cpSync(source, target)
  }
}
