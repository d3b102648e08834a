import { execFile, spawnSync } from 'node:child_process'
import {
  closeSync,
  cpSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { type ClusterHome, asAccount, canEnter, ownFolder } from './embedded-postgres-home.ts'
import { errorCode } from './running-programs.ts'
import { StartupError } from '../startup-error.ts'

const postgresMajor = 18
export const ownerUser = 'postgres'

/** What PostgreSQL's programs may see of the environment: LC_ALL keeps macOS from starting threads in them. */
export const postgresEnvironment = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' }

/**
 * Finds the PostgreSQL programs of this platform, with their library links, readable for the account
 * of the cluster; copies them beside the cluster when they are not readable where npm put them.
 * @returns the folder with `postgres` and `initdb`
 * @throws StartupError when there is no package for this platform or its programs do not run here.
 */
export function preparePrograms(home: ClusterHome, log: (line: string) => void): string {
  const { root, version } = findPackage()
  const native = join(root, 'native')
  const links = readLinks(native)
  const linked = tryMakeLinks(native, links)
  if (linked && trialRun(join(native, 'bin'), home) === undefined) return join(native, 'bin')

  const copy = join(home.base, `programs-${version}`)
  if (!existsSync(copy)) {
    log(
      `Copying the PostgreSQL programs to ${copy}, since ${native} is not usable for the database's account`,
    )
    copyPrograms(native, copy, links)
  }
  const failure = trialRun(join(copy, 'bin'), home)
  if (failure === undefined) return join(copy, 'bin')
  throw new StartupError(
    `The PostgreSQL that comes with Kvitt does not run on this system (${failure}). ${useYourOwn}`,
  )
}

/**
 * Makes the cluster when there is none: in a temporary folder, synced to disk, renamed at the end, so
 * that a cluster is there whole or not at all. UTF-8, code point order, data checksums.
 * @throws StartupError when the cluster is of another major version or cannot be made.
 */
export async function ensureCluster(
  home: ClusterHome,
  programs: string,
  log: (line: string) => void,
): Promise<void> {
  for (const name of readdirSync(home.base)) {
    if (name.startsWith('unfinished-')) clearUnfinished(join(home.base, name))
  }
  if (existsSync(home.cluster)) return checkVersion(home.cluster)
  log('Making the database')
  const draft = mkdtempSync(join(home.base, 'unfinished-'))
  ownFolder(draft, home.account)
  await runInitdb(home, programs, draft)
  writeFileSync(join(draft, 'pg_hba.conf'), 'local all all trust\n', { flush: true })
  renameSync(draft, home.cluster)
  syncFolder(home.base)
}

/**
 * A folder for the server's socket that only the database's account (and root) can enter: beside the
 * cluster, or a fresh one in the system's temporary folder when that path would be longer than a socket
 * address can be.
 */
export function makeSocketFolder(home: ClusterHome): string {
  const beside = join(home.base, 'socket')
  if (fitsSocketAddress(beside)) {
    mkdirSync(beside, { recursive: true, mode: 0o700 })
    ownFolder(beside, home.account)
    return beside
  }
  for (const parent of [tmpdir(), '/tmp', '/var/tmp']) {
    if (!fitsSocketAddress(join(parent, `${socketFolderPrefix}XXXXXX`))) continue
    if (!existsSync(parent) || !canEnter(parent, home.account)) continue
    const folder = mkdtempSync(join(parent, socketFolderPrefix))
    ownFolder(folder, home.account)
    return folder
  }
  throw new StartupError(
    `The path ${beside} is too long for a socket. Set DATA_DIR to a folder with a shorter path.`,
  )
}

/** Removes a socket folder in the temporary folder that its server left behind. */
export function removeSocketFolder(folder: string, home: ClusterHome): void {
  if (!relative(dirname(folder), folder).startsWith(socketFolderPrefix) || folder.startsWith(home.base))
    return
  const owner = home.account?.uid ?? process.getuid?.()
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory() && found.uid === owner) rmSync(folder, { recursive: true, force: true })
}

/**
 * Removes what an interrupted making left. The initdb of a launcher that was killed lives on for a moment
 * and writes files into the folder while it is being emptied, so a folder that is not empty is tried again.
 */
