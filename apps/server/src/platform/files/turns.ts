/**
 * Turns at what few may use at once. Who asks for much waits behind who asks for little: turns go round by requester, and
 * nobody has more than a share of the places.
 */
import { Refusal } from '@kvitt/domain/errors.ts'

export type TurnLimits = {
  /** Turns that run beside each other. */
  readonly atOnce: number
  /** Places in all, of those who wait and of those who have their turn. */
  readonly most: number
  /** Places of one requester. */
  readonly mostEach: number
}

export type Turns = {
  /**
   * Waits for a turn of `requester`; call what it answers when the turn is over. Throws the refusal `files_busy` when there is no
   * place, and the signal's reason when whoever asked has gone.
   */
  take(requester: string, signal?: AbortSignal): Promise<() => void>
  /** Places that are taken now. */
  taken(): number
}

/** What a refused caller is told to wait, in seconds, at least and at most. */
const SHORTEST_WAIT_S = 5
const LONGEST_WAIT_S = 120

export function openTurns({ atOnce, most, mostEach }: TurnLimits): Turns {
  /** Who waits, the next one first. */
  const waiting = new Map<string, (() => void)[]>()
  const places = new Map<string, number>()
  let taken = 0
  let running = 0
  let lastMs = 0

  const addPlace = (requester: string, by: 1 | -1): void => {
    const now = (places.get(requester) ?? 0) + by
    taken += by
    if (now === 0) places.delete(requester)
    else places.set(requester, now)
  }
  const callNext = (): void => {
    const [next] = waiting
    if (running === atOnce || !next) return
    const [requester, [start, ...others]] = next
    waiting.delete(requester)
    // Behind everybody else who waits.
    if (others.length > 0) waiting.set(requester, others)
    running += 1
    start?.()
  }
  const begin = (requester: string): (() => void) => {
    const since = performance.now()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      lastMs = performance.now() - since
      running -= 1
      addPlace(requester, -1)
      callNext()
    }
  }
  const refuse = (): never => {
    const wait = Math.ceil((taken * lastMs) / atOnce / 1000)
    const seconds = Math.min(Math.max(wait, SHORTEST_WAIT_S), LONGEST_WAIT_S)
    throw new Refusal('files_busy', { retryAfterSeconds: String(seconds) })
  }

  return {
    taken: () => taken,
    async take(requester, signal) {
      signal?.throwIfAborted()
      if (taken >= most || (places.get(requester) ?? 0) >= mostEach) refuse()
      addPlace(requester, 1)
      await new Promise<void>((resolve, reject) => {
        const leave = (): void => {
          const line = waiting.get(requester)?.filter((other) => other !== start) ?? []
          if (line.length > 0) waiting.set(requester, line)
          else waiting.delete(requester)
          addPlace(requester, -1)
          reject(signal?.reason as Error)
        }
        const start = (): void => {
          signal?.removeEventListener('abort', leave)
          resolve()
        }
        signal?.addEventListener('abort', leave, { once: true })
        waiting.set(requester, [...(waiting.get(requester) ?? []), start])
        callNext()
      })
      return begin(requester)
    },
  }
}
