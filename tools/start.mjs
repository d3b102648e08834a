// `npm start`: from a checkout to a running product. `npm run dev`: the same, reloading while you edit.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildOrExit } from './build.mjs'
import { startChild } from './children.mjs'
import { checkNode, installDependencies, root } from './install.mjs'

const isDevelopment = process.argv.includes('--dev')
/** Running children, the first to be stopped first. */
const children = []
let stopping
let watchers

checkNode()
installDependencies()
await buildOrExit()
await refuseSecondStart()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // Ctrl-C is a person who does not want to wait.
  process.on(signal, () => void stopAll(0, signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM'))
}
stopWithNpm()

// The sandbox comes first: it makes the certificates with which the server speaks to the bank.
const sandbox = process.env.DEMO === 'off' ? undefined : await startOrStop('sandbox')
const server = await startOrStop('server')
if (stopping === undefined) {
  if (isDevelopment) watchers = await watchSources()
  welcome()
}

async function startOrStop(name) {
  if (stopping !== undefined) return undefined
  const child = startChild({ name, command: commandFor(name) })
  children.unshift(child)
  void child.ended.then((status) => onChildEnded(child, status))
  return child.ready
}

function commandFor(name) {
  if (isDevelopment) return ['--import', 'tsx', `apps/${name}/src/main.ts`]
  return ['--enable-source-maps', `apps/${name}/dist/main.js`]
}

/** A child that ends by itself takes the rest along, except while editing: the next saved file starts it again. */
function onChildEnded(child, status) {
  const index = children.indexOf(child)
  if (index === -1 || stopping !== undefined) return
  children.splice(index, 1)
  if (isDevelopment && watchers !== undefined) {
    console.error(`The ${child.name} ended with status ${status}; waiting for a change`)
    return
  }
  void stopAll(status)
}

/** Stops the server, then the sandbox, each with 40 seconds to finish what it does, and ends with `status`. */
async function stopAll(status, signal = 'SIGINT') {
  if (stopping !== undefined) return
  stopping = (async () => {
    watchers?.close()
    for (const child of children) await child.stop(signal)
  })()
  await stopping
  process.exit(status)
}

/** A killed npm takes nobody along; without this the product would go on with nobody to stop it. */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  const npm = process.ppid
  setInterval(() => {
    if (process.ppid !== npm) void stopAll(1)
  }, 200).unref()
}

/**
 * Says so when Kvitt runs already; otherwise the first taken port would, which explains less. A run whose
 * supervisor was killed gets a moment to end.
 */
async function refuseSecondStart() {
  const check = join(root, 'apps/server/dist/data-folder-lock.js')
  if (process.env.DATABASE_URL || !existsSync(check)) return
  const { describeOccupied } = await import(check)
  const dataDir = resolve(root, process.env.DATA_DIR || '.data')
  for (let waitedMs = 0; describeOccupied(dataDir) !== undefined; waitedMs += 100) {
    if (waitedMs >= 3000) {
      console.error(describeOccupied(dataDir) ?? 'Kvitt stopped just now; start it again.')
      process.exit(2)
    }
    await sleep(100)
  }
}

async function watchSources() {
  const { watchAndRestart } = await import('./dev.mjs')
  return watchAndRestart({ children, start: startOrStop })
}

function welcome() {
  const lines = server?.lines ?? []
  if (lines.length > 0) console.log(`\n${lines.join('\n')}\n`)
  const addresses = [`ready http://localhost:${server?.port}`]
  if (sandbox !== undefined) addresses.push(`sandbox http://localhost:${sandbox.port}`)
  console.log(addresses.join(' '))
}
