/** Looks for the number that solves a challenge, beside the page, so that the page stays quick. Answers the number. */
import type { ChallengeAnswer } from '@kvitt/domain/sign-in/challenge.contract.ts'
import { findSolution } from '@kvitt/ui/find-solution.ts'

/** Told along the way: more than half of all numbers have been tried. */
export type Progress = number | 'half'

// A failure that nobody catches is told to the page as one.
addEventListener('message', ({ data }: MessageEvent<ChallengeAnswer>) => {
  findSolution(data, () => postMessage('half')).then(postMessage, (error: unknown) =>
    setTimeout(() => {
      throw error
    }),
  )
})
