/**
 * React makes some exceptions as its file begins, to throw them when it waits. For each a browser finds out where it was
 * made and reads all of React once more for that: six sevenths of the time that the file took. So what is made here, up to
 * `tellStacks`, is an error that knows no place. Imported before React (react.ts).
 */
const scope = globalThis as { Error: unknown }
const { Error: Placed } = globalThis

scope.Error = function ErrorWithoutPlace(message: string): Error {
  return Object.create(Placed.prototype, { message: { value: message } }) as Error
}

/** From here on an error tells where it was made. */
export function tellStacks(): void {
  scope.Error = Placed
}
