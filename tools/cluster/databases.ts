/** The three hosts of the database with what chooses their leader. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { NODES, ownFile, ownFolder, type Layout, type Node } from './layout.ts'
import { isOf, openLine, type Line } from './lines.ts'
import type { Needed } from './needed.ts'
import { familyOf, postmasterIn, signalAll, type Processes, type Program } from './processes.ts'
import { dataDirOf, etcdOf, patroniOf } from './settings.ts'

export type Databases = {
  /** The host that takes writes, as the databases themselves say; undefined while none does, or two say so. */
  leader(): Promise<Node | undefined>
  /** How many answer, and how many of those follow. */
  healthy(): Promise<{ readonly answering: number; readonly following: number }>
  /** All processes of a host of the database: Patroni, PostgreSQL and its connections. */
  processesOf(node: Node): number[]
  kill(node: Node): void
  freeze(node: Node): void
  thaw(node: Node): void
  /** Cuts every connection of a host: to it, and from it to the others and to etcd. */
  partition(node: Node): void
  heal(): void
  /** A host that was killed comes back. */
  start(node: Node): void
  killEtcd(member: Node): void
  startEtcd(member: Node): void
  /** The planned way: the leader gives its place to another one, as an operator asks. Answers what Patroni says. */
  switchover(from: Node, to: Node): Promise<string>
  /** A connection to the one that writes, as superuser, to the database `name`. */
  asSuperuser<Result>(name: string, work: (client: pg.Client) => Promise<Result>): Promise<Result>
}

type Lines = {
  readonly postgres: readonly Line[]
  readonly rest: readonly Line[]
  /** By host of the database, then member. */
  readonly etcd: readonly (readonly Line[])[]
}

async function openLines({ ports }: Layout): Promise<Lines> {
  return {
    postgres: await Promise.all(
      NODES.map((node) => openLine(ports.postgresLine(node), ports.postgres(node))),
    ),
    rest: await Promise.all(NODES.map((node) => openLine(ports.restLine(node), ports.rest(node)))),
    etcd: await Promise.all(
      NODES.map((node) =>
        Promise.all(NODES.map((member) => openLine(ports.etcdLine(node, member), ports.etcd(member)))),
      ),
    ),
  }
}

type Parts = { readonly layout: Layout; readonly needed: Needed; readonly processes: Processes }

function startEtcd({ layout, needed, processes }: Parts, member: Node): Program {
  ownFolder(layout, `etcd${member}`, 'data')
  const file = ownFile(layout, `etcd${member}.yml`, etcdOf(layout, member))
  return processes.start({
    name: `etcd${member}`,
    command: needed.etcd,
    args: ['--config-file', file],
    asAccount: true,
  })
}

const patroniEnv = ({ needed }: Parts) => ({ PYTHONPATH: needed.patroni })

function startPatroni(parts: Parts, node: Node): Program {
  const { layout, needed, processes } = parts
  const home = ownFolder(layout, `db${node}`)
  const file = ownFile(layout, `patroni${node}.yml`, patroniOf(layout, node, needed.postgresBin))
  return processes.start({
    name: `patroni${node}`,
    command: needed.python,
    args: ['-m', 'patroni', file],
    env: { ...patroniEnv(parts), HOME: home },
    cwd: home,
    asAccount: true,
  })
}

/** A short look at one host, past its line. */
async function isWritable({ ports, passwords }: Layout, node: Node): Promise<boolean | undefined> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port: ports.postgres(node),
    user: 'postgres',
    password: passwords.superuser,
    database: 'postgres',
    connectionTimeoutMillis: 1_000,
    query_timeout: 1_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return !(await client.query<{ r: boolean }>('select pg_is_in_recovery() as r')).rows[0]?.r
  } catch {
    return undefined
  } finally {
    void client.end().catch(() => {})
  }
}

async function findLeader(layout: Layout): Promise<Node | undefined> {
  const writable = await Promise.all(NODES.map((node) => isWritable(layout, node)))
  const leaders = NODES.filter((node) => writable[node - 1])
  return leaders.length === 1 ? leaders[0] : undefined
}

