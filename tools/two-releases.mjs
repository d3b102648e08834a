// `npm run two-releases -- [REVISION] [--suite [FILE ...]] [--keep]`: the release before and this one on one database.
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { requireBrowser } from './browser.mjs'
import { buildOrExit } from './build.mjs'
import { checkNode, installDependencies, root } from './install.mjs'
import { buildOlder, olderRevision } from './releases/older-release.mjs'

const given = process.argv.slice(2)
const at = given.indexOf('--suite')
const suite = at === -1 ? undefined : given.slice(at + 1).filter((one) => one !== '--keep')
const [named] = (at === -1 ? given : given.slice(0, at)).filter((one) => one !== '--keep')

checkNode()
installDependencies()
const browser = suite ? '' : requireBrowser()
const built = await buildOrExit()
if (built.length > 0) console.log(`Built ${built.join(', ')}`)
const commit = olderRevision(named)
console.log(`The older release is ${commit}`)
const older = buildOlder(commit)
const status = suite ? playSuite(suite) : playBoth()
if (!given.includes('--keep')) older.remove()
process.exit(status)

/** One host of each: pages, a log-in, a payment, and a rolling deploy. */
function playBoth() {
  const command = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'e2e/releases/vitest.config.ts']
  const env = { ...process.env, CHROMIUM_PATH: browser, OLDER_RELEASE: older.folder }
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit', env }).status ?? 1
}

/** The tests of the older program, on the tables of this one. */
function playSuite(files) {
  cpSync(join(root, 'apps/server/migrations'), join(older.folder, 'apps/server/migrations'), {
    recursive: true,
  })
  const command = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', ...files]
  return spawnSync(process.execPath, command, { cwd: older.folder, stdio: 'inherit' }).status ?? 1
}
