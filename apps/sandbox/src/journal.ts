import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { StartRefusal } from './config.ts'

/** An append-only file of JSON lines. What `append` returned from is on disk. */
export interface Journal {
  append(...entries: object[]): void
  close(): void
}

/**
 * Opens the journal and hands every earlier entry to `replay`, oldest first.
 * A last line cut short by a kill was never answered for, so it is cut away; damage anywhere else is refused.
 * Writing is synchronous on purpose: nobody can read a state that is not yet on disk.
 */
export function openJournal(path: string, replay: (entry: unknown) => void): Journal {
  const file = openSync(path, 'a+', 0o600)
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
    replay(entry)
  })
  return {
    append(...entries) {
      if (entries.length === 0) return
      writeSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
      fdatasyncSync(file)
    },
    close: () => closeSync(file),
  }
}
