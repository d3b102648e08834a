// The browser in which the journeys run: the system's own, never a downloaded copy.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The one without windows first: the same engine, and the journeys take two thirds of the time in it. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const usualPlaces = [
  '/usr/bin',
  '/snap/bin',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * Path of a Chromium; installs Debian's when root may. Ends the program with status 1 and a sentence when there is none.
 * @returns {string}
 */
export function requireBrowser() {
  const found = findBrowser() ?? installBrowser()
  if (found === undefined) {
    give(
      'The journeys need a browser. Install Chromium (on Debian: apt-get install chromium) or set CHROMIUM_PATH.',
    )
  }
  if (!existsSync(found)) give(`CHROMIUM_PATH names ${found}, which does not exist.`)
  return found
}

/**
 * Path of the Chromium that is named or found, if any.
 * @returns {string | undefined}
 */
export function findBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...usualPlaces].filter(
    (folder) => folder !== '',
  )
  const candidates = folders.flatMap((folder) =>
    folder.includes('.app/') ? [folder] : names.map((name) => join(folder, name)),
  )
  return candidates.find((path) => existsSync(path))
}

function installBrowser() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined
  console.log('Installing Chromium')
  const options = { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  spawnSync('apt-get', ['update', '-q'], options)
  for (const name of ['chromium-headless-shell', 'chromium']) {
    const wanted = ['-qy', '--no-install-recommends', name, 'fonts-liberation']
    if (spawnSync('apt-get', ['install', ...wanted], options).status === 0) break
  }
  return findBrowser()
}

function give(sentence) {
  console.error(sentence)
  process.exit(1)
}
