// `node tools/run-command.mjs NAME ARGUMENT...` runs a built command of the server, and ends with its status.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildOrExit } from './build.mjs'
import { checkNode, installDependencies, root } from './install.mjs'

const [name = '', ...given] = process.argv.slice(2)
checkNode()
installDependencies()
await buildOrExit()
// npm runs us in the root of the checkout; a person names files from where they stand.
const standing = process.env.INIT_CWD ?? root
const args = given.map((arg) => {
  const file = resolve(standing, arg)
  return standing !== root && existsSync(file) ? file : arg
})
const command = join(root, 'apps/server/dist', `${name}-cli.js`)
const run = spawnSync(process.execPath, ['--enable-source-maps', command, ...args], { stdio: 'inherit' })
process.exit(run.status ?? 1)
