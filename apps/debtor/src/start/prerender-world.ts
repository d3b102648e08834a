/** What a browser has and the build has not, as far as the start page looks at it. Imported before anything else. */

const storage = { getItem: () => null, setItem: () => {}, removeItem: () => {} }

Object.assign(globalThis, {
  location: { hash: '', reload() {} },
  history: { state: null },
  sessionStorage: storage,
  localStorage: storage,
  document: { documentElement: { lang: 'sv' } },
  window: globalThis,
  matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
})

export {}
