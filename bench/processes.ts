/** What processes have used so far, read from /proc: only Linux tells it so. */
import { readdirSync, readFileSync } from 'node:fs'
import type { BenchDatabase } from './bench-database.ts'

const TICKS_PER_SECOND = 100

/** The fields of /proc/PID/stat after the name, from the state on; undefined when there is no such process. */
function statOf(pid: number | string): number[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text
      .slice(text.lastIndexOf(')') + 4)
      .split(' ')
      .map(Number)
  } catch {
    return undefined
  }
}

/** Parent, and processor seconds with those of children that have ended. */
function usageOf(pid: number | string): { parent: number; seconds: number } | undefined {
  const stat = statOf(pid)
  if (!stat) return undefined
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = stat.slice(10, 14)
  return { parent: stat[0] ?? 0, seconds: (user + system + childUser + childSystem) / TICKS_PER_SECOND }
}

/** Processor seconds of the database server, all its processes together; undefined where /proc does not tell. */
export async function databaseCpuSeconds({ owner }: BenchDatabase): Promise<number | undefined> {
  const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid')
  const server = usageOf(rows[0]?.pid ?? 0)?.parent
  const usage = server === undefined ? undefined : usageOf(server)
  if (server === undefined || !usage) return undefined
  const children = readdirSync('/proc').flatMap((pid) => {
    const child = /^\d+$/.test(pid) ? usageOf(pid) : undefined
    return child?.parent === server ? [child.seconds] : []
  })
  return children.reduce((sum, seconds) => sum + seconds, usage.seconds)
}

/** Processor seconds of one process; undefined where /proc does not tell. */
export function cpuSeconds(pid: number): number | undefined {
  return usageOf(pid)?.seconds
}

/** The most memory that a process has had at once, in megabytes. */
export function peakMegabytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}
