/** Looks for the number that solves a challenge, beside the page, so that the page stays quick. Answers the number. */
import type { ChallengeAnswer } from '@kvitt/domain/sign-in/challenge.contract.ts'

/** Told along the way: more than half of all numbers have been tried. */
export type Progress = number | 'half'

async function find({ nonce, target, iterations, tries }: ChallengeAnswer): Promise<void> {
  const password = Uint8Array.from(atob(nonce), (byte) => byte.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
  for (let number = 0; number < tries; number++) {
    const salt = new TextEncoder().encode(String(number))
    const bits = await crypto.subtle.deriveBits(
      { name: 'PBKDF2', hash: 'SHA-256', salt, iterations },
      key,
      128,
    )
    if (btoa(String.fromCharCode(...new Uint8Array(bits))) === target) return postMessage(number)
    if (number === tries >> 1) postMessage('half')
  }
  throw new Error('no number solves it')
}

// A failure that nobody catches is told to the page as one.
addEventListener('message', ({ data }: MessageEvent<ChallengeAnswer>) => {
  find(data).catch((error: unknown) =>
    setTimeout(() => {
      throw error
    }),
  )
})
