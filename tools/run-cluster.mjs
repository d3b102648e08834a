// `npm run cluster` and `npm run chaos`: installs and builds what is missing, then runs the one that is named.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildOrExit } from './build.mjs'
import { checkNode, installDependencies, root } from './install.mjs'

const [name = 'cluster', ...rest] = process.argv.slice(2)
checkNode()
installDependencies()
await buildOrExit()
const child = spawn(process.execPath, ['--import', 'tsx', join(root, `tools/${name}.ts`), ...rest], {
  cwd: root,
  stdio: 'inherit',
})
// Ctrl-C reaches both; it decides when it is done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => signal === 'SIGINT' || child.kill(signal))
child.once('exit', (status) => process.exit(status ?? 1))
