/**
 * Two releases side by side: each process keeps what its portals were built to in the database, and answers what another release
 * was built to from there. What it has itself never comes from the database.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { Database } from '../database/database.ts'
import type { Log } from '../log.ts'
import { readAssets, typeOf, type Asset } from './assets.ts'
import {
  addRelease,
  forgetReleases,
  readContent,
  readNames,
  seeRelease,
  type KeptFile,
} from './kept-assets.queries.ts'

export type KeptAssets = {
  /** A file of another release by its name below `assets/`; undefined when no release that is kept has it. */
  find(name: string): Promise<Asset | undefined>
  /** Says that this release is served, and keeps it again when it was forgotten. */
  see(): Promise<void>
}

export type KeepOptions = {
  /** What requests read with. */
  readonly db: Database
  /** What nobody waits for is written with. */
  readonly work: Database
  readonly log: Log
  readonly version: string
  /** Where each program of the portals was built. */
  readonly folders: readonly string[]
}

/** How often a process says what it serves. */
export const SEE_MS = 10 * 60 * 1000
/** A page that was opened a day ago, before the last process of its release went, still opens what it opens late. */
const KEPT_HOURS = 25
/** Strangers ask for names that were never built: for all of them together the names are read once in this time. */
const NAMES_MS = 1000
/** What lies in memory of other releases, unpacked and packed. A release has about 5 MB, and is asked for in parts. */
const MOST_BYTES = 16 * 1024 * 1024

/** The build's names end in eight letters of a hash, before the ending. Nothing is kept or asked for under another. */
/** Longer names are nobody's. */
const LONGEST_NAME = 200
const HASH_NAME = /^(?:[\w.@-]+\/)*[\w.@-]*-[\w-]{8}\.[a-z0-9]+$/

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
const unpack = promisify(brotliDecompress)

function filesOf(folders: readonly string[]): KeptFile[] {
  const files = new Map<string, KeptFile>()
  for (const folder of folders) {
    for (const [name, { plain, br }] of readAssets(join(folder, 'assets'))) {
      if (!HASH_NAME.test(name)) continue
      const packed = br
        ? ({ packing: 'br', content: br } as const)
        : ({ packing: 'none', content: plain } as const)
      files.set(name, { name, hash: hashOf(plain), ...packed })
    }
  }
  return [...files.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Keeps this release, so that every process has its files before a page names them. */
export async function openKeptAssets(options: KeepOptions): Promise<KeptAssets> {
  const { work, version, folders } = options
  const names = filesOf(folders).map(({ name, hash }) => `${name} ${hash}`)
  const id = createHash('sha256').update(names.join('\n')).digest('hex')
  const see = async (): Promise<void> => {
    if (names.length === 0 || (await seeRelease(work, id))) return
    const files = filesOf(folders)
    await work.transaction((tx) => addRelease(tx, { id, version }, files))
  }
  await see()
  return { find: openFinder(options), see }
}

function openFinder({ db, log }: KeepOptions): KeptAssets['find'] {
  const hashFor = openNames(db)
  const bodies = new Map<string, Promise<Asset | undefined>>()
  let heldBytes = 0
  const fetch = async (name: string, hash: string): Promise<Asset | undefined> => {
    const kept = await readContent(db, hash)
    const type = typeOf(name)
    if (!kept || !type) return undefined
    const isPacked = kept.packing === 'br'
    const plain = isPacked ? await unpack(kept.content).catch(() => undefined) : kept.content
    if (!plain || hashOf(plain) !== hash) {
      log.error({ asset: name }, 'a kept file of a portal is not what its hash says; it is not served')
      return undefined
    }
    heldBytes += plain.length + (isPacked ? kept.content.length : 0)
    if (heldBytes > MOST_BYTES) {
      bodies.clear()
      heldBytes = 0
    }
    return { type, plain, br: isPacked ? kept.content : undefined, gzip: undefined }
  }
  return async (name) => {
    if (name.length > LONGEST_NAME || !HASH_NAME.test(name)) return undefined
    const hash = await hashFor(name)
    if (hash === undefined) return undefined
    const held = bodies.get(hash)
    if (held) return held
    const body = fetch(name, hash)
    bodies.set(hash, body)
    // What could not be read, or was not there, is asked for again by the next.
    void body.then(
      (asset) => asset ?? bodies.delete(hash),
      () => bodies.delete(hash),
    )
    return body
  }
}

/** The hash of a name. Who asks for one that is not known waits for a reading that began after they asked. */
function openNames(db: Database): (name: string) => Promise<string | undefined> {
  let known: ReadonlyMap<string, string> = new Map()
  let lastMs = -NAMES_MS
  let next: Promise<ReadonlyMap<string, string>> | undefined
  const readNext = async (): Promise<ReadonlyMap<string, string>> => {
    const waitMs = lastMs + NAMES_MS - performance.now()
    // In a turn of its own in any case: whoever asks in this one waits for the same reading.
    await (waitMs > 0 ? sleep(waitMs) : undefined)
    next = undefined
    lastMs = performance.now()
    return (known = await readNames(db))
  }
  return async (name) => {
    const hash = known.get(name)
    if (hash !== undefined) return hash
    next ??= readNext()
    return (await next).get(name)
  }
}

/** Forgets releases that nobody has served for a day, and their files. */
export function forgetOldReleases(work: Database): Promise<void> {
  return work.transaction((tx) => forgetReleases(tx, KEPT_HOURS))
}
