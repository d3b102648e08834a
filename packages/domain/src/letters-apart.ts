/** How far two words are from each other, in letters: for questions with typing errors, and for names that only look like another. */

/** Letters to change, add, leave out or swap to make one word of the other; more than `most` is `most + 1`. */
export function lettersApart(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1]
      let best = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (isSwapped) best = Math.min(best, (before[j - 2] ?? 0) + 1)
      next.push(best)
    }
    if (Math.min(...next) > most) return most + 1
    before = row
    row = next
  }
  return row[other.length] ?? most + 1
}
