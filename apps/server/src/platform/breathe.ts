/** Long work in pieces: everything else of the process goes on between them. */

/** How long one piece may take, before others have their turn. */
const PIECE_MS = 20

/** Answers a function to be called often during long work: it lets others have their turn when they have waited. */
export function openBreather(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < PIECE_MS) return
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}
