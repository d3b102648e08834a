// `npm run dev`: restarts the server or the sandbox when its sources change, and rebuilds the portals.
import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { root } from './install.mjs'

const settleMs = 200
const watched = [
  { folder: 'apps/server/src', restarts: ['server'] },
  { folder: 'apps/server/config', restarts: ['server'] },
  { folder: 'apps/server/migrations', restarts: ['server'] },
  { folder: 'packages/domain/src', restarts: ['server'] },
  { folder: 'apps/sandbox/src', restarts: ['sandbox'] },
]

/**
 * @param {{children: object[], start: (name: string) => Promise<unknown>}} programs the running children (as
 *   startChild makes them; kept up to date by `start`) and how to start one
 * @returns {{close: () => void}}
 */
export function watchAndRestart({ children, start }) {
  const pending = new Set()
  let timer
  let queue = Promise.resolve()
  const restartPending = () => {
    const names = [...pending]
    pending.clear()
    queue = queue.then(() => restartAll(names))
  }
  const restartAll = async (names) => {
    for (const name of names) {
      const index = children.findIndex((child) => child.name === name)
      const [old] = index === -1 ? [] : children.splice(index, 1)
      await old?.stop('SIGINT')
      const ready = await start(name)
      if (ready !== undefined) console.log(`Restarted the ${name}`)
    }
  }
  const watchers = watched
    .filter(({ folder }) => existsSync(join(root, folder)))
    .map(({ folder, restarts }) =>
      watch(join(root, folder), { recursive: true }, (_event, file) => {
        if (file?.includes('.test.')) return
        for (const name of restarts) pending.add(name)
        clearTimeout(timer)
        timer = setTimeout(restartPending, settleMs)
      }),
    )
  const portals = ['apps/debtor', 'apps/staff'].map(rebuildPortal)
  return {
    close: () => {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
      for (const portal of portals) portal?.kill('SIGTERM')
    },
  }
}

/** @param {string} name its folder below the root */
function rebuildPortal(name) {
  const folder = join(root, name)
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  return spawn(process.execPath, [vite, 'build', '--watch', '--logLevel', 'warn'], {
    cwd: folder,
    stdio: 'inherit',
  })
}
