/**
 * Who is asking. Every query about a debtor's things starts from a viewer, so that forgetting to ask "whose?"
 * means having no query to start from.
 */
import { readReference, normaliseZip } from '@kvitt/domain/references.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isUuid } from '@kvitt/domain/ids.ts'
import type { Instance } from '../instances/instances.ts'

export { networkOf } from './network.ts'

/** A public session: the pair of reference and zip is the credential (specification section 6). */
export type PublicViewer = {
  readonly kind: 'public'
  readonly instance: Instance
  readonly reference: string
  readonly zip: string
}

/** What the database counts a guess by, in the order of open_guess. `at` is ISO, real time. */
export type Guess = {
  readonly keys: readonly Uint8Array[]
  readonly limits: readonly (number | null)[]
  readonly at: string
}

/**
 * A pair of which nobody knows yet whether it is right. Only a read that takes the guess with it (`requireRight` in
 * guesses.queries.ts) makes a viewer of it. Whoever binds such a call sees to it that this has happened (bind.ts).
 */
export class UnprovenPair {
  readonly kind = 'unproven'
  readonly guess: Guess
  readonly #viewer: PublicViewer
  isTaken = false

  constructor(viewer: PublicViewer, guess: Guess) {
    this.#viewer = viewer
    this.guess = guess
  }

  get instance(): Instance {
    return this.#viewer.instance
  }

  get reference(): string {
    return this.#viewer.reference
  }

  get zip(): string {
    return this.#viewer.zip
  }

  /** Whoever has proven right. Throws while the guess has not been taken: that is a mistake in the program. */
  get viewer(): PublicViewer {
    if (!this.isTaken) throw new Error('a pair is no viewer before its guess has been taken')
    return this.#viewer
  }
}

/** A session that a call has proven: the debtor's own, or that of one of the staff who looks as the debtor would. */
export type Session = {
  readonly id: string
  readonly debtorIds: readonly string[]
  readonly startedAt: string
  readonly endsAt: string
  /** For the header X-Session-Token of the answer; undefined while the one that came is young. */
  readonly renewedToken: string | undefined
  /** Present in a peek: it reads what the debtor would, and changes nothing (bind.ts). */
  readonly peek?: { readonly staff: string }
}

/** What a call proves its session with. `authorization` holds every header of that name. */
export type SessionProof = {
  readonly instanceId: string
  readonly authorization: readonly string[]
  readonly cookie: string | undefined
  /** Does the browser reach us over https? */
  readonly isHttps: boolean
}

/** A signed-in debtor, and which of their things the call is about. Only the session says whose it may be. */
export type DebtorViewer = {
  readonly kind: 'debtor'
  readonly instance: Instance
  readonly session: Session
  readonly selector: DebtSelector
}

/** By reference, by identifier, or at nothing in particular: all that is the debtor's. */
export type DebtSelector =
  | { readonly by: 'reference'; readonly reference: string }
  /** As a link has it, with the zip that stands beside it. */
  | { readonly by: 'pair'; readonly reference: string; readonly zip: string }
  | { readonly by: 'id'; readonly id: string }
  | { readonly by: 'nothing' }

export type Viewer = PublicViewer | DebtorViewer

/** Who makes a call whose own first read takes the guess. */
export type FirstReader = Viewer | UnprovenPair

/** The viewer of a call, after its first read. */
export function viewerOf(reader: FirstReader): Viewer {
  return reader.kind === 'unproven' ? reader.viewer : reader
}

/**
 * Whose things a list holds: all of these debtors; with `letter` only what this creditor has sent to this zip, as a public
 * session sees it where its instance opens no more.
 */
export type ListScope = {
  readonly debtorIds: readonly string[]
  readonly letter?: { readonly creditorId: string; readonly zip: string }
}

/** What the right pair of a debt opens in lists. */
export function scopeOfPair(
  { instance, zip }: PublicViewer,
  debt: { readonly debtor_id: string; readonly creditor_id: string },
): ListScope {
  const debtorIds = [debt.debtor_id]
  if (instance.row.public_session_reach === 'instance') return { debtorIds }
  return { debtorIds, letter: { creditorId: debt.creditor_id, zip } }
}

/**
 * The viewer that a path's reference and zip make, both brought to the one form that is compared. What cannot
 * be a reference or a zip becomes one that nobody has, and takes the same way through the program. Calls from
 * outside come through the guard (sign-in.ts), which makes their viewer with this.
 */
export function publicViewer(instance: Instance, reference: string, zip: string): PublicViewer {
  const [plainReference, plainZip] = [readReference(reference), normaliseZip(zip)]
  const isPossible = /^[0-9]{2,25}$/.test(plainReference) && ZIP.test(plainZip)
  return {
    kind: 'public',
    instance,
    reference: isPossible ? plainReference : '',
    zip: isPossible ? plainZip : '',
  }
}

export type About = {
  readonly reference?: string | undefined
  readonly zip?: string | undefined
  readonly id?: string | undefined
}

/** What a call at the debtor's door is about. What cannot be a reference or an identifier is one that nobody has. */
export function selectorOf({ reference, zip, id }: About): DebtSelector {
  if (id !== undefined) return { by: 'id', id: isUuid(id.toLowerCase()) ? id : NO_ID }
  if (reference === undefined) return { by: 'nothing' }
  const plain = readReference(reference)
  const known = /^[0-9]{2,25}$/.test(plain) ? plain : ''
  const plainZip = normaliseZip(zip ?? '')
  if (plainZip === '') return { by: 'reference', reference: known }
  return { by: 'pair', reference: known, zip: ZIP.test(plainZip) ? plainZip : '-' }
}

const ZIP = /^[\p{L}\p{N}]{1,20}$/u
const NO_ID = '00000000-0000-0000-0000-000000000000'

/** The session that a name of a file is made for; undefined for a public one, which is its pair. */
export function sessionOf(viewer: Viewer): string | undefined {
  switch (viewer.kind) {
    case 'public':
      return undefined
    case 'debtor':
      return viewer.session.id
  }
}

/**
 * The one answer when the viewer may not see what the call is about, or it is not there. Nobody can tell which:
 * a public pair is a wrong login, and to a signed-in debtor there is nothing at this address (D-09).
 */
export function notVisible(viewer: Viewer): Refusal {
  switch (viewer.kind) {
    case 'public':
      return new Refusal('login_error::invalid_data')
    case 'debtor':
      return new Refusal('not_found')
  }
}
