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

/**
 * Of what two files walk through in their own ways `npm test` has half in each (`half` 0 or 1), the soak all in both.
 */
export const halfOf = <Case>(cases: readonly Case[], half: 0 | 1): readonly Case[] =>
  isWhole ? cases : cases.filter((_, place) => place % 2 === half)

/** Of four cases, two ways of being in by two kinds of debt, `npm test` has two in which each way and each kind is: others for each matrix. */
export const diagonal = <Case>(matrix: number, cases: readonly Case[]): readonly Case[] =>
  isWhole ? cases : cases.filter((_, place) => (place === 0 || place === 3) === (matrix % 2 === 0))
