/** An answer that its idempotency key has had before. */
export class Replayed {
  readonly answer: unknown
  constructor(answer: unknown) {
    this.answer = answer
  }
}
