/** A browser in which an account has signed in before: it carries the proof of it in a cookie. */
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import { proofFor, rememberDevice } from '../sign-in/sign-in.ts'

/** Where a step of a sign-in comes from. */
export type Visit = {
  readonly address: string
  /** The Cookie header, and whether the browser reaches us over https. */
  readonly cookie: Parameters<typeof proofFor>[2]
}

type Of = { readonly email: string; readonly visit: Visit }

function markOf({ guessKey, clock }: Context, instance: Instance, email: string) {
  const signer = { key: guessKey, nowMs: clock.now() }
  return [signer, { instanceId: instance.id, reference: `staff:${email}`, zip: '' }] as const
}

/** The proof that this browser sends, if it has one of this account. */
export function proofOf(context: Context, instance: Instance, { email, visit }: Of): string | undefined {
  const [signer, device] = markOf(context, instance, email)
  return proofFor(signer, device, visit.cookie)
}

/** The Set-Cookie header that marks the browser as one in which the account has signed in, with all that it takes. */
export function markBrowser(context: Context, instance: Instance, { email, visit }: Of): string {
  const [signer, device] = markOf(context, instance, email)
  return rememberDevice(signer, device, visit.cookie)
}
