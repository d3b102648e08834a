import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { randomUUID } from 'node:crypto'
import { errorCode, startMarkOf } from './running-programs.ts'
import { StartupError } from '../startup-error.ts'

export type DataFolderLock = { release(): void }

type Holder = { pid: number; startMark: string }

/**
 * Takes the data folder for this program alone, creating the folder when it is missing.
 * The lock of a program that has ended is cleared.
 * @throws StartupError when another running program holds it, or the folder cannot be written.
 */
export function lockDataFolder(dataDir: string): DataFolderLock {
  const folder = resolve(dataDir)
  createDataFolder(folder)
  const lockFile = join(folder, 'kvitt.lock')
  const draft = join(folder, `kvitt.lock.${randomUUID()}`)
  const holder: Holder = { pid: process.pid, startMark: startMarkOf(process.pid) ?? 'unknown' }
  const content = JSON.stringify(holder)
  writeOrExplain(folder, () => writeFileSync(draft, content, { mode: 0o644, flush: true }))
  try {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      // A hard link appears whole or not at all, so nobody reads half a lock.
      if (tryLink(draft, lockFile)) return { release: () => releaseLock(lockFile, content) }
      const occupied = describeOccupied(folder)
      if (occupied !== undefined) throw new StartupError(occupied)
      clearStaleLock(lockFile)
    }
    throw new StartupError(`Could not take the lock ${lockFile}. Remove the file and start again.`)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** The sentence for a person who starts Kvitt on a folder in use; undefined when the folder is free. */
export function describeOccupied(dataDir: string): string | undefined {
  const lockFile = join(resolve(dataDir), 'kvitt.lock')
  const holder = readHolder(lockFile)
  if (holder === undefined || startMarkOf(holder.pid) !== holder.startMark) return undefined
  const since = statSync(lockFile, { throwIfNoEntry: false })
    ?.mtime.toISOString()
    .slice(0, 16)
    .replace('T', ' ')
  return (
    `Kvitt already runs on this data folder (process ${holder.pid}, since ${since ?? 'just now'} UTC, ` +
    `${resolve(dataDir)}). Stop it first or set DATA_DIR.`
  )
}

/**
 * Makes a folder with those above it. One by one: asked for all at once, Node never comes back from a place
 * where nothing can be made, such as /proc. Answers whether it had to be made.
 */
export function makeFolder(folder: string): boolean {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false
  const above = dirname(folder)
  if (above !== folder) makeFolder(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another start was faster.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
  return true
}

function createDataFolder(folder: string): void {
  writeOrExplain(folder, () => {
    const made = makeFolder(folder)
    // The database runs under an account of its own when Kvitt runs as root, and has to pass through here.
    if (made && process.getuid?.() === 0) chmodSync(folder, 0o711)
  })
}

function writeOrExplain(folder: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    const code = errorCode(error)
    const why =
      code === 'ENOSPC'
        ? 'the disk is full'
        : code === 'ENOTDIR' || code === 'EEXIST'
          ? 'a file is in its place'
          : code
    throw new StartupError(
      `The data folder ${folder} is not writable (${why ?? String(error)}). ` +
        'Give this account the right to write there, or set DATA_DIR to another folder.',
    )
  }
}

function tryLink(draft: string, lockFile: string): boolean {
  try {
    linkSync(draft, lockFile)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

function readHolder(lockFile: string): Holder | undefined {
  try {
    const { pid, startMark } = JSON.parse(readFileSync(lockFile, 'utf8')) as Partial<Holder>
    return typeof pid === 'number' && typeof startMark === 'string' ? { pid, startMark } : undefined
  } catch {
    return undefined
  }
}

/** Moves the dead lock away first: another start may have replaced it since we read it, and gets its own back. */
function clearStaleLock(lockFile: string): void {
  const aside = `${lockFile}.${randomUUID()}`
  try {
    renameSync(lockFile, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  const holder = readHolder(aside)
  if (holder !== undefined && startMarkOf(holder.pid) === holder.startMark) tryLink(aside, lockFile)
  rmSync(aside, { force: true })
}

function releaseLock(lockFile: string, content: string): void {
  try {
    if (readFileSync(lockFile, 'utf8') === content) rmSync(lockFile, { force: true })
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
