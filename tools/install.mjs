// Installs the dependencies when they are missing or not those of package-lock.json.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const lockfile = join(root, 'package-lock.json')
const stamp = join(root, 'node_modules/.kvitt-install')

/** Ends the program with status 2 and a sentence when this Node is too old for the product. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(
    `Kvitt needs Node 20.19 or later; this is ${process.versions.node}. Install a newer one from nodejs.org.`,
  )
  process.exit(2)
}

/** Runs `npm ci` when it is needed; ends the program with status 2 and a sentence when that fails. */
export function installDependencies() {
  if (isInstalled()) return
  // On stderr: what `npm run import -- --json` prints is read by programs.
  console.error('Installing dependencies')
  // `npm ci` refuses a lockfile that another version of npm finds wanting; `npm install` fills the gap.
  if (runNpm('ci') || runNpm('install', '--no-save')) {
    writeFileSync(stamp, hashLockfile())
    return
  }
  console.error('The dependencies could not be installed; the reason is above. Is the network there?')
  process.exit(2)
}

function runNpm(...args) {
  const npm = process.env.npm_execpath
  const byNode = npm !== undefined && /\.c?js$/.test(npm)
  const [program, first] = byNode ? [process.execPath, [npm]] : ['npm', []]
  const run = spawnSync(program, [...first, ...args, '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (run.error !== undefined) console.error(`npm could not be started (${run.error.message}).`)
  return run.status === 0
}

/**
 * npm writes node_modules/.package-lock.json when it has finished, with what it put there. Comparing that with
 * package-lock.json notices an interrupted installation and a lockfile changed by a pull, and accepts one made by hand.
 * The stamp is for an npm that found the lockfile wanting and installed something slightly different.
 */
function isInstalled() {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hashLockfile()) return true
  const wanted = readPackages(lockfile)
  const present = readPackages(join(root, 'node_modules/.package-lock.json'))
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true
    const found = present[path]
    if (found === undefined) return Boolean(entry.optional || entry.devOptional || entry.peer)
    return found.version === entry.version && found.resolved === entry.resolved && found.link === entry.link
  })
}

function hashLockfile() {
  return createHash('sha256').update(readFileSync(lockfile)).digest('hex')
}

function readPackages(file) {
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}
