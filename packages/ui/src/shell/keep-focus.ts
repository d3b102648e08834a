/** Where nothing can be waited for any more: the pieces that take the place of what has gone are there. */
const SETTLED_MS = 50
const STOPS = 'a[href], button, input, select, textarea, summary'

/** What a screen reader can begin with again in `place`: its heading, else the first thing that can be pressed. */
function spotIn(place: Element): HTMLElement | undefined {
  return [
    ...place.querySelectorAll<HTMLElement>('h1, h2, h3'),
    ...place.querySelectorAll<HTMLElement>(STOPS),
  ].find((element) => element.checkVisibility())
}

/**
 * Whoever has a keyboard and nothing else keeps their place: when what has the focus goes, because it was pressed or
 * because something became known, the nearest part of the page that is still there takes it.
 */
export function keepFocus(): void {
  /** What has the focus and what it stands in, the innermost first. */
  let places: Element[] = []
  const remember = (focused: Element | null) => {
    places = []
    for (let at = focused; at; at = at.parentElement) places.push(at)
  }
  if (document.activeElement !== document.body) remember(document.activeElement)
  addEventListener('focusin', ({ target }) => remember(target as Element))
  addEventListener('focusout', () =>
    // A press beside everything lets go of the focus on purpose: what had it is still there.
    setTimeout(() => {
      if (document.activeElement === document.body && places[0]?.isConnected) places = []
    }),
  )
  const restore = () => {
    if (places[0]?.isConnected !== false || document.activeElement !== document.body) return
    for (const place of places) {
      const spot = place.isConnected ? spotIn(place) : undefined
      if (!spot) continue
      if (/^H\d$/.test(spot.tagName)) spot.tabIndex = -1
      return spot.focus()
    }
  }
  new MutationObserver(() => {
    if (places[0]?.isConnected === false) setTimeout(restore, SETTLED_MS)
  }).observe(document.body, { childList: true, subtree: true })
}
