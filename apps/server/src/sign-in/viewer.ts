/**
 * Who is asking. Every query about a debtor's things starts from a viewer, so that forgetting to ask "whose?"
 * means having no query to start from.
 */
import { normaliseReference, normaliseZip } from '@kvitt/domain/references.ts'
import type { Instance } from '../instances/instances.ts'

/** A public session: the pair of reference and zip is the credential (specification section 6). */
export type PublicViewer = {
  readonly kind: 'public'
  readonly instance: Instance
  readonly reference: string
  readonly zip: string
  /** Set while nobody knows whether the pair is right: the read that finds out has to take the guess with it. */
  readonly guess?: Guess
}

/** What the database counts a guess by, in the order of open_guess. `at` is ISO, real time. */
export type Guess = {
  readonly keys: readonly Uint8Array[]
  readonly limits: readonly (number | null)[]
  readonly at: string
}

export type Viewer = PublicViewer

/** Someone whom no session stands behind, on a tenant's host. */
export type Visitor = { readonly instance: Instance }

/**
 * The viewer that a path's reference and zip make, both brought to the one form that is compared. What cannot
 * be a reference or a zip becomes one that nobody has, and takes the same way through the program. Calls from
 * outside come through the guard (sign-in.ts), which makes their viewer with this.
 */
export function publicViewer(instance: Instance, reference: string, zip: string): PublicViewer {
  const [plainReference, plainZip] = [normaliseReference(reference), normaliseZip(zip)]
  const isPossible = /^[0-9]{2,25}$/.test(plainReference) && /^[\p{L}\p{N}]{1,20}$/u.test(plainZip)
  return {
    kind: 'public',
    instance,
    reference: isPossible ? plainReference : '',
    zip: isPossible ? plainZip : '',
  }
}
