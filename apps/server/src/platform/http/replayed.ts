/** Answers that leave otherwise than their contract's own. */

/** One that its idempotency key has had before. */
export class Replayed<T = unknown> {
  readonly answer: T
  constructor(answer: T) {
    this.answer = answer
  }
}

/** The answer of an act that waits to be done: 202, and the name by which it is taken back. */
export class Later {
  readonly actId: string
  constructor(actId: string) {
    this.actId = actId
  }
}

/** The answer of a call that has changed nothing yet: 202, and the proposal that somebody else decides. */
export class Proposed<T = unknown> {
  readonly answer: T
  constructor(answer: T) {
    this.answer = answer
  }
}
