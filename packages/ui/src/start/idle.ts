/** Runs `begin` when nothing else is to be done, after five seconds at the latest. */
export function whenIdle(begin: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(begin, { timeout: 5_000 })
  else setTimeout(begin, 2_000)
}
