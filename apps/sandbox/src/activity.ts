/** One line of "what just happened", for the page. Kept in memory only. */
export interface Happening {
  atMs: number
  text: string
}

const KEPT = 40

export interface Activity {
  report(text: string): void
  /** Newest first. */
  latest(): readonly Happening[]
}

export function openActivity(now: () => number): Activity {
  let happenings: Happening[] = []
  return {
    report(text) {
      happenings = [{ atMs: now(), text }, ...happenings].slice(0, KEPT)
    },
    latest: () => happenings,
  }
}
