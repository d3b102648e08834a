// `npm run bench`: installs and builds what is missing, then measures.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { findBrowser } from './browser.mjs'
import { buildOrExit } from './build.mjs'
import { checkNode, installDependencies, root } from './install.mjs'

checkNode()
installDependencies()
await buildOrExit()
const run = spawnSync(
  process.execPath,
  ['--import', 'tsx', join(root, 'bench/run.ts'), ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, CHROMIUM_PATH: findBrowser() ?? '' },
  },
)
process.exit(run.status ?? 1)
