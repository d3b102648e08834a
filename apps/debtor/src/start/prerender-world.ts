/** What a browser has and the build has not, as far as the start page looks at it. */

const storage = { getItem: () => null, setItem: () => {}, removeItem: () => {} }

const BROWSER = {
  location: { hash: '', reload() {} },
  history: { state: null },
  navigator: { userAgent: '', maxTouchPoints: 0 },
  sessionStorage: storage,
  localStorage: storage,
  document: { documentElement: { lang: 'sv' } },
  window: globalThis,
  matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
}

/** Puts the stand-ins into the build's process. Node has some of these names itself, from 21 on, and lets nobody assign them. */
export function standInForBrowser(): void {
  for (const [name, value] of Object.entries(BROWSER))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true })
}
