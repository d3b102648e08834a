/** What a store beside the database answers, for whoever measures: a store may hold a call up for long, and a scrape does not wait for it. */
export type Asked<Answer> = () => Promise<{ readonly isUp: boolean; readonly last: Answer | undefined }>

/** How long a scrape waits for an answer. */
const PATIENCE_MS = 1_000

/**
 * Asks once at a time. A question that has no answer within a second is asked on, and counts as none until it has one; `last` is the last
 * answer that there was.
 */
export function askWithin<Answer>(ask: () => Promise<Answer>, patienceMs = PATIENCE_MS): Asked<Answer> {
  let underWay: Promise<boolean> | undefined
  let last: Answer | undefined
  const once = async (): Promise<boolean> => {
    try {
      last = await ask()
      return true
    } catch {
      return false
    } finally {
      underWay = undefined
    }
  }
  return async () => {
    underWay ??= once()
    let timer: NodeJS.Timeout | undefined
    const over = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), patienceMs)
    })
    const isUp = await Promise.race([underWay, over])
    clearTimeout(timer)
    return { isUp, last }
  }
}
