import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { errorCode } from './running-programs.ts'
import { StartupError } from '../startup-error.ts'

/** The unprivileged account the database runs under; undefined means: the account that we run under. */
export type Account = { uid: number; gid: number } | undefined

export type ClusterHome = {
  /** Ours: holds the cluster, its log, the socket folder and copied programs. */
  base: string
  /** The folder PostgreSQL calls PGDATA. */
  cluster: string
  account: Account
}

const accountNames = ['postgres', '_postgres', 'nobody']
const fallbackRoot = '/var/lib/kvitt'

/**
 * Finds or makes the folder that holds the cluster of this data folder, and the account for it.
 * PostgreSQL refuses to run as root, so root hands the cluster to an account without rights. When that
 * account cannot reach the data folder (a home with mode 0700 above it, say), the cluster lives below
 * /var/lib/kvitt and `postgres.location` in the data folder remembers where.
 * @throws StartupError when the cluster belongs to another account or its folder is gone.
 */
export function openClusterHome(dataDir: string, log: (line: string) => void): ClusterHome {
  const folder = resolve(dataDir)
  const pointer = join(folder, 'postgres.location')
  const remembered = readPointer(pointer)
  let base = remembered ?? join(folder, 'postgres')
  const account = chooseAccount(join(base, 'cluster'))
  if (remembered === undefined && account !== undefined && !canEnter(folder, account)) {
    if (existsSync(join(base, 'cluster'))) {
      throw new StartupError(
        `The database in ${base} cannot be reached by the account it belongs to (uid ${account.uid}). ` +
          'Let others pass through the folders above it (chmod o+x) or set DATA_DIR.',
      )
    }
    const name = `${createHash('sha256').update(folder).digest('hex').slice(0, 12)}-${randomBytes(4).toString('hex')}`
    base = join(fallbackRoot, name)
    makeFolder(base)
    chmodSync(fallbackRoot, 0o711)
    writeFileSync(pointer, `${base}\n`, { flush: true })
    log(`The database account (uid ${account.uid}) cannot reach ${folder}; the database lives in ${base}`)
  }
  makeFolder(base)
  // Root keeps this level for itself, so the database's account cannot plant links where root writes.
  if (account !== undefined) chmodSync(base, 0o711)
  const home = { base, cluster: join(base, 'cluster'), account }
  if (existsSync(home.cluster)) ownCluster(home)
  return home
}

/** Spawn options that drop root's rights; nothing when there is no other account. */
export function asAccount(account: Account): { uid?: number; gid?: number } {
  return account === undefined ? {} : { uid: account.uid, gid: account.gid }
}

/** Gives one folder (not what it holds) to the database's account, closed to everybody else. */
export function ownFolder(path: string, account: Account): void {
  if (account !== undefined) lchownSync(path, account.uid, account.gid)
  chmodSync(path, 0o700)
}

/** True when the account can pass through every folder down to `folder`. */
export function canEnter(folder: string, account: Account): boolean {
  const probe = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], {
    cwd: '/',
    ...asAccount(account),
  })
  if (probe.error !== undefined && errorCode(probe.error) === 'EPERM' && account !== undefined) {
    throw new StartupError(
      `Kvitt runs as root here but may not switch to another account (uid ${account.uid}), which PostgreSQL needs. ` +
        'Start it as an ordinary user or set DATABASE_URL.',
    )
  }
  return probe.status === 0
}

function readPointer(pointer: string): string | undefined {
  if (!existsSync(pointer)) return undefined
  const base = readFileSync(pointer, 'utf8').trim()
  if (existsSync(base)) return base
  throw new StartupError(
    `The database of this data folder was kept in ${base}, which is gone. ` +
      `Put it back, or remove ${pointer} to start with an empty database.`,
  )
}

function chooseAccount(cluster: string): Account {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  for (const name of accountNames) {
    const uid = askId('-u', name)
    const gid = askId('-g', name)
    if (uid !== undefined && gid !== undefined && uid !== 0) return { uid, gid }
  }
  throw new StartupError(
    'PostgreSQL refuses to run as root, and this system has no account "postgres" or "nobody" to run it under. ' +
      'Start Kvitt as an ordinary user or set DATABASE_URL.',
  )
}

function askId(flag: '-u' | '-g', name: string): number | undefined {
  try {
    return Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return undefined
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StartupError(
      `The database folder ${path} cannot be made (${errorCode(error) ?? String(error)}). ` +
        'Give this account the right to write there, or set DATA_DIR to another folder.',
    )
  }
}

function ownCluster(home: ClusterHome): void {
  const uid = home.account?.uid ?? process.getuid?.()
  const owner = statSync(home.cluster).uid
  if (home.account !== undefined && owner === 0) ownTree(home.cluster, home.account)
  else if (owner !== uid) {
    throw new StartupError(
      `The database in ${home.cluster} belongs to another account (uid ${owner}). ` +
        'Start Kvitt as that account or as root, or set DATA_DIR to another folder.',
    )
  }
  // PostgreSQL refuses a cluster that others can read, which is what restoring a backup often leaves.
  chmodSync(home.cluster, 0o700)
}

function ownTree(path: string, account: NonNullable<Account>): void {
  lchownSync(path, account.uid, account.gid)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) ownTree(child, account)
    else lchownSync(child, account.uid, account.gid)
  }
}
