/**
 * Files of banks that other programs put into a folder: each is taken in once, as if somebody had handed it in, and put away. In
 * `BANK_FILES_DIR` each provider has a folder by its alias; in that, `done` has what was taken in and `refused` what was not.
 */
import { createReadStream } from 'node:fs'
import { lstat, mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { noteDeed } from '../../audit/audit.ts'
import type { Context } from '../../context.ts'
import { ImportRefusal } from '../../imports/imports.ts'
import type { Instance } from '../../instances/instances.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { withLease } from '../../platform/lease.ts'
import { endTask, reopenTasks } from '../../tasks/tasks.ts'
import { keepFile } from '../keep-file.ts'
import { endPlacing, fileNameOf } from '../office/receive-bank-file.ts'
import { placeWaiting } from '../place-waiting.ts'
import { readBankFile, type ReadBankFile } from '../read-bank-file.ts'

type FolderContext = Pick<Context, 'db' | 'clock' | 'log' | 'config'>
type Of = Pick<Instance, 'id' | 'timeZone'>

/** The lease of work that is of no day. */
const NO_DAY = '2000-01-01'
/** Who is written down for a file that no person handed in. */
const BY = 'kvitt'

/** As a program writes it elsewhere: hidden, or not finished yet. */
const isUnfinished = (name: string): boolean =>
  name.startsWith('.') || /\.(?:part|partial|tmp|filepart)$/i.test(name)

export type BankFolder = {
  /** Takes in what is there and has not changed since the last look. Throws when a folder or file cannot be read or put away. */
  look(context: FolderContext, instances: readonly Instance[]): Promise<void>
}

/** Remembers what each file looked like: one that still grows is not whole. */
export function openBankFolder(): BankFolder {
  let seen = new Map<string, string>()
  return {
    async look(context, instances) {
      const { bankFilesDir } = context.config
      if (bankFilesDir === undefined) return
      const before = seen
      seen = new Map()
      for (const instance of instances) {
        const folder = join(bankFilesDir, instance.row.url_alias)
        await mkdir(folder, { recursive: true })
        const still: string[] = []
        for (const { name, look } of await listFiles(folder)) {
          const path = join(folder, name)
          seen.set(path, look)
          if (before.get(path) === look) still.push(name)
        }
        if (still.length > 0) await takeIn(context, instance, { folder, names: still })
      }
    },
  }
}

/** Regular files only: a link could lead anywhere on this machine. */
async function listFiles(folder: string): Promise<{ readonly name: string; readonly look: string }[]> {
  const found: { name: string; look: string }[] = []
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    if (!entry.isFile() || isUnfinished(entry.name)) continue
    const state = await lstat(join(folder, entry.name)).catch(() => undefined)
    if (state) found.push({ name: entry.name, look: `${state.size} ${state.mtimeMs} ${state.ino}` })
  }
  return found
}

type Found = { readonly folder: string; readonly names: readonly string[] }

/** One process at a time. What it has kept and not placed when it dies, the job for lines that were left places. */
async function takeIn(context: FolderContext, instance: Of, { folder, names }: Found): Promise<void> {
  const lease = { instanceId: instance.id, work: 'bank-folder', day: NO_DAY }
  await withLease(context.db, lease, async (db) => {
    const within = { ...context, db }
    const failures: unknown[] = []
    for (const name of names) {
      try {
        await takeInOne(within, instance, { folder, name })
      } catch (error) {
        // One file that cannot be read keeps no other from the books.
        failures.push(error)
      }
    }
    for await (const _placed of placeWaiting(within, instance)) void _placed
    await endPlacing(within, instance.id)
    if (failures.length > 0) throw failures[0]
  })
}

/** In the books before it is put away: whoever dies between finds it unchanged the next time, and puts it away. */
async function takeInOne(
  { db, clock }: FolderContext,
  { id: instanceId }: Of,
  { folder, name }: { readonly folder: string; readonly name: string },
): Promise<void> {
  const path = join(folder, name)
  const state = await lstat(path).catch(() => undefined)
  if (!state?.isFile()) return
  const told = fileNameOf(name)
  const about = `bank-file:${told}`
  const kind = 'bank_file_refused'
  const putAway = (where: 'done' | 'refused'): Promise<void> => move(path, join(folder, where), clock.now())
  try {
    const read = await readBankFile({
      name: told,
      sizeBytes: state.size,
      open: () => createReadStream(path),
    })
    await db.transaction(async (tx) => {
      await keep(tx, { instanceId, clock, by: BY }, read)
      await endTask(tx, { instanceId, kind, about })
    })
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error
    const line = error.place.line === undefined ? '' : `${error.place.line}: `
    const details = { file: told, reason: line + error.message }
    await reopenTasks(db, [{ instanceId, kind, about, details }])
    return putAway('refused')
  }
  return putAway('done')
}

async function keep(
  tx: Transaction,
  receiving: Parameters<typeof keepFile>[1] & { readonly by: string },
  read: ReadBankFile,
): Promise<void> {
  const { fileId, lines } = await keepFile(tx, receiving, read)
  if (fileId === undefined) return
  const { instanceId, by } = receiving
  await noteDeed(tx, {
    instanceId,
    kind: 'payments_imported',
    by,
    about: `payment-batch:${fileId}`,
    after: { format: read.content.format, lines },
  })
}

/** Under the moment that it was taken in, so that the next file of that name does not take its place. */
async function move(path: string, folder: string, now: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  const moment = new Date(now).toISOString().replace(/[:.]/g, '')
  await rename(path, join(folder, `${moment} ${path.split(/[/\\]/).at(-1)}`))
}
