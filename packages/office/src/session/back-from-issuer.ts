/** What the address says when a browser comes back from the provider's own issuer: what comes next, or why it ended. */
import { ISSUER_REFUSALS } from '@kvitt/domain/staff/issuer.ts'
import type { StepAnswer } from './send-step.ts'

type Next = NonNullable<StepAnswer['next']>
const NEXT: readonly Next[] = ['code', 'passkey', 'recovery', 'set_up']

export type Back = {
  /** The second step, where there is one. */
  readonly next?: Next
  readonly hasPasskey: boolean
  readonly refused?: (typeof ISSUER_REFUSALS)[number]
}

/** @param search with its `?`, or empty */
export function readBack(search: string): Back {
  const asked = new URLSearchParams(search)
  const next = NEXT.find((one) => one === asked.get('next'))
  const code = ISSUER_REFUSALS.find((one) => one === asked.get('refused'))
  return {
    hasPasskey: asked.get('passkey') === 'yes',
    ...(next && { next }),
    ...(code && { refused: code }),
  }
}
