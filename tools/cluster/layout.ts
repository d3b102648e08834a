/** Where everything of the cluster on loopback is: ports, folders, passwords, and the account that the databases run under. */
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export const NODES = [1, 2, 3] as const
export type Node = (typeof NODES)[number]

export type Layout = {
  readonly folder: string
  readonly ports: Ports
  readonly passwords: Readonly<Record<'superuser' | 'replication' | 'rewind' | 'owner' | 'app', string>>
  /** PostgreSQL refuses root; anybody else runs it as themselves. */
  readonly account: { readonly uid: number; readonly gid: number } | undefined
}

export type Ports = {
  /** A database itself, and the line through which everybody else reaches it. */
  postgres(node: Node): number
  postgresLine(node: Node): number
  rest(node: Node): number
  restLine(node: Node): number
  etcd(member: Node): number
  etcdPeer(member: Node): number
  /** From a database's host to a member. */
  etcdLine(node: Node, member: Node): number
  host(name: 'api1' | 'api2' | 'jobs'): number
  readonly proxy: number
  /** And the two behind it. */
  readonly sandbox: number
}

/** All ports lie in the hundred from `base` on. */
export function portsFrom(base: number): Ports {
  return {
    postgres: (node) => base + node,
    rest: (node) => base + 10 + node,
    postgresLine: (node) => base + 20 + node,
    restLine: (node) => base + 30 + node,
    etcd: (member) => base + 40 + member,
    etcdPeer: (member) => base + 50 + member,
    etcdLine: (node, member) => base + 56 + 3 * node + member,
    host: (name) => base + { api1: 71, api2: 72, jobs: 73 }[name],
    proxy: base + 80,
    sandbox: base + 90,
  }
}

/** `id` answers nothing for a name that there is none of. */
function accountOf(name: string): Layout['account'] {
  const ask = (flag: string): number =>
    Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || NaN)
  const [uid, gid] = [ask('-u'), ask('-g')]
  return Number.isNaN(uid) || Number.isNaN(gid) ? undefined : { uid, gid }
}

/** A folder that whoever runs the databases may write to. */
export function ownFolder(layout: Layout, ...names: string[]): string {
  let path = layout.folder
  for (const name of names) {
    path = join(path, name)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    if (layout.account) chownSync(path, layout.account.uid, layout.account.gid)
  }
  return path
}

/** A file with passwords in it, which only whoever reads it may. */
export function ownFile(layout: Layout, name: string, text: string): string {
  const path = join(layout.folder, name)
  writeFileSync(path, text, { mode: 0o600 })
  if (layout.account) chownSync(path, layout.account.uid, layout.account.gid)
  return path
}

/** Makes the folder when it is not there, with passwords that stay. Throws a sentence when nobody is there to run PostgreSQL. */
export function openLayout(folder: string, base: number): Layout {
  const account = process.getuid?.() === 0 ? accountOf('postgres') : undefined
  if (process.getuid?.() === 0 && !account)
    throw new Error(
      'PostgreSQL does not run as root, and there is no account "postgres". Run this as somebody else.',
    )
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o711)
  const kept = join(folder, 'passwords.json')
  const names = ['superuser', 'replication', 'rewind', 'owner', 'app'] as const
  if (!existsSync(kept)) {
    const made = Object.fromEntries(names.map((name) => [name, randomBytes(18).toString('hex')]))
    writeFileSync(kept, JSON.stringify(made), { mode: 0o600 })
  }
  const passwords = JSON.parse(readFileSync(kept, 'utf8')) as Layout['passwords']
  return { folder, ports: portsFrom(base), passwords, account }
}
