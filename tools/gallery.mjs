// `npm run gallery`: pictures of every screen in a folder (gallery/, or the one that is named), to look at one by one.
// With a second argument only the screens that have it in their name.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { requireBrowser } from './browser.mjs'
import { buildOrExit } from './build.mjs'
import { checkNode, installDependencies, root } from './install.mjs'

checkNode()
installDependencies()
const browser = requireBrowser()
await buildOrExit()
const [folder = 'gallery', only = ''] = process.argv.slice(2)
const place = resolve(root, folder)
const command = [
  join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--config',
  'e2e/gallery/vitest.config.ts',
]
const run = spawnSync(process.execPath, command, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, CHROMIUM_PATH: browser, GALLERY_FOLDER: place, GALLERY_ONLY: only },
})
console.log(`The pictures are in ${place}`)
process.exit(run.status ?? 1)
