/**
 * A browser that refuses cookies refuses these too. What the portal keeps then lasts as long as the page: an invoice can be
 * seen and paid, and only a new page asks for the reference again.
 */
export function ensureStorage(): void {
  for (const area of ['localStorage', 'sessionStorage'] as const) {
    try {
      window[area].removeItem('')
    } catch {
      // The next page cannot know how often it has begun anew, so none does it by itself (head.ts).
      const kept = new Map([['lost', '9']])
      Object.defineProperty(window, area, {
        value: {
          getItem: (key: string) => kept.get(key) ?? null,
          setItem: (key: string, value: string) => kept.set(key, value),
          removeItem: (key: string) => kept.delete(key),
        },
      })
    }
  }
}
