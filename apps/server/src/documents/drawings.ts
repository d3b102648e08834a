/**
 * Letters that are drawn when somebody asks for them, in a thread of their own: once for all who ask at the same time, and
 * kept a while for who asks next. A drawing is found by everything that it is drawn from and by nothing else, so that
 * whoever gets one has just been shown the same facts, and a letter whose facts have changed is another letter.
 */
import { createHash } from 'node:crypto'
import { openFileQueue } from '../platform/files/file-queue.ts'
import type { FactsOf, LetterKind, WantedLetter } from './letter-kinds.ts'

/** Some two thousand letters. */
const MOST_BYTES = 8 * 1024 * 1024
/** A letter that is larger is not kept: it would take the place of many. */
const LARGEST_KEPT = MOST_BYTES / 8

/** A letter takes some milliseconds, so nobody waits long behind as many. */
const queue = openFileQueue({
  name: 'letters',
  thread: 'letters-thread',
  from: import.meta.url,
  most: 200,
  mostEach: 20,
  longestMs: 20_000,
})

type By<Kind extends LetterKind = LetterKind> = {
  readonly kind: Kind
  /** Whose turn it is, from requesterOf. */
  readonly requester: string
}

/** Letters are drawn in turns of the debtors that they are about, whoever opens or sends them. */
export function requesterOf(about: { readonly instance_id: string; readonly debtor_id: string }): string {
  return `${about.instance_id} ${about.debtor_id}`
}

/** The letter as a PDF. Throws `files_busy` when too many wait for theirs. */
export function drawLetter<Kind extends LetterKind>(
  { kind, requester }: By<Kind>,
  ...facts: FactsOf<Kind>
): Promise<Uint8Array> {
  const wanted: WantedLetter = { kind, facts }
  return queue.make([wanted], { requester })
}

type Drawing = { readonly bytes: Promise<Uint8Array>; size: number | undefined }

/** Those asked for last at the end. One without a size is being drawn. */
const drawings = new Map<string, Drawing>()
let keptBytes = 0

/** As drawLetter, of facts that say all that the letter looks at. A drawing that fails is not kept. */
export function drawOnce<Kind extends LetterKind>(
  by: By<Kind>,
  ...facts: FactsOf<Kind>
): Promise<Uint8Array> {
  return keepOnce([by.kind, facts], () => drawLetter(by, ...facts))
}

/** What `draw` makes of the facts, kept as a letter is. */
export async function keepOnce(
  facts: readonly unknown[],
  draw: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const key = createHash('sha256').update(JSON.stringify(facts)).digest('base64')
  const drawing = drawings.get(key) ?? start(key, draw())
  drawings.delete(key)
  drawings.set(key, drawing)
  return drawing.bytes
}

function start(key: string, bytes: Promise<Uint8Array>): Drawing {
  const drawing: Drawing = { bytes, size: undefined }
  bytes.then(
    ({ length }) => {
      if (length > LARGEST_KEPT) {
        drawings.delete(key)
        return
      }
      drawing.size = length
      keptBytes += length
      forgetOldest()
    },
    () => drawings.delete(key),
  )
  return drawing
}

/** What is being drawn stays: who asks for it next would have it drawn a second time. */
function forgetOldest(): void {
  for (const [key, { size }] of drawings) {
    if (keptBytes <= MOST_BYTES) return
    if (size === undefined) continue
    drawings.delete(key)
    keptBytes -= size
  }
}
