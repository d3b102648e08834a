// Programs that run beside each other, each line of what they print with the name of the one that printed it.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { root } from '../install.mjs'

/**
 * Runs one program to its end.
 * @param {{ name: string, command: readonly string[], env?: Readonly<Record<string, string>> }} job a name to stand before each
 *   of its lines, what Node runs, and what its environment has besides ours
 * @returns {Promise<{ status: number | null, seconds: number, lastLine: string }>} no status when a signal ended it
 */
export async function runJob({ name, command, env = {} }) {
  const startedAt = Date.now()
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let lastLine = ''
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lastLine = line
      console.log(`${name.padEnd(6)}| ${line}`)
    })
  }
  const status = await new Promise((settle) => {
    child.once('error', () => settle(null))
    child.once('close', settle)
  })
  return { status, lastLine, seconds: Math.round((Date.now() - startedAt) / 1000) }
}