function clearUnfinished(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

const useYourOwn = 'Set DATABASE_URL to a PostgreSQL 15 or later instead.'
const socketFolderPrefix = 'kvitt-pg-'

/** 107 bytes on Linux, 103 on macOS, the name of the socket included; the server adds a lock file beside it. */
function fitsSocketAddress(folder: string): boolean {
  return Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= 103
}

function findPackage(): { root: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const root = dirname(dirname(entry))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { root, version }
  } catch {
    throw new StartupError(
      `There is no PostgreSQL for ${process.platform}-${process.arch} in this installation (package ${name}). ${useYourOwn}`,
    )
  }
}

type Link = { source: string; target: string }

/** npm packages cannot hold links, so the package lists them; its own install script stays off. */
function readLinks(native: string): Link[] {
  const file = join(native, 'pg-symlinks.json')
  if (!existsSync(file)) return []
  const links = JSON.parse(readFileSync(file, 'utf8')) as Link[]
  return links.map(({ source, target }) => ({
    source: relative('native', source),
    target: relative('native', target),
  }))
}

function tryMakeLinks(native: string, links: Link[]): boolean {
  try {
    makeLinks(native, links)
    return true
  } catch {
    return false
  }
}

function makeLinks(native: string, links: Link[]): void {
  for (const { source, target } of links) {
    const place = join(native, target)
    if (existsSync(place)) continue
    try {
      symlinkSync(relative(dirname(target), source), place)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
}

function copyPrograms(native: string, copy: string, links: Link[]): void {
  const draft = mkdtempSync(join(dirname(copy), 'unfinished-'))
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  makeLinks(draft, links)
  const opened = spawnSync('chmod', ['-R', 'u+rwX,go+rX,go-w', draft])
  if (opened.status !== 0)
    throw new StartupError(`Could not open ${draft} for the database's account. ${useYourOwn}`)
  renameSync(draft, copy)
}

/** Runs `postgres --version` as the account of the cluster; undefined when all is well, else the reason. */
function trialRun(programs: string, home: ClusterHome): string | undefined {
  const trial = spawnSync(join(programs, 'postgres'), ['--version'], {
    cwd: home.base,
    env: postgresEnvironment,
    encoding: 'utf8',
    ...asAccount(home.account),
  })
  if (trial.error !== undefined) return errorCode(trial.error) ?? trial.error.message
  if (trial.status === 0) return undefined
  return trial.stderr.trim().split('\n')[0] || `status ${trial.status ?? trial.signal}`
}

function checkVersion(cluster: string): void {
  const file = join(cluster, 'PG_VERSION')
  if (!existsSync(file)) {
    throw new StartupError(
      `${cluster} is not a database: PG_VERSION is missing. Restore it from a backup or set DATA_DIR to another folder.`,
    )
  }
  const version = readFileSync(file, 'utf8').trim()
  if (version === String(postgresMajor)) return
  throw new StartupError(
    `The database in ${cluster} was made by PostgreSQL ${version}, and this Kvitt brings PostgreSQL ${postgresMajor}. ` +
      `Run PostgreSQL ${version} on it and set DATABASE_URL, or move the data over with pg_dump and pg_restore.`,
  )
}

function runInitdb(home: ClusterHome, programs: string, draft: string): Promise<void> {
  const owner = ['-U', ownerUser, '--auth=trust']
  const encoding = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const args = ['-D', draft, ...owner, ...encoding, '--data-checksums', '--no-instructions']
  const options = { cwd: home.base, env: postgresEnvironment, ...asAccount(home.account) }
  return new Promise((succeed, fail) => {
    execFile(join(programs, 'initdb'), args, options, (error, _stdout, stderr) => {
      if (error === null) return succeed()
      rmSync(draft, { recursive: true, force: true })
      fail(explainInitdb(stderr.trim() || error.message, home.base))
    })
  })
}

function explainInitdb(output: string, base: string): StartupError {
  if (/No space left/i.test(output)) {
    return new StartupError(
      `The disk that holds ${base} is full. Free some space (60 MB at least) or set DATA_DIR.`,
    )
  }
  if (/could not look up effective user ID/i.test(output)) {
    return new StartupError(
      `The account that runs Kvitt (uid ${process.getuid?.() ?? '?'}) has no entry in the system's list of users, ` +
        `which PostgreSQL needs. Add one, or set DATABASE_URL.`,
    )
  }
  const reason =
    output.split('\n').find((line) => /error|fatal|could not/i.test(line)) ?? output.split('\n')[0]
  return new StartupError(
    `The database could not be made in ${base} (${reason ?? 'no reason given'}). ${useYourOwn}`,
  )
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
