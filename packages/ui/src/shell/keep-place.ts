/** What is shown later, or moves the page to its top, is over by then. */
const SETTLED_MS = 500
const LONGEST_MS = 3000
const PLACES = 'places'
const MOVED = ['wheel', 'touchstart', 'pointerdown', 'click', 'keydown']
/** Those that move a page or the focus; not the ones that load it again. */
const MOVING_KEYS = /^(?:Arrow|Page|Home|End|Tab|Enter| )/

/** How far down each entry of the history was when it was left, by its key. */
type Places = Record<string, number>

function read(): Places {
  try {
    return Object(JSON.parse(sessionStorage.getItem(PLACES) ?? '{}')) as Places
  } catch {
    return {}
  }
}

function write(places: Places): void {
  try {
    sessionStorage.setItem(PLACES, JSON.stringify(places))
  } catch {
    // Full, or refused: they are known until the page is loaded again.
  }
}

/** The view that an address leads to, "invoice" of "#/sv/invoice/260101314920/41105". */
const viewOf = (url: string): string | undefined => new URL(url).hash.split(/[/?]/)[2]

/**
 * Back, forward and a reload show a page where it was left. A browser tries too, but before the data of the page are there, when
 * it is too short for that. Where there is no Navigation API the page begins at its top, as it does for a new one.
 */
export function keepPlace(): void {
  const { navigation } = globalThis
  if (!navigation) return
  const places = read()
  let ended = new AbortController()
  /** Where the page is to stand, until somebody moves it: a page that grew above it meanwhile was not moved by anybody. */
  let wanted: number | undefined
  const bringTo = (y: number | undefined) => {
    ended.abort()
    ended = new AbortController()
    wanted = y
    ended.signal.addEventListener('abort', () => (wanted = undefined))
    bringBack(y, ended)
  }
  const leave = () => {
    const key = navigation.currentEntry?.key
    if (key) places[key] = wanted ?? scrollY
    write(places)
  }
  navigation.addEventListener('navigate', ({ navigationType, destination }) => {
    // The page is left where it is, and says so itself.
    if (navigationType === 'reload') return
    if (navigationType === 'replace') {
      if (viewOf(destination.url) !== viewOf(location.href)) ended.abort()
      return
    }
    leave()
    bringTo(navigationType === 'traverse' ? places[destination.key] : undefined)
  })
  addEventListener('pagehide', leave)
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (load?.type !== 'navigate') bringTo(places[navigation.currentEntry?.key ?? ''])
}

/** Until the page stands there, or somebody moves it. */
function bringBack(y = 0, ended: AbortController): void {
  if (y === 0) return ended.abort()
  const move = (event: Event) => {
    if (!(event instanceof KeyboardEvent) || MOVING_KEYS.test(event.key)) ended.abort()
  }
  for (const moved of MOVED) addEventListener(moved, move, { signal: ended.signal, passive: true })
  let shownSince: number | undefined
  let stoodSince: number | undefined
  const look = () => {
    const now = performance.now()
    const isOver = now - (stoodSince ?? now) > SETTLED_MS || now - (shownSince ?? now) > LONGEST_MS
    if (ended.signal.aborted || isOver) return
    if (!document.querySelector('main[aria-busy]')) {
      shownSince ??= now
      if (Math.abs(scrollY - y) > 1) scrollTo(0, y)
      else stoodSince ??= now
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
