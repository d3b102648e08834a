import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, statSync } from 'node:fs'

/** True while a program with this process number runs. A zombie has ended: nobody waits for its answer. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false
  }
  const state = readProcStat(pid)?.[0]
  return state !== 'Z' && state !== 'X'
}

/**
 * A text that differs between two programs that got the same process number one after the other:
 * the start time of the program as the system counts it. Undefined when it does not run.
 */
export function startMarkOf(pid: number): string | undefined {
  if (!isRunning(pid)) return undefined
  const ticksSinceBoot = readProcStat(pid)?.[19]
  if (ticksSinceBoot !== undefined) return `${readBootId()}/${ticksSinceBoot}`
  return askPs(pid, 'lstart=')
}

/**
 * True when the program works in `folder`, as a PostgreSQL server does in its cluster folder.
 * Where the system does not tell the working folder, the command line must name the folder.
 */
export function worksInFolder(pid: number, folder: string): boolean {
  if (!isRunning(pid)) return false
  try {
    const cwd = statSync(`/proc/${pid}/cwd`)
    const wanted = statSync(folder)
    return cwd.ino === wanted.ino && cwd.dev === wanted.dev
  } catch {
    return commandLineOf(pid).includes(folder)
  }
}

/** Process numbers of every program that works in `folder`; empty on systems without /proc. */
export function listProgramsIn(folder: string): number[] {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return pids.map(Number).filter((pid) => worksInFolder(pid, folder))
  } catch {
    return []
  }
}

/** The code of a system error such as ENOENT; undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return askPs(pid, 'args=') ?? ''
  }
}

/** The fields of /proc/PID/stat after the program's name, which may itself hold spaces and brackets. */
function readProcStat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return 'boot'
  }
}

function askPs(pid: number, column: string): string | undefined {
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}
