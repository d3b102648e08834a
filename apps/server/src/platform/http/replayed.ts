/** An answer that its idempotency key has had before. */
export class Replayed<T = unknown> {
  readonly answer: T
  constructor(answer: T) {
    this.answer = answer
  }
}
