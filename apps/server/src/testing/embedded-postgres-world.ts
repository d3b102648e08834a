import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { build } from 'rolldown'
import { expect } from 'vitest'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../platform/embedded-postgres/embedded-postgres.ts'
import { isRunning } from '../platform/embedded-postgres/running-programs.ts'

export const isRoot = process.getuid?.() === 0
export const onlyRoot = 'needs root: nothing is handed to another account otherwise'
export const nobody = 65_534
export const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

export type LauncherWorld = Awaited<ReturnType<typeof openLauncherWorld>>
type Event = { log?: string; started?: EmbeddedPostgres; refused?: string; stopped?: boolean }

/** A temporary folder with a product installation and a cluster made by it; everything in it ends with it. */
export async function openLauncherWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-epg-'))
  // Others may pass through, as the database's account must.
  chmodSync(folder, 0o755)
  const installation = join(folder, 'installation')
  const made = join(folder, 'made')
  const opened: EmbeddedPostgres[] = []
  const children: ChildProcess[] = []
  await copyInstallation(installation)
  const first = await startEmbeddedPostgres({ dataDir: made, log: () => {} })
  await first.stop()

  const start = async (dataDir: string, settings: Record<string, string> = {}): Promise<EmbeddedPostgres> => {
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings })
    opened.push(postgres)
    return postgres
  }
  /** Runs the launcher in a program of its own, to be killed, or as another account. */
  const launchElsewhere = (
    dataDir: string,
    account: { uid?: number; gid?: number } = {},
    from = installation,
  ) => {
    const child = spawn(process.execPath, [join(from, 'launch.mjs'), JSON.stringify({ dataDir })], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit'],
      ...account,
    })
    children.push(child)
    return { child, until: gatherEvents(child) }
  }
  return {
    folder,
    installation,
    /** A data folder with a cluster, stopped: making one takes a second. A test leaves it usable for the next. */
    made,
    start,
    launchElsewhere,
    async stopAll(): Promise<void> {
      for (const child of children.splice(0)) child.kill('SIGKILL')
      for (const postgres of opened.splice(0)) await postgres.stop()
    },
    // The system's own command removes thousands of small files in a tenth of the time that Node takes.
    remove: () => void execFileSync('rm', ['-rf', folder]),
  }
}

/** A product folder as npm leaves it with install scripts off: the launcher, and the programs without their links. */
async function copyInstallation(installation: string): Promise<void> {
  const source = dirname(dirname(createRequire(import.meta.url).resolve(packageName)))
  linkTree(source, join(installation, 'node_modules', packageName))
  await build({
    input: join(import.meta.dirname, '..', 'platform', 'embedded-postgres', 'embedded-postgres.ts'),
    platform: 'node',
    output: { file: join(installation, 'launcher.mjs'), format: 'esm' },
  })
  writeFileSync(
    join(installation, 'launch.mjs'),
    `import { startEmbeddedPostgres } from './launcher.mjs'
     const say = (event) => console.log(JSON.stringify(event))
     try {
       const options = JSON.parse(process.argv[2])
       const postgres = await startEmbeddedPostgres({ ...options, log: (line) => say({ log: line }) })
       say({ started: postgres })
       process.stdin.resume().once('end', async () => { await postgres.stop(); say({ stopped: true }) })
     } catch (error) { say({ refused: error.name + ': ' + error.message }); process.exit(2) }`,
  )
}

/** Hard links where they are possible: 60 MB are slow to copy and slower to remove. */
function linkTree(source: string, target: string): void {
  mkdirSync(target, { recursive: true })
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)]
    if (entry.isDirectory()) linkTree(from, to)
    else if (entry.isFile()) linkOrCopy(from, to)
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

/** @returns a question that waits for the first event of a kind, and fails when the program ends without it */
function gatherEvents(child: ChildProcess): (kind: keyof Event) => Promise<Event> {
  const events: Event[] = []
  let ended = false
  let wake = (): void => {}
  if (child.stdout === null) throw new Error('The launcher has no output to read')
  createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(JSON.parse(line) as Event)
    wake()
  })
  child.once('close', () => {
    ended = true
    wake()
  })
  return async (kind) => {
    for (;;) {
      const event = events.find((one) => kind in one)
      if (event !== undefined) return event
      if (ended) throw new Error(`Ended without ${kind}: ${JSON.stringify(events)}`)
      await new Promise<void>((settle) => (wake = settle))
    }
  }
}

/** The first column of the first row, as text. */
export async function ask(
  server: Pick<EmbeddedPostgres, 'host' | 'port' | 'ownerUser'>,
  sql: string,
): Promise<string> {
  const client = new pg.Client({
    host: server.host,
    port: server.port,
    user: server.ownerUser,
    database: 'postgres',
  })
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(sql)
  await client.end()
  return String(Object.values(rows[0] ?? {})[0])
}

export const clusterOf = (dataDir: string): string => join(dataDir, 'postgres/cluster')

export const pidOf = (dataDir: string): number =>
  Number(readFileSync(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0])

export async function killAndWait(pid: number | undefined): Promise<void> {
  if (pid === undefined) throw new Error('The program never started')
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => isRunning(pid)).toBe(false)
}
