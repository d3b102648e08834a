/** From `npm start` on an installed and built checkout to the ready line, beside an empty Node process. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import type { Result } from './run.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PORTS = { PORT: '18780', SANDBOX_PORT: '18790' }

function startOnce(dataDir: string): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, ['tools/start.mjs'], {
    cwd: ROOT,
    env: { ...process.env, ...PORTS, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    let ready: number | undefined
    child.stdout.on('data', (chunk: Buffer) => {
      if (ready === undefined && /^ready /m.test(chunk.toString())) {
        ready = performance.now() - began
        child.kill('SIGINT')
      }
    })
    child.on('exit', () =>
      ready === undefined ? reject(new Error('npm start did not get ready')) : resolve(ready),
    )
  })
}

export async function benchStartUp(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-bench-start-'))
  // The database runs under another account than root, and has to get through this folder.
  chmodSync(folder, 0o711)
  try {
    const began = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    const floor = performance.now() - began
    const first = await startOnce(join(folder, 'data'))
    const again = await startOnce(join(folder, 'data'))
    return [
      { name: 'start, empty data folder', value: first, unit: 'ms', floor, ratio: first / floor },
      { name: 'start again', value: again, unit: 'ms', floor, ratio: again / floor },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
