/** Load from outside the process, on loopback only: wrk, running a script that makes the requests. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Load = {
  readonly url: string
  /** Lua for wrk. */
  readonly script: string
  readonly connections: number
  readonly seconds: number
  readonly folder: string
}

export type Loaded = {
  readonly requests: number
  readonly requestsPerSecond: number
  readonly p99Ms: number
}

const MS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 }

/** Requests a second and p99; undefined when wrk is missing. Throws when any answer was not 200. */
export function loadWithWrk(load: Load): Loaded | undefined {
  const script = join(load.folder, 'load.lua')
  writeFileSync(script, load.script)
  const args = ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '--latency', '-s', script, load.url]
  const run = spawnSync('wrk', args, { encoding: 'utf8' })
  if (run.error) return undefined
  const failed = /Non-2xx or 3xx responses: (\d+)/.exec(run.stdout)?.[1]
  if (failed) throw new Error(`${failed} answers were not 200`)
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(run.stdout)?.[1]
  const p99 = /99%\s+([\d.]+)(us|ms|s)/.exec(run.stdout)
  if (!rate || !p99) throw new Error(`wrk failed: ${run.stdout}${run.stderr}`)
  const requests = Number(/(\d+) requests in/.exec(run.stdout)?.[1])
  return { requests, requestsPerSecond: Number(rate), p99Ms: Number(p99[1]) * (MS[p99[2] ?? ''] ?? 1) }
}
