/** What a browser has and the build has not, as far as the start page looks at it. */

const storage = { getItem: () => null, setItem: () => {}, removeItem: () => {} }

export function standInForBrowser(): void {
  Object.assign(globalThis, {
    location: { hash: '', reload() {} },
    history: { state: null },
    navigator: { userAgent: '', maxTouchPoints: 0 },
    sessionStorage: storage,
    localStorage: storage,
    document: { documentElement: { lang: 'sv' } },
    window: globalThis,
    matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
  })
}
