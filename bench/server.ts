/** The built server over a database of the benchmarks, on a free port. */
import { spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { BenchDatabase } from './bench-database.ts'

const SERVER = fileURLToPath(new URL('../apps/server/dist/main.js', import.meta.url))

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export async function startServer(
  database: BenchDatabase,
  workers: number,
): Promise<{ port: number; pid: number; stop(): Promise<void> }> {
  const port = await freePort()
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    DEMO: 'off',
    PORT: String(port),
    WORKERS: String(workers),
    LOG_LEVEL: 'error',
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
        child.kill('SIGTERM')
      }),
  }
}
