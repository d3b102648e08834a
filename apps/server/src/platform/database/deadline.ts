/** Waiting for a database's answer, but not for ever. */
import type { Socket } from 'node:net'
import type pg from 'pg'

type WithStream = { readonly connection: { readonly stream: Socket } }

/** Ends a connection at once and without a word: whoever waits on it hears that it is lost. */
export function cut(client: pg.ClientBase): void {
  ;(client as unknown as WithStream).connection.stream.destroy()
}

/** How long the other end may take to say goodbye. */
const GOODBYE_MS = 2_000

/** Ends a connection; one whose other end says nothing is cut. */
export async function endOrCut(client: pg.Client): Promise<void> {
  const late = setTimeout(() => cut(client), GOODBYE_MS)
  await client.end().catch(() => {})
  clearTimeout(late)
}

/** Cuts those of `ended` that are still there when the other end should have said goodbye. Keeps no program from ending. */
export function cutLater(ended: Iterable<pg.ClientBase>): void {
  setTimeout(() => {
    for (const client of ended) cut(client)
  }, GOODBYE_MS).unref()
}

const LOOK_MS = 250
/** A look that comes this late tells of a busy program: answers may have come that it has not read yet. */
const LATE_MS = 500

export type Watch = {
  /** `client` is asked something. */
  begin(client: pg.ClientBase): void
  /** It has answered that, or was lost over it. */
  end(client: pg.ClientBase, isLost?: boolean): void
  /** When anything was answered last, in the clock of performance.now(). */
  answeredAt(): number
  stop(): void
}

/** Cuts each connection that has not answered anything for `answerMs`, though it was asked. */
export function watchAnswers(answerMs: number): Watch {
  const asked = new Map<pg.ClientBase, { open: number; since: number }>()
  let lookedAt = performance.now()
  let answeredAt = lookedAt
  const timer = setInterval(() => {
    const now = performance.now()
    const isLate = now - lookedAt > LOOK_MS + LATE_MS
    lookedAt = now
    if (isLate) return
    for (const [client, { since }] of asked) if (now - since > answerMs) cut(client)
  }, LOOK_MS)
  timer.unref()
  return {
    begin(client) {
      const open = asked.get(client)
      if (open) open.open++
      else asked.set(client, { open: 1, since: performance.now() })
    },
    end(client, isLost = false) {
      if (!isLost) answeredAt = performance.now()
      const left = asked.get(client)
      if (left && left.open > 1) {
        left.open--
        left.since = performance.now()
      } else asked.delete(client)
    },
    answeredAt: () => answeredAt,
    stop: () => clearInterval(timer),
  }
}