/** Leader and followers, as the leader sees them: a follower streams to it. */
async function countHealthy(layout: Layout): Promise<{ answering: number; following: number }> {
  const writable = await Promise.all(NODES.map((node) => isWritable(layout, node)))
  const leader = NODES.find((node) => writable[node - 1])
  const answering = writable.filter((one) => one !== undefined).length
  if (!leader) return { answering, following: 0 }
  const following = await asSuperuserAt(layout, leader, 'postgres', async (client) => {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_replication where state = 'streaming' and application_name like 'db%'`,
    )
    return rows[0]?.n ?? 0
  }).catch(() => 0)
  return { answering, following }
}

async function asSuperuserAt<Result>(
  { ports, passwords }: Layout,
  node: Node,
  database: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port: ports.postgres(node),
    user: 'postgres',
    password: passwords.superuser,
    database,
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Never while we stand still: the databases reach each other by lines that this process holds. */
function askPatroni(parts: Parts, args: readonly string[]): Promise<string> {
  const { layout, needed } = parts
  const file = join(layout.folder, 'patroni1.yml')
  const env = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...patroniEnv(parts) }
  return new Promise((settle) => {
    execFile(needed.python, [needed.patronictl, '-c', file, ...args], { env }, (_, stdout, stderr) =>
      settle(`${stdout}${stderr}`.trim()),
    )
  })
}

/** Starts etcd and the three hosts; ready when one writes and both others follow. Throws after two minutes. */
export async function startDatabases(parts: Parts): Promise<Databases> {
  const { layout } = parts
  const lines = await openLines(layout)
  const etcd = new Map<Node, Program>(NODES.map((member) => [member, startEtcd(parts, member)]))
  await sleep(2_000)
  const patroni = new Map<Node, Program>(NODES.map((node) => [node, startPatroni(parts, node)]))
  const processesOf = (node: Node): number[] => {
    const postmaster = postmasterIn(dataDirOf(layout.folder, node))
    return familyOf(
      [patroni.get(node)?.pid ?? 0, ...(postmaster ? [postmaster] : [])].filter((pid) => pid > 1),
    )
  }
  await waitHealthy(layout, 120_000)
  return {
    leader: () => findLeader(layout),
    healthy: () => countHealthy(layout),
    processesOf,
    kill: (node) => signalAll(processesOf(node), 'SIGKILL'),
    freeze: (node) => signalAll(processesOf(node), 'SIGSTOP'),
    thaw: (node) => signalAll(processesOf(node), 'SIGCONT'),
    partition(node) {
      const own = [lines.postgres[node - 1], lines.rest[node - 1], ...(lines.etcd[node - 1] ?? [])]
      for (const line of own) line?.cut()
      const others = NODES.filter((one) => one !== node)
      const isFromIt = (port: number): boolean => isOf(() => processesOf(node), port, layout.account?.uid)
      for (const one of others)
        for (const line of [lines.postgres[one - 1], lines.rest[one - 1]]) line?.cut(isFromIt)
    },
    heal() {
      for (const line of [...lines.postgres, ...lines.rest, ...lines.etcd.flat()]) line.heal()
    },
    start: (node) => void patroni.set(node, startPatroni(parts, node)),
    killEtcd: (member) =>
      signalAll(
        [etcd.get(member)?.pid ?? 0].filter((pid) => pid > 1),
        'SIGKILL',
      ),
    startEtcd: (member) => void etcd.set(member, startEtcd(parts, member)),
    switchover: (from, to) =>
      askPatroni(parts, [
        'switchover',
        'kvitt',
        '--leader',
        `db${from}`,
        '--candidate',
        `db${to}`,
        '--force',
      ]),
    async asSuperuser(name, work) {
      const leader = await findLeader(layout)
      if (!leader) throw new Error('no host of the database takes writes')
      return asSuperuserAt(layout, leader, name, work)
    },
  }
}

async function waitHealthy(layout: Layout, mostMs: number): Promise<void> {
  for (const until = performance.now() + mostMs; ; await sleep(500)) {
    if ((await countHealthy(layout)).following === 2) return
    if (performance.now() > until)
      throw new Error(`The databases did not get ready; ${join(layout.folder, 'logs')} says why.`)
  }
}
