/** A command as a person runs it, for tests: a process of its own over the database of the test. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { execFile } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { constants, Script } from 'node:vm'
import type { TestDatabase } from './test-database.ts'

export type Ended = { readonly status: number; readonly stdout: string; readonly stderr: string }

/** The address of a test's database for DATABASE_URL, for its owner unless another login is named. */
export function urlOf({ ownerAddress }: Pick<TestDatabase, 'ownerAddress'>, login?: string): string {
  const { host, port, user, database } = ownerAddress
  return `postgresql://${login ?? user}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`
}

/** The program and the arguments that start a command, such as `task-cli`, as it was built for this run (global-setup.ts). */
export function programOf(name: string, args: readonly string[]): [program: string, args: string[]] {
  return [process.execPath, [fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url)), ...args]]
}

/** Runs a command of the server, such as `task-cli`, with these settings alone. */
export function runProgram(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  return new Promise((settle) => {
    execFile(...programOf(name, args), { env }, (error, stdout, stderr) => {
      settle({ status: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

type Env = Readonly<Record<string, string>>

/** The process as a program sees that runs in this one. */
type Apart = NodeJS.Process & { exitCode: number }

const apart = new AsyncLocalStorage<Apart>()
/** Node's own import, past that of the test runner, which would compile what is built. */
const importFresh = new Script('(url) => import(url)', {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}).runInThisContext() as (url: string) => Promise<unknown>
let runs = 0

/** Whoever says `process` within a program that runs here means the program's. */
function divideProcess(): void {
  const real = process
  Object.defineProperty(globalThis, 'process', { configurable: true, get: () => apart.getStore() ?? real })
}

let isDivided = false

/**
 * As runProgram, but in this process: the same built file is read anew, and what it imports is there already. A process of
 * its own took 0.8 s of a core each time. That each command works as one is shown by commands.test.ts.
 */
export async function runHere(name: string, args: readonly string[], env: Env): Promise<Ended> {
  if (!isDivided) divideProcess()
  isDivided = true
  const argv = [process.execPath, ...programOf(name, args)[1]]
  const out = { stdout: '', stderr: '' }
  const into = (stream: keyof typeof out) => ({
    write: (text: string | Uint8Array) => {
      out[stream] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8')
      return true
    },
  })
  const mine = Object.create(process, {
    argv: { value: argv },
    env: { value: env },
    exitCode: { value: 0, writable: true },
    stdout: { value: into('stdout') },
    stderr: { value: into('stderr') },
  }) as Apart
  await apart.run(mine, () => importFresh(`${pathToFileURL(String(argv[1])).href}?run=${(runs += 1)}`))
  return { status: mine.exitCode, ...out }
}
