/**
 * A walk through what is due, page by page, two pages at a time: while the database writes one, the next is read and
 * decided. A page is read when the one before it has told where it ends, so no two have anything in common.
 */
const LANES = 2

/**
 * Calls `work` for one page after the other, each with where it begins. It calls `ends` with where its page ends as soon
 * as it knows that; when it never does, the walk is over. Answers the sum of what `work` answers. Throws what `work`
 * throws, when nothing is under way any more.
 */
export async function inLanes<Place>(
  first: Place,
  work: (after: Place, ends: (last: Place | undefined) => void) => Promise<number>,
): Promise<number> {
  let next: Promise<Place | undefined> = Promise.resolve(first)
  async function lane(): Promise<number> {
    for (let sum = 0; ; ) {
      const mine = next
      let ends: (last: Place | undefined) => void = () => {}
      next = new Promise((resolve) => (ends = resolve))
      const after = await mine
      try {
        if (after === undefined) return sum
        sum += await work(after, ends)
      } finally {
        ends(undefined)
      }
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, lane))
  return lanes.reduce((sum, one) => {
    if (one.status === 'rejected') throw one.reason
    return sum + one.value
  }, 0)
}
