/** The calculation of a challenge, by the browser's own native code. */
import type { ChallengeAnswer } from '@kvitt/domain/sign-in/challenge.contract.ts'

/** The number that solves it. Throws when none does. `onHalf`: told when more than half of all numbers have been tried. */
export async function findSolution(
  { nonce, target, iterations, tries }: ChallengeAnswer,
  onHalf: () => void = () => {},
): Promise<number> {
  const password = Uint8Array.from(atob(nonce), (byte) => byte.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
  for (let number = 0; number < tries; number++) {
    const salt = new TextEncoder().encode(String(number))
    const bits = await crypto.subtle.deriveBits(
      { name: 'PBKDF2', hash: 'SHA-256', salt, iterations },
      key,
      128,
    )
    if (btoa(String.fromCharCode(...new Uint8Array(bits))) === target) return number
    if (number === tries >> 1) onHalf()
  }
  throw new Error('no number solves it')
}
