/** One comparison: the vector's own name, what it expects, and how to get ours. */
export type Check = {
  readonly id: string
  readonly expected: unknown
  readonly actual: () => unknown
}

/** Reads one vector file's content into its comparisons; `directory` is where the file lies. */
export type Format = (content: never, directory: string) => Check[]

/** Undefined when ours is as expected, else a line that says what differs. A throw is an answer, too. */
export function failureOf(check: Check): string | undefined {
  let actual: unknown
  try {
    actual = check.actual()
  } catch (error) {
    actual = `threw ${error instanceof Error ? error.message : String(error)}`
  }
  const [wanted, got] = [JSON.stringify(check.expected), JSON.stringify(actual)]
  return wanted === got ? undefined : `${check.id}: expected ${wanted}, got ${got}`
}

/** "refused" when `make` throws a RangeError, the way the domain refuses what cannot be made. */
export function refusalOf(make: () => unknown): unknown {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError) return 'refused'
    throw error
  }
}
