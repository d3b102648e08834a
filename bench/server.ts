/** The built server over a database of the benchmarks, on a free port. */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { BenchDatabase } from './bench-database.ts'

const SERVER = fileURLToPath(new URL('../apps/server/dist/main.js', import.meta.url))

function isFree(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const probe = createServer()
    probe.once('error', () => settle(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => settle(true)))
  })
}

/** The first of `count` neighbouring ports that are free, below those that the system hands out. */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000)
    const free = await Promise.all(Array.from({ length: count }, (_, i) => isFree(port + i)))
    if (free.every(Boolean)) return port
  }
}

export async function startServer(
  database: BenchDatabase,
  workers: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ port: number; pid: number; stop(): Promise<void> }> {
  const port = Number(settings.PORT ?? (await freePort()))
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    DEMO: 'off',
    PORT: String(port),
    WORKERS: String(workers),
    LOG_LEVEL: 'error',
    ...settings,
  }
  const child = spawn(process.execPath, [SERVER], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await new Promise<void>((resolve, reject) => {
    child.on('message', () => resolve())
    child.on('exit', (status) => reject(new Error(`the server ended with status ${status}`)))
  })
  return {
    port,
    pid: child.pid ?? 0,
    stop: () =>
      new Promise((resolve) => {
        child.on('exit', () => resolve())
        child.kill('SIGINT')
      }),
  }
}
