/**
 * Letters that are drawn when somebody asks for them: once for all who ask at the same time, and kept a while for who
 * asks next. A drawing is found by everything that it is drawn from and by nothing else, so that whoever gets one has
 * just been shown the same facts, and a letter whose facts have changed is another letter.
 */
import { createHash } from 'node:crypto'

/** Some two thousand letters. */
const MOST_BYTES = 8 * 1024 * 1024

type Drawing = { readonly bytes: Promise<Uint8Array>; size: number }

/** Those asked for last at the end. */
const drawings = new Map<string, Drawing>()
let keptBytes = 0

/** What `draw` makes of the facts, which have to say all that it looks at. A drawing that fails is not kept. */
export async function drawOnce<Facts extends readonly unknown[]>(
  kind: string,
  draw: (...facts: Facts) => Promise<Uint8Array>,
  ...facts: Facts
): Promise<Uint8Array> {
  const key = createHash('sha256')
    .update(JSON.stringify([kind, facts]))
    .digest('base64')
  const drawing = drawings.get(key) ?? start(key, draw(...facts))
  drawings.delete(key)
  drawings.set(key, drawing)
  return drawing.bytes
}

function start(key: string, bytes: Promise<Uint8Array>): Drawing {
  const drawing: Drawing = { bytes, size: 0 }
  const isKept = (): boolean => drawings.get(key) === drawing
  bytes.then(
    ({ length }) => {
      if (!isKept()) return
      drawing.size = length
      keptBytes += length
      forgetOldest()
    },
    () => isKept() && drawings.delete(key),
  )
  return drawing
}

function forgetOldest(): void {
  for (const [key, { size }] of drawings) {
    if (keptBytes <= MOST_BYTES) return
    drawings.delete(key)
    keptBytes -= size
  }
}
