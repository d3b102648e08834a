/** What is shown later, or moves the page to its top, is over by then. */
const SETTLED_MS = 500
const LONGEST_MS = 3000
const PLACES = 'places'

/** How far down each entry of the history was when it was left, by its key. */
type Places = Record<string, number>

function read(): Places {
  try {
    return JSON.parse(sessionStorage.getItem(PLACES) ?? '{}') as Places
  } catch {
    return {}
  }
}

/**
 * Back, forward and a reload show a page where it was left. A browser tries too, but before the data of the page are there, when
 * it is too short for that. Where there is no Navigation API the page begins at its top, as it does for a new one.
 */
export function keepPlace(): void {
  const { navigation } = globalThis
  if (!navigation) return
  const places = read()
  let ended = new AbortController()
  /** Where the page is to stand, as long as it does not yet. */
  let wanted: number | undefined
  const bringTo = (y: number | undefined) => {
    wanted = y
    ended.signal.addEventListener('abort', () => (wanted = undefined))
    bringBack(y, ended)
  }
  const leave = () => {
    const key = navigation.currentEntry?.key
    if (key) places[key] = wanted ?? scrollY
    sessionStorage.setItem(PLACES, JSON.stringify(places))
  }
  navigation.addEventListener('navigate', ({ navigationType, destination }) => {
    if (navigationType === 'replace') return
    leave()
    ended.abort()
    ended = new AbortController()
    if (navigationType === 'traverse') bringTo(places[destination.key])
  })
  addEventListener('pagehide', leave)
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (load?.type !== 'navigate') bringTo(places[navigation.currentEntry?.key ?? ''])
}

/** Until the page stands there, or somebody moves it. */
function bringBack(y = 0, ended: AbortController): void {
  if (y === 0) return ended.abort()
  for (const moved of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    addEventListener(moved, () => ended.abort(), { signal: ended.signal, passive: true })
  }
  const began = performance.now()
  let stoodSince: number | undefined
  const look = () => {
    const now = performance.now()
    if (ended.signal.aborted || now - (stoodSince ?? now) > SETTLED_MS || now - began > LONGEST_MS) {
      return ended.abort()
    }
    if (!document.querySelector('main[aria-busy]')) {
      if (Math.abs(scrollY - y) > 1) scrollTo(0, y)
      else stoodSince ??= now
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
