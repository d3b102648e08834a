/** Files beside the database in a folder. Readable by the group too: whoever prints has an account of its own. */
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StoreUnavailable, type Kept, type Listed, type Store } from './store.ts'

const FOLDER_MODE = 0o750
const FILE_MODE = 0o640

export function openFolder(folder: string): Store {
  const path = (name: string): string => join(folder, name)
  return {
    place: folder,
    put: (name, bytes) =>
      saying(async () => {
        const made = await mkdir(dirname(path(name)), { recursive: true, mode: FOLDER_MODE })
        if (made) await syncMade(made, dirname(path(name)))
        // Under its own name: the folder may let us add to it and nothing else.
        const file = await open(path(name), 'wx', FILE_MODE).catch(unless('EEXIST'))
        if (!file)
          return Buffer.compare((await readIfThere(path(name)))?.bytes ?? Buffer.alloc(0), bytes) === 0
        try {
          await file.writeFile(bytes)
          await Promise.all([file.sync(), sync(dirname(path(name)))])
        } catch (error) {
          // Cut off, as by a full disk: it is ours, and no file.
          await rm(path(name), { force: true }).catch(() => {})
          throw error
        } finally {
          await file.close()
        }
        return true
      }),
    get: (name) => saying(() => readIfThere(path(name))),
    has: (name) => saying(async () => (await stat(path(name)).catch(unless('ENOENT'))) !== undefined),
    list: (under) => saying(() => listFolder(path(under))),
    move: (from, to) =>
      saying(async () => {
        await rename(path(from), path(to)).catch(unless('ENOENT'))
        await sync(dirname(path(to)))
      }),
    remove: (name) => saying(() => rm(path(name), { force: true })),
  }
}

async function readIfThere(path: string): Promise<Kept | undefined> {
  const file = await open(path, 'r').catch(unless('ENOENT'))
  if (!file) return undefined
  try {
    const [bytes, { mtimeMs }] = await Promise.all([file.readFile(), file.stat()])
    return { bytes, writtenAtMs: mtimeMs }
  } finally {
    await file.close()
  }
}

async function listFolder(folder: string): Promise<Listed[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(unless('ENOENT'))) ?? []
  const listed: Listed[] = []
  for (const entry of entries) {
    // Taken away while we look.
    const found = entry.isFile() ? await stat(join(folder, entry.name)).catch(unless('ENOENT')) : undefined
    if (found) listed.push({ name: entry.name, writtenAtMs: found.mtimeMs })
  }
  return listed.sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** A rename or a new name is on disk when its folder is. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Each folder on the way from the first that was made, `first`, to `last` is on disk when the one around it is. */
async function syncMade(first: string, last: string): Promise<void> {
  for (let folder = last; folder.length >= first.length; folder = dirname(folder)) await sync(dirname(folder))
}

const unless =
  (code: string) =>
  (error: unknown): undefined => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error
    return undefined
  }

async function saying<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { code = 'not written', path = 'the folder' } = error as NodeJS.ErrnoException
    throw new StoreUnavailable(`${path} cannot be read or written (${code}).`, code)
  }
}
