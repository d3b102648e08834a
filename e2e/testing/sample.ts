/**
 * A matrix of journeys is played whole in the soak (`SOAK=1`). `npm test` plays a covering sample of it: every row, and every
 * column, but not every pair of them.
 */
export const isWhole = process.env['SOAK'] !== undefined

/**
 * What of `choices` the case at `place` is played with: all of them in the soak, else `count` of them, beginning further on
 * with each case, so that neighbours differ and every choice is played by some case.
 */
export function sampleFor<Choice>(place: number, choices: readonly Choice[], count = 1): readonly Choice[] {
  if (isWhole || count >= choices.length) return choices
  return Array.from(
    { length: count },
    (_, step) => choices[(place * count + step) % choices.length] as Choice,
  )
}
