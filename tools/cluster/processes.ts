/** The programs of the cluster: each is written down by its id when it starts, and a reaper ends all that are, whatever happens to us. */
import { spawn, type ChildProcess } from 'node:child_process'
import { appendFileSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Layout } from './layout.ts'

const REAPER = fileURLToPath(new URL('reaper.mjs', import.meta.url))

export type Program = {
  readonly name: string
  readonly pid: number
  /** The exit status, 1 when a signal ended it. */
  readonly ended: Promise<number>
  isRunning(): boolean
}

export type Start = {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Under the account of the databases. */
  readonly asAccount?: boolean
}

export type Processes = {
  start(wish: Start): Program
  /** Ends everything that was started here, also what stands still. */
  stopAll(): Promise<void>
}

/** The processes that descend from these, and these. */
export function familyOf(pids: readonly number[]): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = parentOf(Number(name))
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const found: number[] = []
  const add = (pid: number): void => {
    found.push(pid)
    for (const child of children.get(pid) ?? []) add(child)
  }
  for (const pid of pids) if (!found.includes(pid)) add(pid)
  return found
}

function parentOf(pid: number): number | undefined {
  try {
    // The name in it may hold spaces and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return Number(fields[1])
  } catch {
    return undefined
  }
}

/** Sends a signal to each; one that has ended meanwhile is none of ours any more. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}

/** The database's own process, which outlives what has started it; undefined when it does not run. */
export function postmasterIn(dataDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
    return parentOf(pid) === undefined || !readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
      ? undefined
      : pid
  } catch {
    return undefined
  }
}

export function openProcesses(layout: Layout, dataDirs: readonly string[]): Processes {
  const list = join(layout.folder, 'pids')
  const logs = join(layout.folder, 'logs')
  rmSync(list, { force: true })
  mkdirSync(logs, { recursive: true })
  // It hears that we are gone by the end of its input, however we ended.
  const reaper = spawn(process.execPath, [REAPER, list, ...dataDirs], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  })
  const gone = new Promise<void>((settle) => reaper.once('exit', () => settle()))
  return {
    start: ({ name, command, args, env = {}, cwd, asAccount }) => {
      const log = openSync(join(logs, `${name}.log`), 'a')
      const child: ChildProcess = spawn(command, [...args], {
        env: { ...cleanEnvironment(), ...env },
        stdio: ['ignore', log, log],
        // Ctrl-C reaches us alone.
        detached: true,
        ...(cwd ? { cwd } : {}),
        ...(asAccount && layout.account ? layout.account : {}),
      })
      if (child.pid) appendFileSync(list, `${child.pid} ${startedAt(child.pid)}\n`)
      const ended = new Promise<number>((settle) => {
        child.once('error', () => settle(127))
        child.once('exit', (code) => settle(code ?? 1))
      })
      return {
        name,
        pid: child.pid ?? 0,
        ended,
        isRunning: () => child.exitCode === null && child.signalCode === null,
      }
    },
    async stopAll() {
      reaper.stdin?.end()
      await gone
    },
  }
}

/** Ours has the settings of npm in it, and perhaps some of Kvitt. */
const cleanEnvironment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin',
  LANG: 'C.UTF-8',
})

/** An id is given to somebody else one day; with the moment of its start it is not mistaken. */
function startedAt(pid: number): string {
  try {
    return (
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[19] ?? ''
    )
  } catch {
    return ''
  }
}
