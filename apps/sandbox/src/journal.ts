import { closeSync, fdatasync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { StartRefusal } from './config.ts'

const bringToDisk = promisify(fdatasync)

/** An append-only file of JSON lines. */
export interface Journal {
  /** Hands out every earlier entry, oldest first. Refuses a journal that is damaged in the middle. */
  replay(take: (entry: unknown) => void): void
  /** Writes entries behind all earlier ones, together: a kill leaves all of them or none. Nothing once it is closed. */
  append(...entries: object[]): void
  /**
   * Resolves once everything appended so far is on disk. Whatever leaves this program waits for it, so that nobody
   * learns of a state that a crash could take back; all who wait at the same moment share one wait for the disk.
   */
  saved(): Promise<void>
  close(): Promise<void>
}

/** Opens the journal. A last line cut short by a kill was never answered for, so it is cut away. */
export function openJournal(path: string): Journal {
  const file = openSync(path, 'a+', 0o600)
  let appended = 0
  let onDisk = 0
  let saving: Promise<void> | undefined
  let isClosed = false
  async function save(): Promise<void> {
    const upTo = appended
    try {
      await bringToDisk(file)
      onDisk = upTo
    } finally {
      saving = undefined
    }
  }
  async function saved(): Promise<void> {
    const upTo = appended
    while (onDisk < upTo) {
      saving ??= save()
      await saving
    }
  }
  return {
    replay: (take) => readLines(file, path, take),
    append(...entries) {
      if (entries.length === 0 || isClosed) return
      writeSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
      appended += 1
    },
    saved,
    async close() {
      isClosed = true
      await saved().finally(() => closeSync(file))
    },
  }
}

function readLines(file: number, path: string, take: (entry: unknown) => void): void {
  const bytes = readFileSync(path)
  const wholeBytes = bytes.lastIndexOf('\n') + 1
  if (wholeBytes < bytes.length) ftruncateSync(file, wholeBytes)
  const lines = bytes.subarray(0, wholeBytes).toString('utf8').split('\n').slice(0, -1)
  lines.forEach((line, index) => {
    let entry: unknown
    try {
      entry = JSON.parse(line)
    } catch {
      closeSync(file)
      throw new StartRefusal(`${path} is damaged at line ${index + 1}; mend or remove the file.`)
    }
    take(entry)
  })
}
