/** One of the product's programs, started the way `npm start` does it. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const READY_MS = 90_000
const STOP_MS = 30_000

export type Program = {
  /** Everything that it has written so far. */
  output(): string
  isRunning(): boolean
  /** Its worker processes, the youngest last. */
  workers(): number[]
  /** Ends it as a user's Ctrl-C does, or as a supervisor does (SIGTERM); answers its exit status. */
  stop(signal?: 'SIGINT' | 'SIGTERM'): Promise<number | null>
  /** Ends it without a word, as a power cut does. */
  kill9(): Promise<void>
}

function builtFile(name: string, root: string): string {
  const file = `apps/${name}/dist/main.js`
  if (!existsSync(`${root}/${file}`)) {
    throw new Error(
      `${file} is missing: run "npm run build" before the journeys, or "npm test", which does it.`,
    )
  }
  return file
}

/**
 * Starts `apps/{name}` and waits until it serves. Throws what it wrote when it ends first.
 * @param root the checkout that it is of, if not this one
 * @param readyMs how long it may take, where that is not what a journey waits
 */
export async function startProgram(
  name: string,
  settings: Record<string, string>,
  { root = ROOT, readyMs = READY_MS }: { root?: string; readyMs?: number } = {},
): Promise<Program> {
  // Only what a program needs to run: settings of the person who runs the journeys do not leak in.
  const { PATH, HOME, TMPDIR } = process.env
  const env = { PATH, HOME, TMPDIR, LANG: 'C.UTF-8', ...settings }
  const file = builtFile(name, root)
  const child = spawn(process.execPath, ['--enable-source-maps', file], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (written += text))
  }
  const ended = new Promise<number | null>((settle) => child.once('exit', settle))
  const ready = new Promise<boolean>((settle) => {
    child.on('message', (message: { type?: unknown }) => message.type === 'ready' && settle(true))
    child.once('error', () => settle(false))
    void ended.then(() => settle(false))
    setTimeout(() => settle(false), readyMs).unref()
  })
  const kill9 = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  if (!(await ready)) {
    if (child.exitCode === null) await kill9()
    throw new Error(`The ${name} did not start.\n${written}`)
  }
  return {
    output: () => written,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill9,
    workers: () =>
      // Named by their parent: the embedded database's processes have another.
      execFileSync('ps', ['-eo', 'ppid=,pid=,args='], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line.includes(file))
        .map((line) => line.trim().split(/\s+/).map(Number))
        .flatMap(([parent, pid]) => (parent === child.pid && pid !== undefined ? [pid] : []))
        .toSorted((a, b) => a - b),
    async stop(signal = 'SIGINT') {
      child.kill(signal)
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      const status = await ended
      clearTimeout(timer)
      return status
    },
  }
}
