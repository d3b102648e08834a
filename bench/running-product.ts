/** The product as `npm start` runs it, with the demo, on ports and in a folder of its own. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PORTS = { PORT: '18770', SANDBOX_PORT: '18774' }

/** Calls `use` with the product's address and stops the product afterwards. */
export async function withRunningProduct<Answer>(use: (address: string) => Promise<Answer>): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-bench-portal-'))
  // The database runs under another account than root, and has to get through this folder.
  chmodSync(folder, 0o711)
  const child = spawn(process.execPath, ['tools/start.mjs'], {
    cwd: ROOT,
    env: { ...process.env, ...PORTS, DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((settle) => child.once('exit', () => settle()))
  try {
    await new Promise<void>((settle, fail) => {
      child.stdout.on('data', (text: Buffer) => /^ready /m.test(text.toString()) && settle())
      void ended.then(() => fail(new Error('npm start did not get ready')))
    })
    return await use(`http://localhost:${PORTS.PORT}`)
  } finally {
    child.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}
