/**
 * Lines beside the database, only ever added to. Those of a moment go into one file together: while one is written, the next ones wait for
 * the file after it, so that one alone waits for nobody. Kept for 40 days, in a folder for each day (UTC).
 */
import type { Clock } from '../clock.ts'
import { newId } from '../identity.ts'
import type { Log } from '../log.ts'
import type { Store } from './store.ts'

const DAY_MS = 24 * 60 * 60 * 1000
export const KEPT_DAYS = 40
/** How long whoever notes a line waits for a store that does not answer; then the line is written later. */
const PATIENCE_MS = 1_000
const AGAIN_MS = 2_000
/** Of a store that is away for days; above it the first ones go, and the log says so. */
const MOST_WAITING = 100_000
/** Lines of a file: what has waited for long is written in pieces that a store takes within its time. */
const PIECE = 2_000

type Line = Readonly<Record<string, unknown>>
type Waiting = { readonly text: string; readonly written: () => void }

export type LineJournal = {
  /**
   * Writes a line down. Returns when it is, or without that after a second, and at once while the store is known to be away: the line is
   * then tried again for as long as this process lives. Never throws.
   */
  note(line: Line): Promise<void>
  /** Lines that are not written yet, those under way too. */
  waiting(): number
  /** Tries what waits once more. */
  close(): Promise<void>
}

export function openLineJournal(store: Store, { clock, log }: { clock: Clock; log: Log }): LineJournal {
  let waiting: Waiting[] = []
  let underWay: Promise<void> | undefined
  let underWayLines = 0
  let isAway = false
  let isSaid = false
  let again: NodeJS.Timeout | undefined

  /** Answers whether it is there. */
  const writeAll = async (lines: readonly Waiting[]): Promise<boolean> => {
    const now = clock.now()
    const name = `${dayOf(now)}/${newId(now)}.jsonl`
    try {
      return await store.put(name, Buffer.from(lines.map(({ text }) => `${text}\n`).join('')))
    } catch (error) {
      if (!isSaid)
        log.error({ reason: (error as Error).message }, 'the journal of payments cannot be written')
      isSaid = true
      return false
    }
  }
  const pump = async (): Promise<void> => {
    while (waiting.length > 0) {
      const lines = waiting.slice(0, PIECE)
      waiting = waiting.slice(PIECE)
      underWayLines = lines.length
      const isWritten = await writeAll(lines)
      underWayLines = 0
      isAway = !isWritten
      if (!isWritten) return putBack(lines)
      isSaid = false
      for (const { written } of lines) written()
    }
  }
  const putBack = (lines: readonly Waiting[]): void => {
    waiting = [...lines, ...waiting]
    const lost = waiting.length - MOST_WAITING
    if (lost > 0) {
      waiting = waiting.slice(lost)
      log.error({ lost }, 'lines of the journal of payments are lost')
    }
    again = setTimeout(() => void begin(), AGAIN_MS).unref()
  }
  const begin = (): Promise<void> => {
    clearTimeout(again)
    underWay ??= pump().finally(() => {
      underWay = undefined
    })
    return underWay
  }
  return {
    async note(line) {
      const wasAway = isAway
      const done = new Promise<void>((written) => {
        waiting.push({ text: JSON.stringify(line), written })
      })
      if (wasAway) return
      void begin()
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<void>((over) => {
        timer = setTimeout(() => {
          // Until what is under way has ended: one start waits, not each of them.
          isAway ||= underWay !== undefined
          over()
        }, PATIENCE_MS)
      })
      await Promise.race([done, patience])
      clearTimeout(timer)
    },
    waiting: () => waiting.length + underWayLines,
    async close() {
      await underWay
      await begin()
      clearTimeout(again)
    },
  }
}

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)

/** The days that are kept, the first one first, and tomorrow: another host's clock may be ahead. */
export function keptDays(clock: Clock, days = KEPT_DAYS): string[] {
  return Array.from({ length: days + 2 }, (_, back) => dayOf(clock.now() - (days - back) * DAY_MS))
}

const AT_ONCE = 16

/** The lines of these days in the order in which they were written, and how many are none. Throws StoreUnavailable. */
export async function readLines(
  store: Store,
  days: readonly string[],
): Promise<{ lines: Line[]; unreadable: number }> {
  const lines: Line[] = []
  let unreadable = 0
  for (const day of days) {
    const names = (await store.list(day)).map(({ name }) => `${day}/${name}`)
    for (let at = 0; at < names.length; at += AT_ONCE) {
      const files = await Promise.all(names.slice(at, at + AT_ONCE).map((name) => store.get(name)))
      for (const text of files.flatMap((file) => file?.bytes.toString('utf8').split('\n') ?? [])) {
        const line = text === '' ? undefined : lineOf(text)
        if (line) lines.push(line)
        // A process that died while it wrote: nobody was told that this line is there.
        else if (text !== '') unreadable += 1
      }
    }
  }
  return { lines, unreadable }
}

function lineOf(text: string): Line | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return read !== null && typeof read === 'object' && !Array.isArray(read) ? (read as Line) : undefined
  } catch {
    return undefined
  }
}

/** Removes what is over its time: of the sixty days before those that are kept. */
export async function forgetLines(store: Store, clock: Clock): Promise<void> {
  const [first = ''] = keptDays(clock)
  for (const day of keptDays(clock, KEPT_DAYS + 60)) {
    if (day >= first) return
    for (const { name } of await store.list(day)) await store.remove(`${day}/${name}`)
  }
}
