/**
 * Letters on their way to paper: `<id>.pdf` in a folder, with `<id>.json` (heading and address) beside it. Names say
 * nothing about anybody. Each letter appears there once, whatever crashes: it is prepared out of sight, the database
 * says which try counts, and only that try is moved into view. A rename happens once.
 */
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { NotSent } from './smtp.ts'
import type { StagedState } from './prepare-mail.queries.ts'

export type Ticket = { readonly title: string; readonly to: readonly string[] }
/** A letter and which try to send it this is. */
export type LetterTry = { readonly id: string; readonly tries: number }

export type PrintQueue = {
  /** Writes a letter down out of sight, on disk when this returns. Throws NotSent when there is no room or right. */
  stage(letter: LetterTry, ticket: Ticket, pdf: Uint8Array): Promise<void>
  /** Moves a staged letter into view. It may already be there, or be printed. */
  release(letter: LetterTry): Promise<void>
  discard(letter: LetterTry): Promise<void>
  /** What lies out of sight: of tries under way, or of a process that died. */
  staged(): Promise<LetterTry[]>
}

const STAGED = /^([0-9a-f-]{36})\.(\d+)\.(?:pdf|json)$/
/** Readable by the group too: whoever prints has an account of its own. */
const FOLDER_MODE = 0o750
const FILE_MODE = 0o640

export function openPrintQueue(folder: string): PrintQueue {
  // A folder of the same file system, so that a move is one step.
  const hidden = join(folder, '.staged')
  const path = ({ id, tries }: LetterTry, ending: string): string => join(hidden, `${id}.${tries}.${ending}`)
  const move = (letter: LetterTry, ending: string): Promise<void> =>
    rename(path(letter, ending), join(folder, `${letter.id}.${ending}`)).catch(unlessMissing)
  return {
    async stage(letter, ticket, pdf) {
      try {
        await mkdir(hidden, { recursive: true, mode: FOLDER_MODE })
        await write(path(letter, 'json'), Buffer.from(`${JSON.stringify({ id: letter.id, ...ticket })}\n`))
        await write(path(letter, 'pdf'), pdf)
        await sync(hidden)
      } catch (error) {
        throw new NotSent((error as NodeJS.ErrnoException).code ?? 'not written', false)
      }
    },
    async release(letter) {
      // The PDF last: when it is in view, what belongs to it is too.
      await move(letter, 'json')
      await move(letter, 'pdf')
      await sync(folder)
    },
    async discard(letter) {
      await rm(path(letter, 'pdf'), { force: true })
      await rm(path(letter, 'json'), { force: true })
    },
    async staged() {
      const names = await readdir(hidden).catch((error: unknown) => {
        unlessMissing(error)
        return []
      })
      const found = new Map<string, LetterTry>()
      for (const name of names) {
        const [, id, tries] = STAGED.exec(name) ?? []
        if (id && tries) found.set(`${id}.${tries}`, { id, tries: Number(tries) })
      }
      return [...found.values()]
    },
  }
}

/** What is to become of a staged letter: in view when its try was the one that counted, away when none can count. */
export function fateOf(letter: LetterTry, state: StagedState | undefined): 'release' | 'discard' | 'wait' {
  if (state?.tries !== letter.tries) return 'discard'
  if (state.status === 'SENT') return 'release'
  return state.status === 'WAITING' ? 'wait' : 'discard'
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w', FILE_MODE)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
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

function unlessMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

const IN_VIEW = /^[0-9a-f-]{36}\.pdf$/

/** How many letters the printer has not taken, and since when the oldest lies there. */
export async function readPrintQueue(
  folder: string | undefined,
): Promise<{ isConfigured: boolean; letters: number; oldestAt: string | null }> {
  if (folder === undefined) return { isConfigured: false, letters: 0, oldestAt: null }
  const names = await readdir(folder).catch((error: unknown) => {
    unlessMissing(error)
    return []
  })
  const letters = names.filter((name) => IN_VIEW.test(name))
  // Names are made in the order of time.
  const [oldest] = letters.sort()
  const at =
    oldest === undefined
      ? undefined
      : await stat(join(folder, oldest)).catch((error: unknown) => unlessMissing(error))
  return { isConfigured: true, letters: letters.length, oldestAt: at?.mtime.toISOString() ?? null }
}
