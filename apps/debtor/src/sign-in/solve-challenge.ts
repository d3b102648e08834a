/** A challenge of the server, from the question to the header that brings its solution. */
import type { ChallengeAnswer } from '@kvitt/domain/sign-in/challenge.contract.ts'
import { callTo } from '@kvitt/ui/api.ts'
import { api } from '../calls.ts'
import type { Progress } from './challenge-worker.ts'

type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string | null }): unknown
}

/** Scripts of ours may be fetched by the text of their address, where the browser asks whether they may (page-policy.ts). */
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
trustedTypes?.createPolicy('default', {
  createScriptURL: (address) => (new URL(address, location.href).origin === location.origin ? address : null),
})

/** Can this browser calculate beside the page? Over plain http, and in very old ones, there is nothing to do it with. */
export const canSolve = (): boolean => typeof Worker === 'function' && globalThis.crypto?.subtle !== undefined

function findNumber(challenge: ChallengeAnswer, signal: AbortSignal, onHalf: () => void): Promise<number> {
  const worker = new Worker(new URL('./challenge-worker.ts', import.meta.url), { type: 'module' })
  const found = new Promise<number>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Progress>) =>
      data === 'half' ? onHalf() : resolve(data),
    )
    worker.addEventListener('error', () => reject(new Error('the worker has failed')))
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  worker.postMessage(challenge)
  return found.finally(() => worker.terminate())
}

/**
 * The header with which a call about `reference` is let through once. Throws what the API throws, the signal's reason, or an
 * error when it cannot be solved. `onHalf`: told when more than half is done.
 */
export async function solveChallenge(
  reference: string,
  signal: AbortSignal,
  onHalf: () => void,
): Promise<Readonly<Record<string, string>>> {
  const challenge = await api.ask(callTo('POST', '/public/challenges'), {
    body: { paymentReference: reference },
    signal,
  })
  const number = await findNumber(challenge, signal, onHalf)
  return { 'Challenge-Solution': `${challenge.challenge}.${number}` }
}
