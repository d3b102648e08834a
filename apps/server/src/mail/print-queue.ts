/**
 * Letters on their way to paper: `<id>.pdf` in the store, with `<id>.json` (heading and address) beside it. Names say nothing about
 * anybody. Each letter appears there once, whatever crashes: it is prepared out of sight, the database says which try counts, and only
 * that try is moved into view. A rename happens once; where the store can only copy, whoever prints says so in `taken/<id>`, and what
 * has that is not shown again.
 */
import type { StagedState } from './prepare-mail.queries.ts'
import { NotSent } from './smtp.ts'
import { openStore } from '../platform/store/open-store.ts'
import { StoreUnavailable, type Store, type StorePlace } from '../platform/store/store.ts'

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

const HIDDEN = '.staged'
const TAKEN = 'taken'
const STAGED = /^([0-9a-f-]{36})\.(\d+)\.(?:pdf|json)$/
const IN_VIEW = /^([0-9a-f-]{36})\.(?:pdf|json)$/
/** What was printed is told for so long after it is out of view. */
const TAKEN_MS = 2 * 24 * 60 * 60 * 1000

const ENDINGS = ['json', 'pdf'] as const
type Ending = (typeof ENDINGS)[number]
const hidden = ({ id, tries }: LetterTry, ending: Ending): string => `${HIDDEN}/${id}.${tries}.${ending}`

export function openPrintQueue(place: StorePlace, store: Store = openStore(place)): PrintQueue {
  const discard = async (letter: LetterTry): Promise<void> => {
    await store.remove(hidden(letter, 'pdf'))
    await store.remove(hidden(letter, 'json'))
  }
  return {
    async stage(letter, ticket, pdf) {
      try {
        const text = `${JSON.stringify({ id: letter.id, ...ticket })}\n`
        await writeAnew(store, hidden(letter, 'json'), Buffer.from(text))
        await writeAnew(store, hidden(letter, 'pdf'), pdf)
      } catch (error) {
        throw new NotSent(error instanceof StoreUnavailable ? error.code : 'not written', false)
      }
    },
    async release(letter) {
      // A copy of it was printed before whoever showed it died.
      if (await store.has(`${TAKEN}/${letter.id}`)) return discard(letter)
      // The PDF last: when it is in view, what belongs to it is too.
      for (const ending of ENDINGS) await store.move(hidden(letter, ending), `${letter.id}.${ending}`)
    },
    discard,
    async staged() {
      const found = new Map<string, LetterTry>()
      for (const { name } of await store.list(HIDDEN)) {
        const [, id, tries] = STAGED.exec(name) ?? []
        if (id && tries) found.set(`${id}.${tries}`, { id, tries: Number(tries) })
      }
      return [...found.values()]
    },
  }
}

/** The name is this try's own: what stands there is what it had not ended. */
async function writeAnew(store: Store, name: string, bytes: Uint8Array): Promise<void> {
  if (await store.put(name, bytes)) return
  await store.remove(name)
  if (!(await store.put(name, bytes))) throw new StoreUnavailable(`${name} is written by two.`, 'not written')
}

/** What is to become of a staged letter: in view when its try was the one that counted, away when none can count. */
export function fateOf(letter: LetterTry, state: StagedState | undefined): 'release' | 'discard' | 'wait' {
  if (state?.tries !== letter.tries) return 'discard'
  if (state.status === 'SENT') return 'release'
  return state.status === 'WAITING' ? 'wait' : 'discard'
}

/** Puts away what whoever prints has taken, by what it says in `taken`. Not while a copy may still be shown. */
export async function putTakenAway(place: StorePlace | undefined, nowMs: number): Promise<void> {
  if (place === undefined) return
  const store = openStore(place)
  const taken = await store.list(TAKEN)
  if (taken.length === 0) return
  const staged = new Set((await openPrintQueue(place, store).staged()).map(({ id }) => id))
  const inView = await store.list('')
  for (const { name: id, writtenAtMs } of taken) {
    if (staged.has(id)) continue
    for (const { name } of inView) if (IN_VIEW.exec(name)?.[1] === id) await store.remove(name)
    if (nowMs - writtenAtMs > TAKEN_MS) await store.remove(`${TAKEN}/${id}`)
  }
}

/** How many letters the printer has not taken, and since when the oldest lies there. */
export async function readPrintQueue(
  place: StorePlace | undefined,
): Promise<{ isConfigured: boolean; letters: number; oldestAt: string | null }> {
  if (place === undefined) return { isConfigured: false, letters: 0, oldestAt: null }
  const store = openStore(place)
  const taken = new Set((await store.list(TAKEN)).map(({ name }) => name))
  const letters = (await store.list('')).filter(
    ({ name }) => name.endsWith('.pdf') && IN_VIEW.test(name) && !taken.has(name.slice(0, 36)),
  )
  // Names are made in the order of time.
  const oldest = letters[0]?.writtenAtMs
  const oldestAt = oldest === undefined ? null : new Date(oldest).toISOString()
  return { isConfigured: true, letters: letters.length, oldestAt }
}
