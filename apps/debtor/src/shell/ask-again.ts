import { useEffect, useEffectEvent } from 'react'

const SOONEST_MS = 2_000
const SELDOMEST_MS = 30_000

/** Asks when the connection is back or somebody comes back to the page, and ever more seldom while nothing happens. */
export function useAskAgain(ask: () => void): void {
  const again = useEffectEvent(ask)
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    const askIfSeen = () => {
      if (!document.hidden) again()
    }
    let timer: ReturnType<typeof setTimeout>
    const waitFor = (ms: number) => {
      timer = setTimeout(() => {
        askIfSeen()
        waitFor(Math.min(ms * 2, SELDOMEST_MS))
      }, ms)
    }
    waitFor(SOONEST_MS)
    addEventListener('online', askIfSeen, { signal })
    document.addEventListener('visibilitychange', askIfSeen, { signal })
    return () => {
      ended.abort()
      clearTimeout(timer)
    }
  }, [])
}
